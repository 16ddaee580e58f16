"""Where the tests find the repository's fixtures and the program `convoy`."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--replay", type=int, default=30, help="how many random games of the core are replayed in the plain API")


def resident() -> int:
    """The memory of this process in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


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
