"""Motors that drive one coordinate of a joint."""

from .errors import number
from .thing import Part, Signal, signal


class VelocityMotor(Part, frozen=True):
    """Holds a speed as far as its effort goes."""

    target: Signal
    """Speed to hold [rad/s or m/s]: a number, a control's name, or weights of controls."""
    max_effort: float
    """Largest effort [N m or N]."""

    def __post_init__(self) -> None:
        self._set(target=signal(self, "target", self.target),
                  max_effort=number(self, "max_effort", self.max_effort, "N m or N", least=0.0, infinite=True))


class PositionMotor(Part, frozen=True):
    """A spring and damper towards a target, as far as its effort goes."""

    target: Signal
    """Coordinate to go to [rad or m]: a number, a control's name, or weights of controls."""
    stiffness: float
    """[N m/rad or N/m]"""
    damping: float
    """[N m s/rad or N s/m]"""
    max_effort: float = float("inf")
    """Largest effort [N m or N]."""

    def __post_init__(self) -> None:
        self._set(target=signal(self, "target", self.target),
                  stiffness=number(self, "stiffness", self.stiffness, least=0.0),
                  damping=number(self, "damping", self.damping, least=0.0),
                  max_effort=number(self, "max_effort", self.max_effort, least=0.0, infinite=True))


class DCMotor(Part, frozen=True):
    """An electric motor behind a gear: its torque at the joint, gear k_t (U - k_e gear rate) / R and no more than max_effort,
    turns what hangs on the joint and its own rotor."""

    voltage: Signal
    """[V], limited to max_voltage: a number, a control's name, or weights of controls."""
    k_t: float
    """Torque constant [N m/A]."""
    k_e: float
    """Back-EMF constant [V s/rad]."""
    resistance: float
    """Of the winding [Ohm]."""
    max_voltage: float
    """Of the supply [V], either way."""
    gear: float = 1.0
    """Turns of the motor for one of the joint [-]."""
    inertia: float = 0.0
    """Of the rotor [kg m2]; gear² times as much at the joint, which the motor's torque has to accelerate too."""
    max_effort: float = float("inf")
    """Largest torque at the joint [N m], gear k_t i, as a limit of the current i sets it; the rotor takes its part of it."""

    def __post_init__(self) -> None:
        self._set(voltage=signal(self, "voltage", self.voltage), k_t=number(self, "k_t", self.k_t, "N m/A", above=0.0),
                  k_e=number(self, "k_e", self.k_e, "V s/rad", least=0.0),
                  resistance=number(self, "resistance", self.resistance, "Ohm", above=0.0),
                  max_voltage=number(self, "max_voltage", self.max_voltage, "V", least=0.0),
                  gear=number(self, "gear", self.gear, above=0.0, most=1e30),
                  inertia=number(self, "inertia", self.inertia, "kg m2", least=0.0),
                  max_effort=number(self, "max_effort", self.max_effort, "N m", least=0.0, infinite=True))


Motor = VelocityMotor | PositionMotor | DCMotor
