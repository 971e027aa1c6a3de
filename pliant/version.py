"""The version of the installed package."""


def version() -> str:
    """As in the metadata of the package."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("pliant")
    except PackageNotFoundError:
        return "(not installed)"
