#!/usr/bin/env python3
"""Checks that the documentation says what the project does now.

usage: check_docs.py CHECK PROGRAM       CHECK: code, links, commands, output, laws, scenes, printed, layers
"""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import law_docs

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
COMPILED = ["examples", "include", "src", "cli", "tests"]


def relative(path):
    return path.relative_to(ROOT)


def blocks(language):
    for page in law_docs.pages():
        for kind, text in FENCE.findall(page.read_text()):
            if kind == language:
                yield page, text


def check_code(_):
    """Every C++ block is an excerpt of a compiled file, every CMake line is in a consumer project, every block says what it is."""
    sources = [p.read_text() for folder in COMPILED for p in sorted((ROOT / folder).rglob("*.?pp"))]
    for page, text in blocks("cpp"):
        if not any(text in source for source in sources):
            yield f"{relative(page)}: this block is in no compiled file:\n{text}"
    consumers = [p.read_text() for p in (ROOT / "tests" / "consumer").rglob("CMakeLists.txt")]
    for page, text in blocks("cmake"):
        if not any(all(line in consumer for line in text.splitlines()) for consumer in consumers):
            yield f"{relative(page)}: these lines are in no consumer project:\n{text}"
    for page, text in blocks(""):
        yield f"{relative(page)}: a block without a language:\n{text}"


def anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def check_links(_):
    """Links between pages, to headings and to pictures lead somewhere."""
    for page in law_docs.pages():
        text = FENCE.sub("", page.read_text())
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"\w+:", target):
                continue
            path, _, fragment = target.partition("#")
            linked = (page.parent / path).resolve() if path else page
            if not linked.exists():
                yield f"{relative(page)}: {target} does not exist"
            elif fragment and fragment not in [anchor(h) for h in re.findall(r"^#+ (.*)$", linked.read_text(), re.M)]:
                yield f"{relative(page)}: {target}: no such heading"


def check_commands(_):
    """`make` targets and presets that the pages show exist."""
    makefile = (ROOT / "Makefile").read_text()
    presets = (ROOT / "CMakePresets.json").read_text()
    for page, text in blocks("sh"):
        for line in text.splitlines():
            for target in re.findall(r"^make(?:\s+[A-Z]+=\S+)*\s+([a-z][\w-]*)", line):
                if not re.search(rf"^{target}:", makefile, re.M):
                    yield f"{relative(page)}: make {target}: no such target"
            for preset in re.findall(r"--preset (\w+)", line):
                if f'"name": "{preset}"' not in presets:
                    yield f"{relative(page)}: --preset {preset}: no such preset"


def check_output(program):
    """Commands that the pages show run, and print what the pages show."""
    for page in law_docs.pages():
        for block in law_docs.CONSOLE.findall(page.read_text()):
            now = law_docs.refreshed_console(block, program)
            if now != block:
                yield f"{relative(page)} shows\n{block}\nthe program prints\n{now}\nrun make docs"
    if (ROOT / "examples" / "control_loop.expected").read_text() not in (ROOT / "docs" / "getting-started.md").read_text():
        yield "docs/getting-started.md: the command line and examples/control_loop.cpp do not print the same numbers"


def check_laws(program):
    """Nothing is missing for any law; and the script that says so can say otherwise."""
    done = subprocess.run([ROOT / "tools" / "check-laws", program], capture_output=True, text=True)
    if done.returncode != 0:
        yield done.stdout + done.stderr


def check_scenes(program):
    """The page on scenes has the tables of the program, and what it shows stands in a scene that is tested."""
    page = law_docs.SCENES.read_text()
    if law_docs.split_generated(page)[1] != law_docs.scene_format(program):
        yield f"{relative(law_docs.SCENES)}: its tables are not those of the program; run make docs"
    scenes = [p.read_text() for p in (ROOT / "scenes").rglob("*.toml")]
    for kind, text in FENCE.findall(page):
        if kind == "toml" and not any(text in scene for scene in scenes):
            yield f"{relative(law_docs.SCENES)}: this block is in no scene:\n{text}"


def check_printed(program):
    """A whole scene that a page prints runs as it is printed; the README has one."""
    whole = [(page, text) for page, text in blocks("toml") if "[run]" in text and ("[[body]]" in text or "[inclusion]" in text)]
    if ROOT / "README.md" not in [page for page, _ in whole]:
        yield "README.md: prints no whole scene"
    for page, text in whole:
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "scene.toml").write_text(text)
            done = subprocess.run([pathlib.Path(program).resolve(), "run", "scene.toml"], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            yield f"{relative(page)}: the printed scene ends with exit code {done.returncode}:\n{text}\n{done.stderr}"


def check_layers(_):
    """No include goes up, and the page on the architecture has the table of layers."""
    done = subprocess.run([str(ROOT / "tools" / "layers"), "--check"], capture_output=True, text=True)
    if done.returncode != 0:
        yield done.stdout + done.stderr
    page = law_docs.ARCHITECTURE
    if law_docs.with_layers(page.read_text()) != page.read_text():
        yield f"{relative(page)}: its table of layers is not that of tools/layers; run make docs"


def main():
    check, program = sys.argv[1], sys.argv[2]
    problems = list(globals()[f"check_{check}"](program))
    print("\n".join(problems) or f"{check}: fine")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
