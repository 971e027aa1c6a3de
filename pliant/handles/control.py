"""The operator's controls of a running world."""

from collections.abc import Iterator, MutableMapping

from ..scene.errors import UnknownKey, fail, number, unknown_control


class Controls(MutableMapping):
    """Values by name, as of a dictionary: `world.control["throttle"] = 0.5`. Setting one is checked against its range."""

    def __init__(self, controls: dict, engine) -> None:
        self.things = controls
        self._engine = engine
        self._names = list(controls)

    def _number(self, name: str) -> int:
        if not isinstance(name, str) or name not in self.things:
            raise UnknownKey(str(unknown_control(self, "the control asked for", name, self._names)))
        return self._names.index(name)

    def __getitem__(self, name: str) -> float:
        return float(self._engine.state.clock.control[self._number(name)])

    def __setitem__(self, name: str, value: float) -> None:
        k, thing = self._number(name), self.things[name]
        value = number(thing, "value", value, thing.unit, least=thing.low, most=thing.high)
        self._engine.state.clock.control[k] = value

    def heard(self, signal) -> float:
        """What a signal says now: a number, a control's value, or a weighted sum of values."""
        if isinstance(signal, dict):
            return sum(weight * self[name] for name, weight in signal.items())
        return self[signal] if isinstance(signal, str) else signal

    def __delitem__(self, name: str) -> None:
        self._number(name)
        raise fail(self.things[name], "a control of a running world cannot be removed; set it to 0 instead.")

    def __repr__(self) -> str:
        return "{" + ", ".join(f"'{name}': {self[name]:g}{_unit(thing)}" for name, thing in self.things.items()) + "}"

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _unit(thing) -> str:
    return f" {thing.unit}" if thing.unit else ""
