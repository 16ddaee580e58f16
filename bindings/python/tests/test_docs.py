"""Docstrings, the guide, the stubs and the notebook say what is true."""

import ast
import doctest
import importlib
import inspect
import json
import re
import sys
from pathlib import Path

import convoy_games
import pytest
from convoy_games import _native

PACKAGE = Path(convoy_games.__file__).parent
ROOT = Path(__file__).resolve().parents[3]
PYTHON = ROOT / "bindings" / "python"
MODULES = ["_query", "cotulenh", "tractor", "stack", "engine", "vector", "svg", "envs.cotulenh_v0", "envs.tractor_v0", "envs.single"]


def run_doctest(text: str, name: str) -> None:
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0, name


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_of_the_modules(name):
    module = importlib.import_module(f"convoy_games.{name}")
    result = doctest.testmod(module, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert result.failed == 0 and result.attempted > 0


def native_docstrings():
    for name, value in vars(_native).items():
        text = getattr(value, "__doc__", None)
        if not name.startswith("_") and callable(value) and text and ">>>" in text:
            yield pytest.param(name, inspect.cleandoc(text), id=name)


@pytest.mark.parametrize(("name", "text"), list(native_docstrings()))
def test_native_docstrings(name, text):
    run_doctest(text, name)


def test_every_native_name_has_a_docstring_and_a_stub():
    stubs = ast.parse((PACKAGE / "_native.pyi").read_text(encoding="utf-8"))
    names = {}
    for node in stubs.body:
        if isinstance(node, ast.ClassDef):
            names[node.name] = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            names[node.name] = None
        elif isinstance(node, ast.AnnAssign):
            names[node.target.id] = None
    public = {name for name in vars(_native) if not name.startswith("_")}
    assert public == set(names), "the stub and the module differ"
    for name, members in names.items():
        value = getattr(_native, name)
        if not inspect.isclass(value) or issubclass(value, Exception):
            continue
        assert value.__doc__, name
        real = {member for member in vars(value) if not member.startswith("_") and not member.isupper()}
        assert real == {member for member in members if not member.startswith("_")}, name


def snippets(path: Path):
    text = path.read_text(encoding="utf-8")
    return [(match.start(), match[1]) for match in re.finditer(r"```python\n(.*?)```", text, re.DOTALL)]


def snippet_cases():
    for path in [ROOT / "docs" / "python.md", PYTHON / "README.md"]:
        for place, code in snippets(path):
            line = path.read_text(encoding="utf-8")[:place].count("\n") + 1
            if "pyspiel" in code and importlib.util.find_spec("pyspiel") is None:
                continue  # tests/test_openspiel.py is left out then too, and the test command says so
            yield pytest.param(code, id=f"{path.name}:{line}")


@pytest.mark.parametrize("code", list(snippet_cases()))
def test_snippets_run(code, capsys):
    exec(compile(code, "snippet", "exec"), {"__name__": "snippet"})


def test_the_tour_is_as_its_notebook_says():
    """Rendering the notebook again gives the committed page."""
    sys.path.insert(0, str(PYTHON / "examples"))
    try:
        render = importlib.import_module("render_tour")
    finally:
        sys.path.pop(0)
    notebook = json.loads((PYTHON / "examples" / "tour.ipynb").read_text(encoding="utf-8"))
    page, executed = render.render(notebook)
    assert (ROOT / "docs" / "python-tour.md").read_text(encoding="utf-8") == page, "run examples/render_tour.py"
    assert notebook == executed, "run examples/render_tour.py"
    for name, svg in render.PICTURES.items():
        assert (ROOT / "docs" / "pictures" / name).read_text(encoding="utf-8") == svg + "\n", "run examples/render_tour.py"
    assert len(render.PICTURES) > 2


def test_the_smoke_learner_learns():
    sys.path.insert(0, str(PYTHON / "examples"))
    try:
        smoke = importlib.import_module("smoke_numpy")
    finally:
        sys.path.pop(0)
    before, after = smoke.main(1500, 600)
    assert after > before + 5
