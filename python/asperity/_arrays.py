"""Whatever is like an array, as doubles; what is not, with a message that says so."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from . import _core

Array = npt.NDArray[np.float64]


def numbers(name: str, values: Any, *, finite: bool = True) -> Array:
    """An array of doubles, one after the other. float32 and integers are converted, strides copied; a TypeError for what holds no
    numbers, a ValueError for those that are not finite."""
    try:
        array = np.asarray(values)
    except ValueError as problem:  # lists of different lengths
        raise ValueError(f"{name}: {problem}") from None
    if array.dtype.kind not in "fiu":
        what = "complex numbers" if array.dtype.kind == "c" else f"dtype {array.dtype}"
        raise TypeError(f"{name}: must be real numbers, is an array of {what}")
    array = np.ascontiguousarray(array, dtype=np.float64).reshape(array.shape)
    # A finite sum has finite terms; only otherwise is it worth looking at each.
    if finite and not np.isfinite(array.sum()) and not np.isfinite(array).all():
        at = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        place = name + (f"[{', '.join(map(str, at))}]" if at else "")
        raise ValueError(f"{place} = {array[at]}: must be a finite number")
    return array


def number(name: str, value: Any, unit: str = "", *, least: Optional[float] = None, above: Optional[float] = None) -> float:
    """One finite number, at least `least` or greater than `above`; with a unit, text such as "5 mm", too."""
    if unit and isinstance(value, str):
        value, problem = _core.quantity(value, unit)
        if problem:
            raise ValueError(f"{name} {problem}")
    if isinstance(value, (bool, str, bytes)):
        raise TypeError(f"{name} = {value!r}: must be a number")
    try:
        result = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} = {value!r}: must be a number") from None
    if not np.isfinite(result):
        raise ValueError(f"{name} = {result}: must be a finite number")
    if above is not None and not result > above:
        raise ValueError(f"{name} = {result:g}: must be > {above:g}")
    if least is not None and not result >= least:
        raise ValueError(f"{name} = {result:g}: must be >= {least:g}")
    return result


def read_only(array: Array) -> Array:
    array.flags.writeable = False
    return array
