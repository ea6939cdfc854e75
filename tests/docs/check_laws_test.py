#!/usr/bin/env python3
"""tools/check-laws has to notice what is missing: in a copy of the project with one thing taken away, it must name that thing.

usage: check_laws_test.py PROGRAM
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def replace(path, old, new):
    text = path.read_text()
    assert old in text, f"{old!r} is not in {path}"
    path.write_text(text.replace(old, new))


def listed_nowhere(copy):
    shutil.copy(copy / "examples/add_a_law/grease.hpp", copy / "include/asperity/friction/grease.hpp")


# What is taken away, and what the script must say then.
CASES = [
    (lambda copy: (copy / "docs/laws/dahl.md").unlink(), "dahl: no page docs/laws/dahl.md"),
    (lambda copy: replace(copy / "docs/laws/dahl.md", "## When not", "## Whenever"), "dahl: docs/laws/dahl.md has no section 'When not'"),
    (lambda copy: replace(copy / "docs/laws/dahl.md", "bristle stiffness", "bristle softness"), "dahl: the table of docs/laws/dahl.md is not"),
    (lambda copy: (copy / "docs/laws/img/dahl.svg").unlink(), "dahl: no picture docs/laws/img/dahl.svg"),
    (lambda copy: replace(copy / "docs/laws/index.md", "(dahl.md)", "(hertz.md)"), "dahl: not in docs/laws/index.md"),
    (lambda copy: replace(copy / "docs/references.bib", "{dahl1968,", "{dahl1969,"), "dahl: source dahl1968 is not in docs/references.bib"),
    (lambda copy: replace(copy / "include/asperity/laws.hpp", "friction/dahl.hpp", "friction/gms.hpp"), "dahl: dahl.hpp is not included"),
    (listed_nowhere, "grease: grease.hpp is not in include/asperity/catalogue.hpp"),
]


def main():
    failed = 0
    for take_away, expected in CASES:
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder)
            for part in ["docs", "include", "examples"]:
                shutil.copytree(ROOT / part, copy / part)
            take_away(copy)
            done = subprocess.run([ROOT / "tools" / "check-laws", sys.argv[1]], capture_output=True, text=True,
                                  env=dict(os.environ, ASPERITY_ROOT=folder))
            if done.returncode != 1 or expected not in done.stdout:
                failed += 1
                print(f"expected {expected!r}, got {done.returncode}:\n{done.stdout}{done.stderr}")
    print(f"{len(CASES)} cases, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
