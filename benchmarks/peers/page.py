#!/usr/bin/env python3
"""Makes docs/comparison.md and its pictures of results.json, which run.mjs writes.

usage: benchmarks/peers/page.py [--check]      --check: says what differs from the files that are there, and exits with 1
"""
import json
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE = ROOT / "docs" / "comparison.md"
PICTURES = ROOT / "docs" / "img"
MIDDLE = "5 ms"  # the step of the overview and of two pictures
OURS = "Asperity"


# -- figures

def figure(value, measure, cell=None):
    if value is None:
        text = "none"
    elif measure.get("lost") and abs(value) > measure["lost"]:
        text = "lost"
    elif value == 0:
        text = "0"
    else:
        text = f"{value:.1e}" if not 0.01 <= abs(value) < 100 else f"{value:.2g}"
        text = text.replace("e-0", "e-").replace("e+0", "e").replace("e+", "e").replace("-", "\u2212", 1) if text.startswith("-") else text.replace("e-0", "e-").replace("e+0", "e").replace("e+", "e")
    return text + (" †" if cell and cell.get("warned") else "")


def size(cell, measure):
    """How large an error is, with all that means nothing taken as equal."""
    value = cell[measure["key"]]
    if value is None or (measure.get("lost") and abs(value) > measure["lost"]):
        return math.inf
    return max(abs(value), measure["equal"])


def unit(measure):
    return "" if measure["unit"] == "1" else f" ({measure['unit']})"


# -- tables

def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(row) + " |" for row in rows)])


def family_section(results, family):
    steps = results["steps"]
    parts = [f"## {family['title']}", family["text"], f"Exact: {family['exact']}."]
    for measure in family["measures"]:
        rows = []
        sizes = {step: [] for step in steps}
        for engine, by_setting in family["values"].items():
            for cells in by_setting.values():
                for step in steps:
                    sizes[step].append(size(cells[step], measure))
        for engine, by_setting in family["values"].items():
            for setting, cells in by_setting.items():
                row = [engine, setting]
                for step in steps:
                    text = figure(cells[step][measure["key"]], measure, cells[step])
                    best = min(sizes[step])
                    row.append(f"**{text}**" if math.isfinite(best) and size(cells[step], measure) <= 3 * best else text)
                rows.append(row)
        parts.append(table([measure["label"] + unit(measure), "settings", *steps], rows))
    if family.get("needs"):
        parts.append(f"The other engines have no {family['needs']}.")
    return "\n\n".join(parts)


def overview(results, setting):
    names = [engine["name"] for engine in results["engines"]]
    rows = []
    for family in results["families"]:
        if family.get("needs"):
            continue
        for measure in family["measures"]:
            cells = [family["values"].get(name, {}).get(setting, {}).get(MIDDLE) for name in names]
            best = min(size(cell, measure) for cell in cells if cell)
            row = [f"[{family['title']}](#{anchor(family['title'])}): {measure['label']}{unit(measure)}"]
            for cell in cells:
                if not cell:
                    row.append("")
                    continue
                text = figure(cell[measure["key"]], measure, cell)
                row.append(f"**{text}**" if math.isfinite(best) and size(cell, measure) <= 3 * best else text)
            rows.append(row)
    return table(["", *names], rows)


def anchor(heading):
    return "".join(c for c in heading.lower() if c.isalnum() or c in "- _").replace(" ", "-")


# -- sentences that follow from the figures

def listed(words):
    words = list(words)
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def holders(results, setting, bound):
    """For each family of holding, the engines that move by less than the bound at every step."""
    lines = []
    for family in results["families"]:
        measure = family["measures"][0]
        if measure["key"] not in ("creep", "drift"):
            continue
        held = [name for name, by_setting in family["values"].items() if all(abs(cell[measure["key"]] or 0) < bound for cell in by_setting[setting].values())]
        lines.append(f"- {family['title']}: {listed(held) if held else 'none'}.")
    return "\n".join(lines)


def others_ahead(results):
    """Where another engine, at its best settings, is level with ours or better, at which steps."""
    lines = []
    for family in results["families"]:
        if family.get("needs"):
            continue
        for measure in family["measures"]:
            better, level = {}, {}
            for name, by_setting in family["values"].items():
                if name == OURS:
                    continue
                for step in results["steps"]:
                    theirs = size(by_setting["best"][step], measure)
                    ours = size(family["values"][OURS]["best"][step], measure)
                    if math.isinf(theirs):
                        continue
                    if theirs * 3 < ours:
                        better.setdefault(name, []).append(step)
                    elif theirs <= 3 * ours:
                        level.setdefault(name, []).append(step)
            every = len(results["steps"])
            told = lambda found: listed(name if len(at) == every else f"{name} (at {listed(at)})" for name, at in found.items())
            said = [f"{word} {told(found)}" for word, found in (("better:", better), ("level:", level)) if found]
            if said:
                lines.append(f"- {family['title']}, {measure['label']}: {'; '.join(said)}.")
    return "\n".join(lines)


# -- pictures

COLOURS = {"Asperity": "#c2410c", "MuJoCo": "#2563eb", "Rapier": "#0d9488", "Jolt": "#7c3aed", "Bullet": "#ca8a04", "ODE": "#64748b", "DART": "#be185d"}
STYLE = """<style>
text{font-family:Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;font-size:12.5px;fill:#222}
.back{fill:#fff}.grid{stroke:#e4e4e4;stroke-width:.8}.axis{stroke:#888;fill:none}.head{font-weight:bold}.small{font-size:11.5px}
@media (prefers-color-scheme:dark){text{fill:#e6e6e6}.back{fill:#16181c}.grid{stroke:#33363c}.axis{stroke:#888}}
</style>"""


def svg(width, height, title, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">\n'
            f"<title>{title}</title>\n{STYLE}\n<rect class=\"back\" width=\"{width}\" height=\"{height}\"/>\n" + "\n".join(parts) + "\n</svg>\n")


def text(x, y, words, anchor="start", kind=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{f" class={chr(34)}{kind}{chr(34)}" if kind else ""}>{words}</text>'


def mark(x, y, engine, setting, label):
    colour = COLOURS.get(engine, "#888")
    fill = colour if setting == "best" else "none"
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{fill}" stroke="{colour}" stroke-width="1.6"><title>{label}</title></circle>'


def holding_picture(results):
    """How fast what should stand still moves, a row for each engine, on a logarithmic scale."""
    families = [family for family in results["families"] if family["measures"][0]["key"] in ("creep", "drift")]
    names = [engine["name"] for engine in results["engines"]]
    low, high = -20, 0
    left, row, gap = 92, 19, 34
    width, right = 760, 736
    parts, y = [text(left, 20, f"Speed of what should not move, m/s or rad/s, at {MIDDLE}; rings: default settings, discs: best", kind="head")], 44
    place = lambda v: left + (max(low, min(high, math.log10(v) if v > 0 else low)) - low) / (high - low) * (right - left)
    for family in families:
        parts.append(text(left, y, family["title"]))
        top = y + 8
        bottom = top + row * len(names)
        for power in range(low, high + 1, 2):
            x = place(10.0 ** power)
            parts.append(f'<path class="grid" d="M{x:.1f} {top}V{bottom}"/>')
        for i, name in enumerate(names):
            line = top + row * (i + 0.5)
            parts.append(text(left - 8, line + 4, name, "end", "small"))
            parts.append(f'<path class="grid" d="M{left} {line:.1f}H{right}"/>')
            for setting, cells in family["values"].get(name, {}).items():
                value = abs(cells[MIDDLE][family["measures"][0]["key"]] or 0)
                parts.append(mark(place(value), line, name, setting, f"{name}, {setting}: {figure(value, family['measures'][0])}"))
        y = bottom + gap
    for power in range(low, high + 1, 4):
        parts.append(text(place(10.0 ** power), y - gap + 16, ("≤ " if power == low else "≥ " if power == high else "") + f"1e{power}", "middle", "small"))
    return svg(width, y - gap + 28, "Speed of what should not move", parts)


def directions_picture(results):
    """Where a box that slides in eight directions stops; the quarter circle is exact."""
    family = next(family for family in results["families"] if family["name"] == "slide")
    radius, parts = 210, []
    for panel, setting in enumerate(("default", "best")):
        x0, y0 = 60 + panel * 360, 330
        parts.append(text(x0, 24, f"{setting} settings, {MIDDLE}", kind="head"))
        parts.append(f'<path class="axis" d="M{x0} {y0 - 1.45 * radius:.1f}V{y0}H{x0 + 1.45 * radius:.1f}"/>')
        parts.append(f'<path class="axis" stroke-dasharray="4 3" d="M{x0 + radius} {y0}A{radius} {radius} 0 0 0 {x0} {y0 - radius}"/>')
        for name, by_setting in family["values"].items():
            points = [(x0 + radius * x, y0 - radius * y) for x, y in by_setting[setting][MIDDLE]["detail"]]
            colour = COLOURS.get(name, "#888")
            parts.append(f'<path fill="none" stroke="{colour}" stroke-width="1" d="M' + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + '"/>')
            parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"><title>{name}</title></circle>' for x, y in points]
        parts.append(text(x0 + radius, y0 + 16, "1", "middle", "small"))
        parts.append(text(x0 - 8, y0 - radius + 4, "1", "end", "small"))
    for i, name in enumerate(family["values"]):
        parts.append(mark(62 + 98 * i, 368, name, "best", name))
        parts.append(text(72 + 98 * i, 372, name, kind="small"))
    return svg(760, 386, "Where a sliding box stops, as a share of the exact distance", parts)


def order_picture(results):
    """The error of the distance of a slide over the step, at best settings."""
    family = next(family for family in results["families"] if family["name"] == "slide")
    lengths = {"1/60 s": 1 / 60, "5 ms": 5e-3, "1 ms": 1e-3}
    left, top, width, height = 70, 40, 480, 300
    low, high = -8, 0
    x = lambda h: left + (math.log10(h) + 3.1) / 1.42 * width
    y = lambda e: top + (high - max(low, math.log10(e) if e > 0 else low)) / (high - low) * height
    parts = [text(left, 20, "Slide to a stop: relative error of the distance over the step, best settings", kind="head")]
    for power in range(low, high + 1):
        parts.append(f'<path class="grid" d="M{left} {y(10.0 ** power):.1f}H{left + width}"/>')
        parts.append(text(left - 6, y(10.0 ** power) + 4, f"1e{power}", "end", "small"))
    for label in results["steps"]:
        parts.append(f'<path class="grid" d="M{x(lengths[label]):.1f} {top}V{top + height}"/>')
        parts.append(text(x(lengths[label]), top + height + 18, label, "middle", "small"))
    for i, (name, by_setting) in enumerate(family["values"].items()):
        points = [(x(lengths[step]), y(abs(by_setting["best"][step]["distance"]))) for step in results["steps"]]
        parts.append(f'<path fill="none" stroke="{COLOURS.get(name, "#888")}" stroke-width="1.6" d="M' + "L".join(f"{a:.1f} {b:.1f}" for a, b in points) + '"/>')
        parts += [mark(a, b, name, "best", name) for a, b in points]
        parts.append(mark(left + width + 28, top + 20 + 22 * i, name, "best", name))
        parts.append(text(left + width + 40, top + 24 + 22 * i, name))
    return svg(700, top + height + 34, "Error of the distance over the step", parts)


# -- the page

def page(results):
    engines = results["engines"]
    families = {family["name"]: family for family in results["families"]}
    only = [family for family in results["families"] if family.get("needs")]
    settings = "\n".join(
        f"- **{engine['name']} {engine['version']}**, {engine['precision']} precision\n" + "\n".join(f"  - {each['name']}: {each['text']}" for each in engine["settings"])
        for engine in engines)
    missing = "\n".join(f"- {each['name']}: {each['why']}" for each in results["missing"])
    warned = any(cell.get("warned") for family in results["families"] for by_setting in family["values"].values() for cells in by_setting.values() for cell in cells.values())
    parts = [
        "# Beside other engines",
        f"{listed(engine['name'] for engine in engines)} on the same scenes, with the same steps ({listed(results['steps'])}), each at its default settings and at the best that we found in its "
        "documentation. Errors are against closed forms, which are derived in `benchmarks/peers/cases.mjs`. Every figure comes from a run; `make compare` runs them all again and writes this page.",
        "These engines were made for different purposes. Jolt, Rapier and Bullet serve games and interactive worlds, where speed and robustness come first. MuJoCo serves robotics and learning; "
        "its contacts are soft on purpose, so that the inverse dynamics is well defined. ODE and DART serve robotics and games. This page asks one question only: how exact are dry friction and contact?",
        "## At a glance",
        f"Steps of {MIDDLE}, **best settings**. Bold: the smallest error, and all within three times of it. An error below rounding counts as zero "
        "(a speed of 1 nm/s, a relative error of 1e-5, 1e-3 degrees, 1 um). \"lost\": it fell, or slid away."
        + (" †: the program itself says that this run is wrong, and why." if warned else ""),
        overview(results, "best"),
        "**Default settings**, the same step:",
        overview(results, "default"),
        "![Speed of what should not move](img/comparison_holding.svg)",
        "### Who holds still",
        "Less than 1 um/s at all three steps, at best settings:",
        holders(results, "best", 1e-6),
        "At default settings:",
        holders(results, "default", 1e-6),
        "### Where others are level or better",
        "At best settings; \"better\" is an error of less than a third of ours, \"level\" is within three times.",
        others_ahead(results),
        "### What only this program does",
        "\n".join([
            f"- Friction that is physical before it slides: {listed(family['title'].lower() for family in only)} need laws with a stiffness and a static limit. The other engines have one number, mu.",
            "- Errors of sliding that fall faster than the step; and every run checks its energy and its steps, and says when they are wrong ([how](guides/trust.md)).",
            "- Laws that are [identified](guides/identify.md) from measured motion, with confidence intervals.",
            "- Warnings before a run that cannot come out right ([set-up checks](guides/setup-checks.md)).",
        ]),
        "### What the others do and this program does not",
        "Robots of many joints, vehicles, soft bodies, thousands of bodies in real time.",
        "Two of our scenes are simpler than those of the others: in the stack the light body is a point mass that carries a plane, and the pads of the pinch are masses on stiff springs.",
        "## Slide to a stop, in pictures",
        "Where a box stops that slides in eight directions, as a share of the exact distance. The dashed arc is exact. A pyramid in place of the friction cone shows as a corner (it lies inside the cone: too little friction between the axes) or as a straight line (it encloses the cone: too much).",
        "![Where a sliding box stops](img/comparison_directions.svg)",
        "![Error of the distance over the step](img/comparison_order.svg)",
    ]
    parts += [family_section(results, family) for family in results["families"]]
    parts += [
        "## Settings",
        settings,
        "In all engines bodies do not sleep: a body that is put to sleep stands still whatever its contacts do. Scenes with a floor are at rest for 1 s before the clock starts; "
        "our runs start in static equilibrium (`preload`). Forces that change with time are constant over a step in the other engines, as their interfaces have it; ours are functions of time. "
        "Dry friction in a joint is `frictionloss` in MuJoCo, `mMaxFrictionTorque` in Jolt, `setCoulombFriction` in DART, and a motor with target speed 0 and a largest torque in Rapier, Bullet and ODE. "
        "MuJoCo has no coefficient of restitution; its contact is a spring and a damper (`solref`), whose damping is chosen for the restitution by its closed form.",
        "\"Best\" is one group of settings for all scenes, except for bounces. It was chosen by trial among what the manuals recommend; no group is best at every scene. "
        "If you know better ones, change the adapter in `benchmarks/peers/engines` and send it.",
        "Our own default is an explicit method. At these steps it can only carry soft contacts: a box sinks in by millimetres at 1 ms and by more than its height at 1/60 s, and rocks under the oscillating load, the contacts that are designed for 1 kg do not carry "
        "1000 kg, and the stiff guides of the pinch are beyond its stability, which the program says before and after the run. Grasps, stacks and long steps are for `implicit2`.",
    ]
    if missing:
        parts += ["Not installed when this page was made:", missing]
    parts += [
        "Simbody, Siconos and LAMMPS are not compared yet, nor are piles of many bodies.",
        "## Repeat it",
        "```sh\nmake compare        # builds, installs the engines, runs everything, writes this page\n```",
        "The engines of npm are pinned in `benchmarks/peers/package-lock.json`; Bullet, ODE and DART are Debian's. What cannot be installed is left out, and listed above. "
        "`node benchmarks/peers/run.mjs --program build/asperity --only slide,spin` runs some families again and keeps the figures of the others; `benchmarks/peers/page.py` makes the page of `results.json`. "
        "A scene is a few lines in `cases.mjs`, an engine one file in `engines/`, our scenes are in `scenes/`.",
        "Times are not compared here: builds for WebAssembly beside native ones say nothing about the engines, and a busy machine nothing about either. [Measuring speed](guides/measuring.md) has ours.",
    ]
    return "\n\n".join(parts) + "\n"


def files(results):
    return {
        PAGE: page(results),
        PICTURES / "comparison_holding.svg": holding_picture(results),
        PICTURES / "comparison_directions.svg": directions_picture(results),
        PICTURES / "comparison_order.svg": order_picture(results),
    }


def main():
    results = json.loads((HERE / "results.json").read_text())
    made = files(results)
    if "--check" in sys.argv[1:]:
        wrong = [path.relative_to(ROOT) for path, content in made.items() if not path.exists() or path.read_text() != content]
        for path in wrong:
            print(f"{path} is not what benchmarks/peers/results.json gives: run benchmarks/peers/page.py")
        sys.exit(1 if wrong else 0)
    for path, content in made.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
