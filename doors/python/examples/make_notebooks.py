"""Makes the notebooks of this folder from its programs: a cell begins with `# %%`, text with `# %% [markdown]`.

    python make_notebooks.py            writes them
    python make_notebooks.py --check    says whether they are up to date
"""

from __future__ import annotations

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
NAMES = ["contact_chart", "retarget", "stairs", "vector_env"]


def notebook(text: str) -> str:
    """The notebook of a program."""
    cells = []
    for number, part in enumerate(text.split("# %%")[1:]):
        head, _, body = part.partition("\n")
        lines = body.strip("\n").splitlines(keepends=True)
        cell: dict[str, object] = {"id": f"cell-{number}", "metadata": {}}
        if "[markdown]" in head:
            source = [line[2:] if line.startswith("# ") else line.lstrip("#") for line in lines]
            cell |= {"cell_type": "markdown", "source": source}
        else:
            cell |= {"cell_type": "code", "source": lines, "outputs": [], "execution_count": None}
        cells.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def main() -> None:
    stale = []
    for name in NAMES:
        made, path = notebook((HERE / f"{name}.py").read_text()), HERE / f"{name}.ipynb"
        if "--check" not in sys.argv:
            path.write_text(made)
        elif not path.exists() or path.read_text() != made:
            stale.append(path.name)
    if stale:
        sys.exit(f"not up to date: {', '.join(stale)}; python make_notebooks.py makes them")


if __name__ == "__main__":
    main()
