"""What the README shows works as it stands there."""

import os
import pathlib
import re

import pytest
from conftest import ROOT

PAGES = [ROOT / "doors" / "python" / "README.md", ROOT / "README.md"]


def snippets():
    for page in PAGES:
        for number, text in enumerate(re.findall(r"^```python\n(.*?)^```", page.read_text(), re.S | re.M)):
            yield pytest.param(text, id=f"{page.parent.name}-{number}")


@pytest.mark.parametrize("text", list(snippets()))
def test_snippets_run(text, data, tmp_path, monkeypatch):
    for needed in re.findall(r"^# needs (\w+)", text, re.M):
        pytest.importorskip(needed)
    for file in data.iterdir():
        os.symlink(file, tmp_path / file.name)
    monkeypatch.chdir(tmp_path)
    exec(compile(text, "README.md", "exec"), {"__name__": "__main__"})
    assert pathlib.Path.cwd() == tmp_path
