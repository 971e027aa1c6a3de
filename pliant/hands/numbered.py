"""Handles of grips by numbers that saved worlds know, so that those which a user has go on with what is restored."""

from typing import Any, TypeVar
from weakref import WeakValueDictionary

from ..scene.errors import SceneError

One = TypeVar("One", bound=Any)


class Hands:
    """The grips of one world that users still have, let go or not; numbers are given once."""

    def __init__(self) -> None:
        self._known: WeakValueDictionary[int, Any] = WeakValueDictionary()
        self._next = 0

    def know(self, grip: Any, number: int | None = None) -> None:
        """Under this number, or the next that is free."""
        number = self._next if number is None else number
        self._known[number] = grip
        self._next = max(self._next, number + 1)

    def number(self, grip: Any) -> int:
        """The one it is known by."""
        return next(number for number, one in self._known.items() if one is grip)

    def follow(self, grip: One, number: int | None, present: One | None) -> One:
        """The handle that goes on as `grip`, of a file that knows it by `number`: that of this number, if it holds the same
        thing, or the present one that holds the same, or itself."""
        old = self._known.get(-1 if number is None else number)
        if type(old) is not type(grip) or old.name != grip.name:
            old = present
        if old is None:
            self.know(grip, None if number in self._known else number)
            return grip
        old.__dict__ |= grip.__dict__
        return old


def no_more(name: str) -> SceneError:
    """What is said where something is asked of a grip that was let go."""
    return SceneError(f"The grip on '{name}' was let go, or another has taken over, and is no more; world.grips are those that "
                      "hold.")
