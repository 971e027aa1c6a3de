"""When the next step is due: simulated time follows the wall clock, never ahead of it."""

from collections import deque
from dataclasses import dataclass, field

LARGEST_LAG = 0.05
"""[s]; a world that falls further behind goes on from where it is instead of catching up in a burst."""
WINDOW = 1.0
"""[s] of wall time over which the factor of real time is taken."""


@dataclass
class Pace:
    """Holds simulated time to `speed` times the wall clock; all times in seconds, the clock's reading is passed in."""

    speed: float = 1.0
    """Simulated seconds for a second of wall time [-]; 1 is real time."""
    given: float = 0.0
    """Simulated time [s] that the clock had room for so far: pauses do not count, nor what slow motion leaves out."""
    _wall: float = 0.0
    _time: float = 0.0
    _counted: float = 0.0
    _trail: deque = field(default_factory=deque)

    def start(self, wall: float, time: float) -> None:
        """Begin, or begin again after a pause, a reset or a change of speed."""
        self._wall, self._time, self._counted = wall, time, wall
        self._trail.clear()
        self._trail.append((wall, time))

    def wait(self, wall: float, time: float, dt: float) -> float:
        """Seconds of wall time until the step that ends at `time + dt` may be taken; zero: now."""
        due = self._wall + (time + dt - self._time) / self.speed
        if wall - due > LARGEST_LAG:
            self._wall, self._time = wall, time + dt
            return 0.0
        return max(0.0, due - wall)

    def stepped(self, wall: float, time: float) -> None:
        """Take note of a finished step."""
        self.given += self.speed * (wall - self._counted)
        self._counted = wall
        self._trail.append((wall, time))
        while len(self._trail) > 2 and wall - self._trail[0][0] > WINDOW:
            self._trail.popleft()

    @property
    def factor(self) -> float:
        """Simulated over wall time in the last second [-]; 0 before two steps."""
        (wall_0, time_0), (wall_1, time_1) = self._trail[0], self._trail[-1]
        return (time_1 - time_0) / (wall_1 - wall_0) if wall_1 > wall_0 else 0.0
