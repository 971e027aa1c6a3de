"""Bodies of a mass that nothing of their size has: doubts, each with the remedy."""

from ..scene.body import Body
from ..scene.errors import who
from ..scene.thing import Thing
from .extents import pieces, volume

LIGHTEST = 0.01
"""A body of less density [kg/m3] is doubtful: air has 1.2, and lengths given in millimetres make it a billion times less."""
HEAVIEST_STUFF = 1e6
"""A body of more density [kg/m3] is doubtful: osmium has 22600, bobs that stand for point masses are drawn small, but masses
given in grams make water a million and steel eight."""
LARGEST = 1e3
"""[m3]; what is larger and has the density of water only because none was given is probably in millimetres."""


def doubt_masses(things: list[Thing]) -> list[str]:
    """Bodies that are far too light, too heavy or too large; of robots the file says all masses, and its meaning is its own."""
    return [text for thing in things if isinstance(thing, Body) and not thing.fixed and thing.motion is None
            for text in _of_mass(thing)]


def _of_mass(body: Body) -> list[str]:
    found = [volume(one.shape) for one in pieces(body)]
    whole = sum(found)
    if whole == 0.0:
        return []
    if body.mass is not None and body.mass < LIGHTEST * whole:
        return [f"{who(body)}: {body.mass:g} kg in {whole:.3g} m3 are {body.mass / whole:.2g} kg/m3; lengths are in metres, "
                "check them"]
    if body.mass is None and body.density is None and whole > LARGEST:
        return [f"{who(body)}: it is {whole:.3g} m3 large and weighs {1e3 * whole:.3g} kg, since neither mass nor density is "
                "given; lengths are in metres, check them, or give one of the two"]
    # what touches nothing is often a point mass, drawn small
    dense = body.density if body.mass is None else body.mass / whole
    if body.collide and all(found) and dense is not None and dense > HEAVIEST_STUFF:
        mass = dense * whole
        return [f"{who(body)}: {mass:.4g} kg in {whole:.3g} m3 are {dense:.2g} kg/m3, denser than any metal; masses are in "
                "kilograms and lengths in metres, check them"]
    return []


def mass_of(body: Body) -> float:
    """[kg]; 0 where it cannot be told from closed forms."""
    if body.mass is not None:
        return body.mass
    found = [volume(one.shape) for one in pieces(body)]
    return (1e3 if body.density is None else body.density) * sum(found) if all(found) else 0.0
