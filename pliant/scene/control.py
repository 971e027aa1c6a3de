"""What an operator turns while the world runs, and what pushes from outside."""

from .errors import fail, number, shown, truth, vector
from .thing import Signal, Thing, Vector, reference, signal


class Control(Thing, frozen=True):
    """A knob of the operator's panel; motors and loads listen to it by name."""

    low: float = -1.0
    """Least value."""
    high: float = 1.0
    """Largest value."""
    value: float = 0.0
    """At the start."""
    unit: str = ""
    """What the value is measured in, for the panel; a word."""
    keys: tuple[str, ...] = ()
    """Two keys that turn it down and up in the viewer, or none; w a s d q e and the arrows move its camera as well."""

    def __post_init__(self) -> None:
        self._check_name()
        low, high = number(self, "low", self.low), number(self, "high", self.high)
        if low >= high:
            raise fail(self, f"low is {low:g} and high is {high:g}; low must be below high.")
        keys = tuple(self.keys) if isinstance(self.keys, (list, tuple)) else None
        if keys is None or len(keys) not in (0, 2) or not all(isinstance(key, str) and key for key in keys):
            raise fail(self, f'keys is {shown(self.keys)}; it must be two keys, down and up, like ("a", "d").')
        if not isinstance(self.unit, str):
            raise fail(self, f"unit is {shown(self.unit)}; it must be a word.")
        self._set(low=low, high=high, value=number(self, "value", self.value, least=low, most=high), keys=keys)


class Load(Thing, frozen=True):
    """A force and torque on a body, at its centre of mass, at a site, or on a place of a rope; controls may scale it."""

    on: str
    """A body, a site, a place on a rope, or vertices of a soft thing."""
    force: Vector = (0.0, 0.0, 0.0)
    """[N], world frame; body's frame if follow, of a place on a rope d1, d2, d3 of its element there."""
    torque: Vector = (0.0, 0.0, 0.0)
    """[N m], likewise."""
    follow: bool = False
    """Whether force and torque turn with the body."""
    scale: Signal = 1.0
    """What multiplies both: a number, a control's name, or weights of controls [-]."""

    def __post_init__(self) -> None:
        self._check_name()
        self._set(on=reference(self, "on", self.on), force=vector(self, "force", self.force),
                  torque=vector(self, "torque", self.torque), follow=truth(self, "follow", self.follow),
                  scale=signal(self, "scale", self.scale))
