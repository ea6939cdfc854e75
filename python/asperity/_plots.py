"""Pictures with matplotlib, which is needed only here."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Sequence

if TYPE_CHECKING:
    from ._run import Run

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
