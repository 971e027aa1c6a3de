"""Says of cloth that it has passed through itself and stays so, with time, place and remedy."""

LASTING = 0.25  # [s] what comes undone sooner, as corners of a flag in the wind do, is not told


class ClothWatch:
    """What contacts of cloth with itself have let through; the same text as long as it is so, also when it is so again."""

    def __init__(self) -> None:
        self._since: dict[int, tuple[float, str]] = {}
        self._said: dict[int, str] = {}

    def __call__(self, world) -> list[str]:
        """Warnings after a step: of cloth that an edge of has led through triangles of it for so long."""
        if world._engine.soft is None:
            return []
        now = {}
        for k, place in world._engine.crossed():
            where = ", ".join(f"{x:.3g}" for x in place.round(4) + 0.0)
            since, text = now[k] = self._since.get(k) or (
                world.time, f"'{world._engine.model.soft[k].name}' has passed through itself at t = {world.time:.6g} s, "
                f"at ({where}) m, and stays so: take finer cells, thicker cloth or smaller steps, or wring it less")
            if world.time - since >= LASTING:
                self._said.setdefault(k, text)
        self._since = now
        return [self._said[k] for k in now if k in self._said]
