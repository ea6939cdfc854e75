"""The guide, the notebooks, the stubs and the API page are what the package does."""
import importlib.util
import json
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from conftest import TOP

NOTEBOOKS = sorted((TOP / "examples/python").glob("*.ipynb"))


def needs(*modules):
    for module in modules:
        pytest.importorskip(module)


def cells(path):
    notebook = json.loads(path.read_text())
    return [("".join(cell["source"])) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run(code, place, namespace, monkeypatch):
    monkeypatch.chdir(TOP)
    exec(compile(code, place, "exec"), namespace)


def test_the_guide_runs(monkeypatch):
    needs("scipy", "pandas", "matplotlib")
    namespace = {}
    text = (TOP / "docs/guides/python.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
    assert len(blocks) > 8
    for number, block in enumerate(blocks):
        run(block, f"docs/guides/python.md, block {number + 1}", namespace, monkeypatch)


def test_there_are_five_notebooks():
    assert len(NOTEBOOKS) == 5


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, monkeypatch):
    """Every code cell in order; what it asserts holds. A notebook begins with a title and says what it shows."""
    needs("scipy", "pandas", "matplotlib")
    import matplotlib.pyplot as plt

    notebook = json.loads(path.read_text())
    assert notebook["cells"][0]["cell_type"] == "markdown" and notebook["cells"][0]["source"][0].startswith("# ")
    assert all(not cell.get("outputs") for cell in notebook["cells"])
    namespace = {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", module="matplotlib")
        for number, code in enumerate(cells(path)):
            run(code, f"{path.name}, cell {number + 1}", namespace, monkeypatch)
    plt.close("all")


def test_stubs_and_api_page_are_current():
    done = subprocess.run([sys.executable, TOP / "tools/python-docs", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_types_are_strict(tmp_path):
    """The package and all code of guide and notebooks, in mypy's strict mode."""
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is missing: tools/install-deps python-test")
    files = []
    for path in NOTEBOOKS:
        files.append(tmp_path / f"{path.stem}.py")
        files[-1].write_text("\n\n".join(line for line in cells(path)))
    own = tmp_path / "laws_have_types.py"
    own.write_text("import asperity as asp\nfrom asperity import SingleState\nlaw: SingleState = SingleState(F=2, K='5 N/mm').replace(F=3)\n"
                   "F: float = law.F\nkappa: tuple[float, ...] = asp.Multistate(elements=3).kappa\n"
                   "run: asp.Run = asp.Scene('x.toml', pull=3).run(duration=1)\nkind: str = run.events[0].kind\n")
    config = tmp_path / "mypy.ini"
    config.write_text(f"[mypy]\nstrict = True\nmypy_path = {TOP}/python\ncache_dir = {tmp_path}/cache\nwarn_unused_ignores = False\n"
                      + "".join(f"[mypy-{one}.*]\nignore_missing_imports = True\n" for one in ("scipy", "pandas", "matplotlib", "tqdm", "cycler", "IPython")))
    done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", config, TOP / "python/asperity", own, *files], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import asperity as asp\nasp.SingleState(hardness=3)\n")
    done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", config, wrong], capture_output=True, text=True)
    assert done.returncode == 1 and "hardness" in done.stdout
