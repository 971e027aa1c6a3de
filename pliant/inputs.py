"""What a world takes in before a step: controls, motions, loads, wind."""

from typing import TYPE_CHECKING

from .pushes import apply_load

if TYPE_CHECKING:
    from .world import World


def take_inputs(world: "World") -> None:
    """Controls, motions and loads for the coming step. Writes: state of drives, of driven bodies and of pushes"""
    engine, state = world._engine, world._engine.state
    if len(state.drives.target):
        world._signals.tell(state.clock.control, state.drives.target)
    for driver in world._drivers:
        driver.drive(state.motion, state.history.given, world.time, world.dt)
    for place, load in world._loads:
        apply_load(world, place, load)
    if world._winds and engine.soft is not None:
        air = sum(world.control.heard(wind.scale) * wind.at(world.time) for wind in world._winds)
        engine.soft.wind = tuple(air.tolist())
