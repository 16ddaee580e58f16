"""Where the tests find the repository's fixtures and the program `convoy`."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def crates() -> Path:
    """The Rust crates, whose fixtures are read here too."""
    return ROOT / "crates"


@pytest.fixture
def convoy() -> str:
    """The built program, named by the environment."""
    path = os.environ.get("CONVOY_BINARY")
    assert path, "set CONVOY_BINARY to the built program `convoy`"
    return path
