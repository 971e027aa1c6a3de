"""Names that are planned and not there yet, so that whoever tries one is told so, and not of another that looks alike."""

NOUNS = ("Winch", "Pulley", "Eyelet")
"""Of the package, and types in scene files."""
SCENES = ("capstan", "crane", "harness", "knot", "lay", "pile", "winch")
"""Built-in scenes."""
COMMANDS = ("replay", "export", "sweep")
OPTIONS = ("--record",)
"""Of the command line."""
READINGS = {"World": ("record", "cut"), "DirectRopeHandle": ("pieces",), "PointRopeHandle": ("pieces",)}
"""By the class that will have them."""


def late(word, planned: tuple[str, ...]) -> str:
    """What to say of a word that is planned, else nothing."""
    return f"'{word}' is not there yet; README.md lists what works." if isinstance(word, str) and word in planned else ""
