"""Runs the cells of `tour.ipynb` in order and writes their results into the notebook and into `docs/python-tour.md`.

    python examples/render_tour.py

Boards appear as SVG, in the notebook and, as files in `docs/pictures`, in the page.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
DOCS = HERE.parents[2] / "docs"
PICTURES: dict[str, str] = {}


def run(code: str, names: dict[str, Any]) -> tuple[str, Any]:
    """Runs a cell as a notebook does: what it prints, and the value of a last expression."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return printed.getvalue(), value


def outputs(printed: str, value: Any, number: int) -> list[dict[str, Any]]:
    """The results of a cell in the notebook's format."""
    results: list[dict[str, Any]] = []
    if printed:
        results.append({"name": "stdout", "output_type": "stream", "text": printed.splitlines(keepends=True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if hasattr(value, "_repr_svg_"):
            data["image/svg+xml"] = [value._repr_svg_()]
        results.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return results


def render(notebook: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The page and the notebook with its results."""
    names: dict[str, Any] = {"__name__": "tour"}
    page, cells, number = [], [], 0
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            page.append(text)
            cells.append(cell)
            continue
        number += 1
        printed, value = run(text, names)
        results = outputs(printed, value, number)
        cells.append({**cell, "execution_count": number, "outputs": results})
        page.append(f"```python\n{text}\n```")
        for result in results:
            data = result.get("data", {})
            if "image/svg+xml" in data:
                name = f"python-tour-{number}.svg"
                PICTURES[name] = "".join(data["image/svg+xml"])
                page.append(f"![The board after this cell](pictures/{name})")
            else:
                page.append("```text\n" + "".join(result.get("text", data.get("text/plain", []))).rstrip("\n") + "\n```")
    return "\n\n".join(page) + "\n", {**notebook, "cells": cells}


if __name__ == "__main__":
    path = HERE / "tour.ipynb"
    page, notebook = render(json.loads(path.read_text(encoding="utf-8")))
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (DOCS / "python-tour.md").write_text(page, encoding="utf-8")
    for name, svg in PICTURES.items():
        (DOCS / "pictures" / name).write_text(svg + "\n", encoding="utf-8")
