"""The command line: words in, one sentence and an exit code out; a command's modules are imported when it is called."""

import argparse
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from typing import NoReturn

from ..not_yet import COMMANDS as COMMANDS_TO_COME
from ..not_yet import OPTIONS, late
from ..version import version
from .terminated import Terminated, heard

COMMANDS = {
    "run": ("run", "simulate a scene, live in the browser or headless"),
    "view": ("run", "open a scene in the browser"),
    "check": ("check", "load and build a scene and say whether it is sound"),
    "scenes": ("scenes", "list the built-in scenes"),
    "warm": ("warm", "compile every kernel ahead"),
    "bench": ("bench", "run a benchmark"),
}
"""Command: the module that runs it by a function `command_<name>(options) -> exit code`, and its one line of help."""

DEFAULT_SCENE = "tow"


class Parser(argparse.ArgumentParser):
    """A parser whose complaint is one sentence and exit code 2."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the words given, and end."""
        self.exit(2, f"{self.prog}: {message.rstrip('.')}. See `{self.prog} --help`.\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code: 0 done, 1 the simulation failed, 2 the words or the scene are wrong."""
    try:
        try:
            with plain_warnings():
                return answered(list(sys.argv[1:] if argv is None else argv))
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()  # here, where it can still be told that it fails
    except BrokenPipeError:  # the reader of a pipe went away (`pliant scenes | head`): nothing is left to say it to
        hush()
        return 0
    except OSError as error:
        hush()
        return say(error, 2)


@contextmanager
def plain_warnings() -> Iterator[None]:
    """While a command runs a warning is one line, without the line of code that gave it."""
    before = warnings.formatwarning
    warnings.formatwarning = lambda message, *_, **__: f"pliant: {message}\n"
    try:
        yield
    finally:
        warnings.formatwarning = before


def hush() -> None:
    """Lead the standard output, which cannot be written, to nowhere: what is left for it would fail again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def answered(words: list[str]) -> int:
    """Make sense of the words and run their command."""
    parser, commands = build_parser()
    if not words:
        parser.print_help()
        return 0
    words, rest = split_benchmark(words)
    complain_about_words(parser, commands, words)
    options = parser.parse_args(words)
    options.rest = rest
    with heard():
        return guarded(options)


def split_benchmark(words: list[str]) -> tuple[list[str], list[str]]:
    """The words for the command line itself, and those that a named benchmark is to make sense of."""
    own = ("--peers", "--help", "-h")
    if words[0] != "bench" or len(words) < 2 or words[1].startswith("-"):
        return words, []
    rest = [word for word in words[2:] if word not in own and word != "--"]
    return [*words[:2], *(word for word in words[2:] if word in own)], rest


def guarded(options: argparse.Namespace) -> int:
    """Run the command and turn what a user can mend into a sentence."""
    try:
        module = import_module(f".{COMMANDS[options.command][0]}", __package__)
        return getattr(module, f"command_{options.command}")(options)
    except KeyboardInterrupt as end:
        return 143 if isinstance(end, Terminated) else 130
    except BrokenPipeError:
        raise
    except Exception as error:
        from ..scene.errors import Diverged, SceneError

        if isinstance(error, Diverged):
            return say(error, 1)
        if isinstance(error, (SceneError, OSError)):
            if getattr(options, "json", False):  # whoever reads an object gets one, also of what did not run
                from .summary import as_json

                try:
                    print(as_json({"scene": options.scene, "error": sentence(error)}), flush=True)
                except OSError:
                    hush()
            return say(error, 2)
        raise


def say(error: object, code: int) -> int:
    """Print one sentence and return the exit code."""
    print(f"pliant: {sentence(error)}", file=sys.stderr)
    return code


def sentence(error: object) -> str:
    """What an error says, on one line; the system's own errors in our words."""
    if isinstance(error, OSError) and error.strerror:
        what = "The output" if error.filename is None else f"'{error.filename}'"
        return f"{what} cannot be used: {error.strerror}; check its place, its permissions and the room there."
    return " ".join(str(error).split())


def complain_about_words(parser: Parser, commands: dict[str, Parser], words: list[str]) -> None:
    """Meet a mistyped command or option with the nearest right one."""
    first = words[0]
    if not first.startswith("-") and first not in commands:
        near = get_close_matches(first, commands, n=1)
        hint = f"the nearest is `{near[0]}`" if near else f"the commands are {', '.join(commands)}"
        parser.error(late(first, COMMANDS_TO_COME) or f"'{first}' is not a command; {hint}")
    if first not in commands:
        own = [option for action in parser._actions for option in action.option_strings]
        if first not in own:
            parser.error(f"'{first}' is not an option; the options are {', '.join(own)}, and a command comes first")
        return
    known = [option for action in commands[first]._actions for option in action.option_strings]
    for word in words[1:]:
        option = word.split("=")[0]
        if option == "--":
            return
        if option.startswith("--") and option not in known:
            elsewhere = [name for name, one in commands.items() if option in one._option_string_actions]
            near = get_close_matches(option, known, n=1)
            hint = (f"`pliant {elsewhere[0]}` has it" if elsewhere else f"the nearest is `{near[0]}`" if near else
                    f"the options are {', '.join(known)}")
            commands[first].error(late(option, OPTIONS) or f"'{option}' is not an option; {hint}")


def build_parser() -> tuple[Parser, dict[str, Parser]]:
    """The parser of all commands, and each command's own."""
    about = "Real-time physics of bodies, joints, springs, ropes, cloth and solids."
    parser = Parser(prog="pliant", description=about, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"pliant {version()}")
    sub = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    commands = {
        name: sub.add_parser(name, help=text, description=text, allow_abbrev=False)
        for name, (_, text) in COMMANDS.items()
    }
    for name in ("run", "view", "check"):
        add_scene(commands[name])
    for name in ("run", "view"):
        add_running(commands[name])
    add_run(commands["run"])
    commands["check"].add_argument("--json", action="store_true", help="print what was found as one JSON object")
    commands["warm"].add_argument(
        "--processes", type=natural, default=None, metavar="N", help="how many at a time (default: all cores, at most 4)"
    )
    commands["bench"].add_argument("name", metavar="NAME", nargs="?", help="which; without it the list")
    commands["bench"].add_argument(
        "--peers", action="store_true", help="compare with other engines (after `make peers`)"
    )
    commands["bench"].epilog = "Other words are handed on to the benchmark."
    return parser, commands


def add_scene(parser: Parser) -> None:
    """The scene and how it is built."""
    parser.add_argument(
        "scene",
        metavar="SCENE",
        nargs="?",
        default=DEFAULT_SCENE,
        help=f"name of a built-in scene or path of a file (default {DEFAULT_SCENE})",
    )
    parser.add_argument("--dt", type=positive, default=1.0 / 60.0, metavar="S", help="time step [s] (default 1/60)")
    parser.add_argument("--substeps", type=natural, default=None, metavar="N", help="parts of a step (default: chosen)")
    parser.add_argument("--threads", type=natural, default=None, metavar="N", help="threads (default: all cores)")


def add_running(parser: Parser) -> None:
    """What concerns the live view, and the controls."""
    parser.add_argument(
        "--set",
        dest="controls",
        action="append",
        default=[],
        type=assignment,
        metavar="CONTROL=VALUE",
        help="turn a control before the start; may be repeated",
    )
    parser.add_argument("--port", type=port, default=8080, metavar="N", help="of the live view (default 8080)")
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS",
                        help="that the live view is served on (default 127.0.0.1: to this machine only; 0.0.0.0: to all)")
    parser.add_argument("--no-open", action="store_true", help="do not open the browser")


def add_run(parser: Parser) -> None:
    """What only `run` has."""
    parser.add_argument(
        "--seconds",
        type=positive,
        default=None,
        metavar="S",
        help="simulated time [s]; without it the live view goes on until Ctrl-C, headless runs 10 s",
    )
    parser.add_argument("--headless", action="store_true", help="no live view; as fast as it goes")
    parser.add_argument("--realtime", action="store_true", help="headless, but no faster than the clock")
    parser.add_argument("--json", action="store_true", help="print the summary as one JSON object")


def positive(text: str) -> float:
    """A number above zero, also a fraction like 1/60."""
    try:
        above, _, below = text.partition("/")
        value = float(above) / float(below or 1.0)
    except (ValueError, ZeroDivisionError):
        value = 0.0
    if not 0.0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive number")
    return value


def natural(text: str) -> int:
    """A whole number from 1 on."""
    if not text.isdecimal() or int(text[:20]) < 1:  # of thousands of digits no number can be made
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1 on")
    return int(text[:20])


def port(text: str) -> int:
    """A number that a page can be served on."""
    if not text.isdecimal() or not 1 <= int(text[:6]) <= 65535:
        raise argparse.ArgumentTypeError(f"'{text}' is not a port; those go from 1 to 65535")
    return int(text)


def assignment(text: str) -> tuple[str, float]:
    """A pair control=value."""
    name, equals, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        form = "its value is not a number" if equals else "write control=value"
        raise argparse.ArgumentTypeError(f"'{text}': {form}") from None
