"""Doubts about meshes of cloth and solids: quadrics that shape nothing, vertices that were numbered on another mesh."""

from ..scene.attachment import Attachment, Pin
from ..scene.cloth import Cloth
from ..scene.control import Load
from ..scene.errors import who
from ..scene.patch import PatchMesh
from ..scene.soft import Soft
from ..scene.solid import Solid
from ..scene.thing import Thing
from ..scene.vertex_words import soft_and_words, spoken


def doubt_meshes(things: list[Thing]) -> list[str]:
    """Quadrics off their mesh, and numbers of vertices that lie otherwise than when they were chosen."""
    soft = {thing.name: thing for thing in things if isinstance(thing, Soft)}
    found = [text for thing in soft.values() if isinstance(thing, (Cloth, Solid)) for text in _of_relief(thing)]
    return found + [text for thing in things if soft for text in _of_numbers(thing, soft)]


def _of_relief(thing: Cloth | Solid) -> list[str]:
    mesh = thing.mesh
    if not isinstance(mesh, PatchMesh):
        return []
    from ..patch.idle import idle_quadrics, where_positive  # with kernels that scenes without patches need not load

    found = []
    for k in idle_quadrics(mesh):
        middle = where_positive(mesh.quadrics[k])
        if middle is None:
            said = "it is positive nowhere on its surface; check its matrix, in metres of the mesh's own frame"
        elif not len(middle):
            said = "it is positive nowhere at all; check the signs of its matrix"
        else:
            point = ", ".join(f"{c + 0.0:.4g}" for c in middle.tolist())
            said = (f"it is positive about ({point}) m alone, off its surface; move it there, in metres of the mesh's own "
                    "frame, or make it wider")
        found.append(f"{who(thing)}: quadric {k} of its mesh makes no relief, since {said}")
    return found


def _of_numbers(thing: Thing, soft: dict[str, Soft]) -> list[str]:
    places = {Attachment: ("a", "b"), Pin: ("what",), Load: ("on",)}.get(type(thing), ())
    found = []
    for role in places:
        name = getattr(thing, role)
        owner, words = soft_and_words(name) or ("", "")
        if owner in soft and soft[owner].rearranged(words):
            found.append(f"{who(thing)}: {role} is '{spoken(name)}', but the vertices of {who(soft[owner])} lie otherwise than "
                         "when these were chosen; choose them again by thing.vertices, and by a box if they are to go with the "
                         "mesh")
    return found
