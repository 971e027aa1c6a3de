"""The races of the benchmark `ropes`: a case, numbers of points, the cheapest setting of every engine that meets the demand."""

import sys
from statistics import median
from typing import NamedTuple

from .rope_cases import CASES
from .rope_settings import candidates


class Race(NamedTuple):
    """One table."""

    name: str
    case: str
    links: tuple[int, ...]
    """Tried in turn; the fastest that meets the demand counts."""
    any_step: bool = False

    @property
    def demand(self) -> str:
        """In words."""
        points = f"{self.links[0] + 1} points" if len(self.links) == 1 else "any number of points"
        step = ", steps of any length" if self.any_step else ", steps of at most 20 ms" if self.case == "cable" else ""
        return f"{CASES[self.case].demand}; {points}{step}"


def races() -> list[Race]:
    """All of them."""
    return [Race("swing-51", "swing", (50,)), Race("swing-301", "swing", (300,)), Race("swing", "swing", (20, 30)),
            Race("stretchy", "stretchy", (50, 60, 80, 100)), Race("cable-51", "cable", (50,)),
            Race("cable-301", "cable", (300,)), Race("cable", "cable", (35, 50), any_step=True)]


def run_race(race: Race, workers: dict, rounds: int) -> dict:
    """All engines of one race: settings scanned, then the chosen ones timed in turns."""
    rows = []
    for name, worker in workers.items():
        for found in _choose(race, name, worker):
            rows.append({"engine": name, **found})
            print(f"{race.name}: {name}: {found.get('failed') or found['settings']}", file=sys.stderr)
    times: list[list[float]] = [[] for _ in rows]
    for _ in range(rounds):
        for row, kept in zip(rows, times, strict=True):
            if "setting" in row:
                again = workers[row["engine"]].ask("measure", race.case, row["links"], row["setting"])
                kept.append(again.get("real_time", row["real_time"]))
    for row, kept in zip(rows, times, strict=True):
        if kept:
            row["us_a_step"] *= row["real_time"] / median(kept)
            row["real_time"], row["spread"] = median(kept), [min(kept), max(kept)]
    own = next((row for row in rows if row["engine"] == "pliant" and row.get("passes")), None)
    for row in rows:
        if own and "real_time" in row:
            row["pliant_over_this"] = own["real_time"] / row["real_time"]
    return {"name": race.name, "case": race.case, "demand": race.demand, "rows": rows}


def _finer(setting: dict, parts: int) -> dict:
    """The same with a step of one so-manieth."""
    more = {"substeps": parts * setting["substeps"]} if "substeps" in setting else {}
    return {**setting, "step": setting["step"] / parts, **more}


def _judge_finer(race: Race, worker, found: dict) -> None:
    """What meets the demand must meet it at half and a quarter of the step as well: else it did by luck."""
    found["finer"] = []
    for parts in (2, 4):
        finer = worker.ask("measure", race.case, found["links"], _finer(found["setting"], parts))
        found["finer"].append(finer.get("error"))
        found["passes"] = found["passes"] and bool(finer.get("passes"))


def _choose(race: Race, engine: str, worker) -> list[dict]:
    """The engine's best of every way (flex, balls …); two settings in a row that are slower than one that passes end it."""
    best: dict[int, dict] = {}
    for links in race.links:
        for way, settings in enumerate(candidates(engine, race.case, links, race.any_step)):
            slower = 0
            for setting in settings:
                found = worker.ask("measure", race.case, links, setting)
                if "failed" in found:
                    best.setdefault(way, found)
                    continue
                found |= {"setting": setting, "links": links}
                if way not in best or _rank(found) > _rank(best[way]):
                    _judge_finer(race, worker, found)
                if way not in best or _rank(found) > _rank(best[way]):
                    best[way] = found
                slower = slower + 1 if best[way].get("passes") and found["real_time"] < best[way]["real_time"] else 0
                if slower == 2:
                    break
    return list(best.values()) or [{"failed": "cannot do this case, or not in reasonable time"}]


def _rank(found: dict) -> tuple:
    """What passes beats what does not, then the faster, or the more accurate."""
    if "failed" in found:
        return (-1, 0.0)
    return (1, found["real_time"]) if found["passes"] else (0, -found["error"])
