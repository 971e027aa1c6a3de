"""What holds things to each other and to the world: attachments and pins."""

from .errors import direction, fail, shown, vector
from .motion import Motion, motion_of
from .thing import Thing, Vector, reference


class Attachment(Thing, frozen=True):
    """Holds `a` to `b` by a ball; with `clamp` also its direction and twist."""

    a: str
    """A body, a site, a place on a rope, or vertices of a soft thing."""
    b: str
    """Likewise; or the world."""
    at: Vector | None = None
    """[m], b's own frame; None: where they are."""
    clamp: bool = False
    """Whether it holds direction and twist too."""

    def __post_init__(self) -> None:
        self._check_name()
        self._set(a=reference(self, "a", self.a), b=reference(self, "b", self.b))
        if self.a == self.b:
            raise fail(self, f"both ends are '{self.a}'; an attachment needs two places.")
        if self.at is not None:
            self._set(at=vector(self, "at", self.at))
        if not isinstance(self.clamp, bool):
            raise fail(self, f"clamp is {shown(self.clamp)}; it must be True or False.")


class Pin(Thing, frozen=True):
    """Holds something to the world by a ball, with `clamp` also its direction and twist; still, or moved."""

    what: str
    """A body, a site, a place on a rope, or vertices of a soft thing."""
    position: Vector | None = None
    """[m], world frame; None: where it is."""
    clamp: bool = False
    """Whether it holds direction and twist too."""
    motion: Motion | None = None
    """Moves the pin; None: it stays."""
    slide: Vector | None = None
    """Axis along which the pin leaves it free, world frame when the scene starts; it turns with `motion`."""

    def __post_init__(self) -> None:
        self._check_name()
        self._set(what=reference(self, "what", self.what))
        if self.position is not None:
            self._set(position=vector(self, "position", self.position))
        if not isinstance(self.clamp, bool):
            raise fail(self, f"clamp is {shown(self.clamp)}; it must be True or False.")
        self._set(motion=motion_of(self, self.motion))
        if self.slide is not None:
            self._set(slide=direction(self, "slide", self.slide))
