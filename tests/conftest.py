"""What all tests share: the browser, which may be missing on a desk but not in continuous integration."""

import os
import shutil

import pytest


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the system's Chromium; without it the test is skipped, or fails where PLIANT_CI is set."""
    path = next(
        (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
    )
    if path is None:
        reason = "no Chromium on this machine; .ci/run installs it"
        if os.environ.get("PLIANT_CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path
