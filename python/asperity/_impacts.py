"""How masses come back from contacts."""
from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._arrays import Array, number, numbers
from ._errors import Interrupted
from ._laws import Law
from ._progress import Bar, Progress


class Impacts(NamedTuple):
    """Impacts of a mass on a contact, one for each speed."""

    speed: Any  #: m/s
    restitution: Any  #: speed after over speed before
    contact_time: Any  #: s; infinite where it never lets go
    deepest: Any  #: m, indentation
    residual: Any  #: m, indentation when the contact ends
    peak_force: Any  #: N
    method: str  #: closed form or simulation


def impacts(law: Law, *, mass: Union[float, str], speed: Any, tolerance: Optional[float] = None, threads: int = 0, progress: Progress = None) -> Impacts:
    """A mass (kg) hits a contact law at `speed` (m/s), a number or an array, without gravity: all that is known of the impacts. In
    closed form where the law has one, otherwise by simulation to `tolerance`."""
    if not isinstance(law, Law):
        raise TypeError(f"law = {law!r}: must be a contact law, such as {_core.impact_laws()[0]}")
    speeds = numbers("speed", number("speed", speed, "m/s") if isinstance(speed, str) else speed)
    flat = speeds.reshape(-1)
    if flat.size == 0:
        none = np.empty(speeds.shape)
        return Impacts(speeds, none, none, none, none, none, "")
    with Bar(progress, "impacts", "") as bar:
        found = _core.impacts(law._core, number("mass", mass, "kg"), flat.tolist(), [],
                              None if tolerance is None else number("tolerance", tolerance, above=0), int(threads), bar.tell)
    columns = {name: found[name] for name in ("restitution", "contact_time", "deepest", "residual", "peak_force")}

    def shaped(values: Array) -> Any:
        return float(values[0]) if speeds.ndim == 0 else values.reshape(speeds.shape)

    if isinstance(found["error"], KeyboardInterrupt):
        raise Interrupted(columns) from None
    if found["error"] is not None:
        raise found["error"]
    if len(columns["restitution"]) != flat.size:
        raise ValueError("\n".join(found["problems"]))
    return Impacts(speed=float(speeds) if speeds.ndim == 0 else speeds, method=found["method"], **{name: shaped(one) for name, one in columns.items()})


def restitution(law: Law, *, mass: Union[float, str], speed: Any, tolerance: Optional[float] = None, threads: int = 0, progress: Progress = None) -> Any:
    """Speed after over speed before, for a mass (kg) that hits a contact law at `speed` (m/s), a number or an array."""
    return impacts(law, mass=mass, speed=speed, tolerance=tolerance, threads=threads, progress=progress).restitution


Axis = Union[Tuple[float, float, int], Tuple[float, float, int, str]]


def restitution_map(law: Law, *, mass: Union[float, str] = 1.0, speed: Union[float, str, None] = None, tolerance: Optional[float] = None, threads: int = 0,
                    progress: Progress = None, **axes: Axis) -> Tuple[Array, ...]:
    """Restitution over one or two parameters of the law, `mass_` or `v0`: `restitution_map(law, beta1=(0, 6e-3, 61), v0=(.1, 10, 61,
    "log"))`. Returns the values on the axes and the map: (x, e), or (x, y, e) with e[j, i] at x[i], y[j]."""
    if not 1 <= len(axes) <= 2:
        raise TypeError("a map has one or two axes, such as v0=(0.1, 10, 61, \"log\")")
    swept = []
    for name, axis in axes.items():
        if len(axis) not in (3, 4) or (len(axis) == 4 and axis[-1] != "log"):
            raise ValueError(f"{name} = {axis!r}: must be (low, high, count) or (low, high, count, \"log\")")
        swept.append((law._names.get(name, "mass" if name == "mass_" else name), number(name, axis[0]), number(name, axis[1]), int(axis[2]), len(axis) == 4))
    with Bar(progress, "map", "") as bar:
        found = _core.impacts(law._core, number("mass", mass, "kg"), [] if speed is None else [number("speed", speed, "m/s")], swept,
                              None if tolerance is None else number("tolerance", tolerance, above=0), int(threads), bar.tell)
    if isinstance(found["error"], KeyboardInterrupt):
        raise Interrupted(found["restitution"]) from None
    if found["error"] is not None:
        raise found["error"]
    if found["problems"] and not len(found["restitution"]):
        raise ValueError("\n".join(found["problems"]))
    axes_found = tuple(found["axes"])
    return (*axes_found, found["restitution"].reshape(tuple(len(one) for one in reversed(axes_found))))
