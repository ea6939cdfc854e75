"""Pictures with matplotlib, which is needed only here."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple

import numpy as np

if TYPE_CHECKING:
    from ._arrays import Array
    from ._run import Run
    from ._study import Map, Study

COLORS = ["#1f5a92", "#c8553d", "#3a7d44", "#8f5aa8", "#b8860b", "#4a6670"]
_STYLE = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e4e6ea",
    "axes.axisbelow": True,
    "axes.edgecolor": "#8a919c",
    "axes.labelcolor": "#333a45",
    "xtick.color": "#5b6470",
    "ytick.color": "#5b6470",
    "font.size": 10.0,
    "legend.frameon": False,
    "lines.linewidth": 1.5,
    "figure.dpi": 110.0,
}


def style() -> Any:
    """The look of the plots of this package, for your own: `with asperity.style(): plt.plot(...)`."""
    import matplotlib
    from cycler import cycler

    return matplotlib.rc_context({**_STYLE, "axes.prop_cycle": cycler(color=COLORS)})


def usual_columns(run: "Run") -> List[str]:
    """Positions, velocities and forces."""
    wanted = [name for name in run if name.split(".")[-1] in ("position", "velocity", "force", "normal_force", "tangential_force")
              or any(part in name for part in (".position.", ".velocity.", ".tangential_force."))]
    return wanted or [name for name in run if name != "time"]


def label_of(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit not in ("", "1") else name


def plot_run(run: "Run", names: Sequence[str], x: str, events: bool, axes: Any) -> Any:
    import matplotlib.pyplot as plt

    chosen = run.select(*names) if names else usual_columns(run)
    across = run[x]
    by_unit: Dict[str, List[str]] = {}
    for name in chosen:
        by_unit.setdefault(run.units[name], []).append(name)
    with style():
        if axes is None:
            figure, grid = plt.subplots(len(by_unit), 1, sharex=True, squeeze=False, figsize=(7.5, 1.2 + 1.9 * len(by_unit)),
                                        constrained_layout=True)
            panels = list(grid[:, 0])
            figure.suptitle(run.title, x=0.01, ha="left", fontsize=11)
        else:
            panels = list(axes) if hasattr(axes, "__len__") else [axes]
            if len(panels) < len(by_unit):
                raise ValueError(f"axes: {len(panels)} given, {len(by_unit)} needed, one for each unit")
            figure = panels[0].figure
        for panel, (unit, ones) in zip(panels, by_unit.items()):
            for name in ones:
                panel.plot(across, run[name], label=name)
            panel.set_ylabel(label_of(ones[0], unit) if len(ones) == 1 else f"[{unit}]")
            if len(ones) > 1:
                panel.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8)
            if events and x == "time":
                for event in run.events[:40]:
                    panel.axvline(event.time, color="#b9c0ca", linewidth=0.8, zorder=0)
        panels[len(by_unit) - 1].set_xlabel(label_of(x, run.units[x]))
        if axes is None:
            plt.close(figure)  # a notebook shows what is returned; not twice
    return figure


def _panel(axes: Any, title: str) -> Tuple[Any, Any]:
    import matplotlib.pyplot as plt

    if axes is not None:
        return axes.figure, axes
    figure, panel = plt.subplots(figsize=(6.5, 4.2), constrained_layout=True)
    figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    plt.close(figure)  # a notebook shows what is returned; not twice
    return figure, panel


def _is_log(values: "Array") -> bool:
    """Evenly spaced by ratio."""
    if len(values) < 3 or not (values > 0).all():
        return False
    ratios = np.diff(np.log(values))
    return bool(np.allclose(ratios, ratios[0], rtol=1e-6))


def plot_map(of: "Map", axes: Any) -> Any:
    with style():
        figure, panel = _panel(axes, of.measure)
        panel.grid(False)
        image = panel.pcolormesh(of.x_values, of.y_values, of.values, shading="nearest", cmap="viridis")
        figure.colorbar(image, ax=panel, label=of.measure)
        panel.set_xlabel(of.x)
        panel.set_ylabel(of.y)
        if _is_log(of.x_values):
            panel.set_xscale("log")
        if _is_log(of.y_values):
            panel.set_yscale("log")
    return figure


def plot_measure(name: str, numbers: "Array", over: str, study: "Study", axes: Any) -> Any:
    """A curve with the middle nine tenths around it, or a histogram."""
    with style():
        figure, panel = _panel(axes, study.title)
        if over:
            places, which = np.unique(study[over], return_inverse=True)
            lists = [numbers[(which == i) & np.isfinite(numbers)] for i in range(len(places))]
            bands = np.array([np.quantile(one, [0.05, 0.5, 0.95]) if len(one) else [np.nan] * 3 for one in lists])
            panel.plot(places, bands[:, 1], marker="." if len(places) < 60 else "")
            if max(map(len, lists)) > 1:
                panel.fill_between(places, bands[:, 0], bands[:, 2], alpha=0.25, linewidth=0)
            if _is_log(places):
                panel.set_xscale("log")
            panel.set_xlabel(label_of(over, study.units.get(over, "")))
            panel.set_ylabel(name)
        else:
            known = numbers[np.isfinite(numbers)]
            panel.hist(known, bins=int(np.clip(np.sqrt(len(known)), 5, 40)))
            panel.set_xlabel(name)
            panel.set_ylabel("points")
    return figure


def plot_border(study: "Study", axes: Any) -> Any:
    """The points that were run, and where the measure changes."""
    with style():
        figure, panel = _panel(axes, study.title)
        names = study.parameters
        across = study[names[0]]
        up = study[names[1]] if len(names) > 1 else np.zeros(len(study))
        panel.plot(across, up, ".", markersize=2, color="#b9c0ca", label="points that were run")
        places = study.crossings
        panel.plot(places[:, 0], places[:, 1] if len(names) > 1 else np.zeros(len(places)), ".", color=COLORS[1], label="border")
        panel.set_xlabel(label_of(names[0], study.units[names[0]]))
        if len(names) > 1:
            panel.set_ylabel(label_of(names[1], study.units[names[1]]))
        panel.legend(loc="best", fontsize=8)
    return figure
