"""Materials: density and elasticity, given or by name."""

from ..equations.rod.section_stiffness import section_stiffness
from .errors import SceneError, fail, nearest, number, shown, vector
from .thing import Part

STIFFEST = 1e15
"""[Pa]; a thousand times diamond. Beyond it stiffness drowns masses in the factors of implicit steps."""


class Material(Part, frozen=True):
    """An isotropic material; give shear or poisson."""

    density: float
    """[kg/m3]"""
    young: float
    """Young's modulus E [Pa]."""
    shear: float | None = None
    """Shear modulus G [Pa]; from young and poisson if not given."""
    poisson: float | None = None
    """Poisson's ratio [-]; 0.3 if neither is given."""
    strain: tuple[float, float] | None = None
    """For cloth and solids: the range (low, high) of stretches [-] within which it does not resist, areas and volumes likewise
    from low to the power of 2 or 3; none if not given."""

    def __post_init__(self) -> None:
        if self.shear is not None and self.poisson is not None:
            raise fail(self, "shear and poisson are both given; give one of them.")
        self._set(density=number(self, "density", self.density, "kg/m3", above=0.0, most=1e30),
                  young=number(self, "young", self.young, "Pa", above=0.0, most=STIFFEST))
        if self.shear is not None:
            self._set(shear=number(self, "shear", self.shear, "Pa", above=0.0, most=STIFFEST))
        if self.poisson is not None:
            self._set(poisson=number(self, "poisson", self.poisson, most=0.5))
            if self.poisson <= -1.0:
                raise fail(self, f"poisson is {self.poisson:g}; it must be above -1 and at most 0.5, for cloth and solids from "
                                 "0 to below 0.5.")
        if self.strain is not None:
            self._set(strain=stretches(self, "strain", self.strain))

    @staticmethod
    def preset(name: str) -> "Material":
        """The preset of that name, to read its numbers, or to change some of them by `.replace(young=...)`."""
        if isinstance(name, str) and name in MATERIALS:
            return MATERIALS[name]
        raise SceneError(f"Material: there is no preset {shown(name)}. {nearest(name, MATERIALS)}")

    @property
    def shear_modulus(self) -> float:
        """G [Pa]"""
        if self.shear is not None:
            return self.shear
        return self.young / (2.0 * (1.0 + self.poisson_ratio))

    @property
    def poisson_ratio(self) -> float:
        """[-]; what follows from a given shear modulus may lie beyond what an isotropic solid can have."""
        if self.shear is not None:
            return self.young / (2.0 * self.shear) - 1.0
        return 0.3 if self.poisson is None else self.poisson


def stretches(thing, field: str, value) -> tuple[float, float]:
    """A range (low, high) of stretches or ratios [-] around 1, or an error."""
    low, high = vector(thing, field, value, 2)
    if not 0.0 < low <= 1.0 <= high:
        raise fail(thing, f"{field} is {low, high}; a range runs from a number above 0 and at most 1 to one of at least 1.")
    return low, high


MATERIALS = {
    "steel": Material(7850.0, 200e9, poisson=0.3),
    "steel rope": Material(5000.0, 60e9, poisson=0.3),
    "copper cable": Material(6000.0, 20e9, poisson=0.34),
    "aluminium": Material(2700.0, 69e9, poisson=0.33),
    "nylon rope": Material(1140.0, 1.5e9, poisson=0.4),
    "polyester rope": Material(1380.0, 5e9, poisson=0.4),
    "hemp rope": Material(1200.0, 0.5e9, poisson=0.3),
    "rubber": Material(1100.0, 5e6, poisson=0.48),
    "silicone": Material(1150.0, 1e6, poisson=0.48),
    "jelly": Material(1000.0, 2e4, poisson=0.45),
    "near-incompressible": Material(1000.0, 1e5, poisson=0.499),
    "cotton": Material(1540.0, 5e6, poisson=0.3),
    "strain-limited": Material(1000.0, 5e6, poisson=0.3, strain=(0.9, 1.1)),
}
"""By name. Ropes and fabrics count as solid rods and sheets: their density and stiffness are those of the whole section.

"strain-limited" gives way freely by a tenth, then resists: slack skin, knitted cloth. "near-incompressible" keeps its volume.
"""


def material_of(thing, value) -> Material:
    """A material, or the one of that name."""
    if isinstance(value, Material):
        return value
    if isinstance(value, str) and value in MATERIALS:
        return MATERIALS[value]
    raise fail(thing, f"material is {shown(value)}; it must be a Material or a preset's name. {nearest(value, MATERIALS)}")


def paper_a_stiffness(material, radius: float, power: int = 4) -> tuple[float, float]:
    """(bend, twist) [N m2] of a rope of `radius` [m] of a Material or a preset's name; `power` = 2: as paper A prints it."""
    if isinstance(power, bool) or not isinstance(power, (int, float)) or power not in (2, 4):
        raise SceneError(f"paper_a_stiffness: power is {shown(power)}; it must be 4, or 2 as paper A prints it.")
    if not isinstance(material, Material) and not (isinstance(material, str) and material in MATERIALS):
        raise SceneError(f"paper_a_stiffness: material is {shown(material)}; it must be a Material or one of "
                         f"{', '.join(MATERIALS)}.")
    one = material_of(None, material)
    section = section_stiffness(one.young, one.shear_modulus, number(one, "radius", radius, "m", above=0.0), power)
    return section.bend, section.twist
