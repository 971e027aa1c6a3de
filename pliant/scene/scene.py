"""A scene is a list of named things."""

from collections.abc import Iterable, Iterator

from .attachment import Attachment, Pin
from .body import SHAPES, Body, Site
from .control import Control
from .errors import SceneError, fail, number, shown, unknown_name, vector
from .motion import Motion
from .places import check_hold
from .pose import Pose
from .shape import Placed
from .thing import WORLD, Thing, Vector, name_of, reference
from .vertex_words import spoken


class Scene:
    """Things by name, in the order they were added: `scene[name]`, `name in scene`, `for thing in scene`."""

    gravity: Vector
    """[m/s2], world frame."""
    drag: float
    """[1/s] on all momenta, for settling."""
    about: str
    """What the scene shows, in a line; files keep it."""

    def __init__(self, gravity: Vector = (0.0, 0.0, -9.81), drag: float = 0.0, about: str = "") -> None:
        self.gravity, self.drag, self.about = gravity, drag, about
        self._things: dict[str, Thing] = {}

    def __setattr__(self, name: str, value) -> None:
        """Only what a scene has, and only what it can be."""
        if name == "gravity":
            value = vector(self, name, value)
        elif name == "drag":
            value = number(self, name, value, "1/s", least=0.0)
        elif name == "about":
            if not isinstance(value, str) or not value.replace("\n", " ").isprintable():
                raise fail(self, f"about is {shown(value)}; it must be a line of text.")
        elif name != "_things":
            raise fail(self, f"it has no field '{name}'; it has {', '.join(Scene.__annotations__)}.")
        super().__setattr__(name, value)

    def copy(self) -> "Scene":
        """The same things in a list of its own."""
        other = Scene(self.gravity, self.drag, self.about)
        other._things = dict(self._things)
        return other

    def add(self, thing):
        """Add anything and return it. Two robots may bring the same control: one knob then turns both."""
        if not isinstance(thing, Thing):
            raise no_thing(thing)
        taken = {**self._things, **{t.name: t for t in self.flat()}}
        for one in (thing, *parts_of(thing)):
            if one.name in taken:
                _check_shared(taken[one.name], one)
        if isinstance(thing, Site):
            _check_site(thing, self._things)
        self._things[thing.name] = thing
        return thing

    def replace(self, thing):
        """Put a thing in the place of the one of its name, and return it: scene.replace(scene["cart"].replace(mass=60))."""
        if not isinstance(thing, Thing) or thing.name not in self._things:
            raise unknown_name(self, "the thing to replace", name_of(thing), self._things)
        rest = self.copy()
        del rest._things[thing.name]
        rest.add(thing)  # refuses what would not fit
        self._things[thing.name] = thing
        return thing

    def remove(self, thing) -> None:
        """Take a thing out; what names it must go too, or the world will not be built."""
        name = reference(self, "the thing to remove", thing)
        if name not in self._things:
            raise unknown_name(self, "the thing to remove", name, self._things)
        del self._things[name]

    def attach(self, a, b, at: Vector | None = None, clamp: bool = False, name: str | None = None) -> Attachment:
        """Hold `a`, a body, a place on a rope or vertices, to `b` by a ball, with `clamp` also its direction and twist.

        Both must be in the scene; its name is "a-b" if not given, and `world[name].force` what it bears.
        `at` [m] is a point in b's own frame; None: where they are.
        """
        a, b = reference(self, "a", a), reference(self, "b", b)
        hold = Attachment(name or f"{spoken(a)}-{spoken(b)}", a, b, at, clamp)
        check_hold(hold, self)
        return self.add(hold)

    def pin(self, what, position: Vector | None = None, clamp: bool = False, motion: Motion | None = None,
            slide: Vector | None = None, name: str | None = None) -> Pin:
        """Hold a body, a place on a rope or vertices at `position` [m], world frame, None: where it is; still, or driven by
        `motion`.

        `slide` is an axis along which the pin leaves the end of a rope free, world frame when the scene starts; it turns with
        the rotations of `motion`.
        """
        what = reference(self, "what", what)
        hold = Pin(name or f"{spoken(what)}-pin", what, position, clamp, motion, slide)
        check_hold(hold, self)
        return self.add(hold)

    def pose_of(self, name: str) -> Pose:
        """Where a body or a site stands at the start, world frame."""
        name = reference(self, "the thing asked for", name)
        if name == WORLD:
            return Pose()
        thing = self[name]
        if isinstance(thing, Site):
            return self.pose_of(thing.body).then(Pose(thing.position, thing.quaternion))
        if isinstance(thing, Body):
            return Pose(thing.position, thing.quaternion)
        raise fail(thing, "it has no place of its own; name a body or a site.")

    def flat(self) -> Iterator[Thing]:
        """All things, robots taken apart into theirs; a control that several robots share comes once."""
        shared = set()
        for thing in self._things.values():
            for one in parts_of(thing):
                if one.name not in shared:
                    yield one
                if isinstance(one, Control):
                    shared.add(one.name)

    def __iter__(self) -> Iterator[Thing]:
        return iter(self._things.values())

    def __len__(self) -> int:
        return len(self._things)

    def __contains__(self, name: object) -> bool:
        name = name_of(name)
        return isinstance(name, str) and (name in self._things or any(t.name == name for t in self.flat()))

    def __getitem__(self, name: str | Thing) -> Thing:
        name = reference(self, "the thing asked for", name)
        if name in self._things:
            return self._things[name]
        for thing in self.flat():
            if thing.name == name:
                return thing
        raise unknown_name(self, "the thing asked for", name, [t.name for t in self.flat()])

    def __repr__(self) -> str:
        names = ", ".join(list(self._things)[:6]) + (" …" if len(self._things) > 6 else "")
        return f"<Scene of {len(self._things)} things{': ' if names else ''}{names}>"

    def to_file(self, path) -> None:
        """Write the scene as YAML (arrays in an NPZ beside it); `pl.load` gives the same scene back."""
        from .files.scene_file import write_scene

        write_scene(self, path)


def _check_shared(there: Thing, new: Thing) -> None:
    """Refuse a name that is taken, unless both are the same control."""
    if not (isinstance(there, Control) and isinstance(new, Control)):
        raise SceneError(f"The name '{new.name}' is already taken; names in a scene must differ; scene.replace puts a thing in "
                         "its place.")
    for field in there.__struct_fields__:
        one, other = getattr(there, field), getattr(new, field)
        if one != other:
            raise fail(new, f"it is in the scene already with {field} {one!r}, not {other!r}; "
                            "controls of one name are shared, so they must be the same.")


def no_thing(given) -> SceneError:
    """The error about what a scene cannot hold; in a list, about the first item that is no thing."""
    where = "what was given to add"
    if isinstance(given, (list, tuple)):
        wrong = [k for k, one in enumerate(given) if not isinstance(one, Thing)]
        if not wrong:
            return SceneError(f"Scene: add takes one thing and was given a list of {len(given)}; write: for thing in things: "
                              "scene.add(thing).")
        where, given = f"item {wrong[0]} of the list", given[wrong[0]]
    kind = given.__name__ if isinstance(given, type) else type(given).__name__
    if isinstance(given, (*SHAPES, Placed)):
        remedy = f'a shape has no name and no mass; make a body of it: scene.add(pl.Body("name", pl.{kind}(…), mass=1.0)).'
    elif isinstance(given, type) and issubclass(given, Thing):
        remedy = f"that is a kind of thing; make one: scene.add(pl.{kind}(…))."
    else:
        remedy = "that is not something a scene can hold; add a Body, a Joint, a Spring, …"
    return SceneError(f"Scene: {where} is {shown(given)}; {remedy}")


def _check_site(site: Site, things: dict[str, Thing]) -> None:
    """Refuse a site that stands, by way of others, on itself."""
    below = things.get(site.body)
    while isinstance(below, Site):
        if below.body == site.name:
            raise fail(site, f"body is '{site.body}', a site that stands on '{site.name}' itself; name a body.")
        below = things.get(below.body)


def parts_of(thing) -> Iterable[Thing]:
    """The things that a thing stands for: a robot's links and joints, else itself."""
    parts = getattr(thing, "parts", None)
    return parts() if parts is not None else (thing,)
