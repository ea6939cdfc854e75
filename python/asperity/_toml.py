"""Scenes as text: a dict written as TOML, a value as a setting."""
from __future__ import annotations

import json
import math
import os
import re
from typing import Any, List, Mapping, Tuple

import numpy as np

from ._errors import Problem, SceneError
from ._laws import Law


def value(name: str, given: Any) -> str:
    """On one line."""
    if isinstance(given, Law):
        given = given.to_dict()
    if isinstance(given, (bool, np.bool_)):
        return "true" if given else "false"
    if isinstance(given, (int, np.integer)):
        return str(int(given)) if abs(int(given)) < 2**63 else repr(float(given))
    if isinstance(given, (float, np.floating)):
        number = float(given)
        return repr(number) if math.isfinite(number) else "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"
    if isinstance(given, str):
        return json.dumps(given, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(given, Mapping):
        return "{ " + ", ".join(f"{key(k)} = {value(f'{name}.{k}', v)}" for k, v in given.items()) + " }"
    if isinstance(given, (list, tuple, np.ndarray)):
        return "[" + ", ".join(value(name, one) for one in given) + "]"
    raise TypeError(f"{name} = {given!r}: must be a number, text, a flag, a law, or a list or dict of these")


def key(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(f"{name!r}: a key must be text")
    return name if re.fullmatch(r"[A-Za-z0-9_.-]+", name) else json.dumps(name)


def _is_tables(given: Any) -> bool:
    return isinstance(given, (list, tuple)) and bool(given) and all(isinstance(one, Mapping) for one in given)


def document(scene: Mapping[str, Any]) -> str:
    """A whole scene."""
    plain: List[Tuple[str, Any]] = []
    tables: List[Tuple[str, Any]] = []
    for name, given in scene.items():
        (tables if isinstance(given, Mapping) or _is_tables(given) else plain).append((name, given))
    lines = [f"{key(name)} = {value(name, given)}" for name, given in plain]
    for name, given in tables:
        for table in given if _is_tables(given) else [given]:
            lines += ["", f"[[{key(name)}]]" if _is_tables(given) else f"[{key(name)}]"]
            for inner, one in table.items():
                if inner == "law" and isinstance(one, Law):  # an element with a law: its parameters stand beside it
                    lines += [f"{key(k)} = {value(k, v)}" for k, v in one.to_dict().items()]
                else:
                    lines.append(f"{key(inner)} = {value(f'{name}.{inner}', one)}")
    return "\n".join(lines).lstrip("\n") + "\n"


def text_of(source: Any) -> Tuple[str, str]:
    """The text of a scene and the name of its file: of a file, of text (which has several lines), of a dict."""
    if isinstance(source, Mapping):
        return document(source), "scene"
    if isinstance(source, str) and ("\n" in source or not source.strip()):
        return source, "scene"
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"a scene is a file, text or a dict, not {type(source).__name__}")
    file = os.fspath(source)
    with open(file, "rb") as opened:
        data = opened.read()
    try:
        return data.decode(), file
    except UnicodeDecodeError:
        raise SceneError([Problem(file, 0, "is not UTF-8 text")]) from None


def setting(path: str, given: Any) -> str:
    """`floor.K=1e4`; text is a quantity or a formula, as it stands."""
    if not isinstance(path, str) or "=" in path:
        raise TypeError(f"{path!r}: must be a path such as \"floor.K\"")
    return f"{path}={given if isinstance(given, str) and not given.startswith('[') else value(path, given)}"
