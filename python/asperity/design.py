"""Parameters by rule: contacts that bounce as wanted, friction that holds still, whole scenes.

    asperity.design.contact(restitution=0.75, mass=0.057, speed=5, step=5e-4)
    asperity.design.friction(limit=5, mass=1, step=1e-3)
    asperity.design.scene("draft.toml")
"""
from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _core, _toml
from ._arrays import number
from ._errors import Problem, SceneError
from ._laws import Law, law_of_numbers
from ._scene import Scene

#: A number in SI units, or text with another unit: "57 g".
Quantity = Union[float, str]

__all__ = ["ContactDesign", "FrictionDesign", "SceneDesign", "contact", "friction", "scene"]


class _Design:
    def __init__(self, found: Mapping[str, Any]) -> None:
        #: Everything that is known of it, as `asperity design --json` prints it.
        self.facts: Dict[str, Any] = json.loads(found["json"])
        #: The law with the parameters that were found, ready to run.
        self.law: Law = law_of_numbers(self.facts["law"], self.facts["parameters"])
        self._text: str = found["text"]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.law!r}>"

    def _repr_html_(self) -> str:
        from html import escape

        return f"{self.law._repr_html_()}<pre>{escape(self._text)}</pre>"


class ContactDesign(_Design):
    """A contact that bounces as wanted: `law`, and the impact that it makes in `facts`."""


class FrictionDesign(_Design):
    """Friction that holds still: `law`, and what it does in `facts`."""


def _refuse(problems: Sequence[str]) -> ValueError:
    return ValueError("\n".join(problems))


def contact(*, mass: Quantity, restitution: Optional[float] = None, speed: Optional[Quantity] = None,
            at: Optional[Mapping[Any, float]] = None, penetration: Optional[Quantity] = None, contact_time: Optional[Quantity] = None,
            stiffness: Optional[float] = None, law: Optional[str] = None, step: Optional[Quantity] = None, ratio: Optional[float] = None,
            gamma: Optional[Quantity] = None, lambda_: float = 1.5) -> ContactDesign:
    """A contact law with which a mass (kg) that hits at `speed` (m/s) comes back with `restitution` times that speed.

    Its size is one of `penetration` (m), `contact_time` (s) and `stiffness` (N/m, or N/m^lambda); without any of them it is the
    shortest contact that `step` (s) resolves. `at` has further speeds with their restitutions: {5: 0.6}. What is infeasible is a
    ValueError that says what is feasible."""
    sizes = {"penetration": penetration, "contact_time": contact_time, "stiffness": stiffness}
    units = {"penetration": "m", "contact_time": "s"}
    given = {name: number(name, value, units.get(name, ""), above=0) for name, value in sizes.items() if value is not None}
    bounces: List[Tuple[float, float]] = []
    if at is None or restitution is not None or speed is not None:
        if restitution is None or speed is None:
            raise TypeError("contact: restitution and speed are missing" if restitution is None and speed is None else
                            f"contact: {'restitution' if restitution is None else 'speed'} is missing")
        bounces.append((number("speed", speed, "m/s"), number("restitution", restitution)))
    bounces += [(number("at, speed", v, "m/s"), number("at, restitution", e)) for v, e in (at or {}).items()]
    if len(given) > 1:
        raise ValueError(f"{', '.join(given)}: each gives the others; give one")
    if not given and step is None:
        raise TypeError("contact: penetration, contact_time or stiffness is missing: how deep, how long or how stiff; or the step, that allows it")
    scale, size = next(iter(given.items())) if given else ("", 1.0)
    laws = _core.design_contact_laws()
    name = law if law is not None else laws[0] if at is None else laws[1]
    if name not in laws:
        raise ValueError(f"law = {name!r}: must be one of {', '.join(laws)}")
    found, problems = _core.design_contact(name, number("mass", mass, "kg"), bounces, scale, size, None if step is None else number("step", step, "s"),
                                           None if ratio is None else number("ratio", ratio),
                                           None if gamma is None else number("gamma", gamma, "1/s"), number("lambda_", lambda_))
    if found is None:
        raise _refuse(problems)
    return ContactDesign(found)


def friction(*, limit: Quantity, mass: Quantity, step: Quantity, method: str = "rk4", displacement: Optional[Quantity] = None,
             shake: Optional[Tuple[Quantity, Quantity]] = None, mean: Quantity = 0.0) -> FrictionDesign:
    """Dry friction that holds a mass (kg) still up to `limit` (N), for a step (s) of the integration.

    `displacement` (m) is the most that it may give way at the limit; without it, as little as the step allows. `shake` is the
    amplitude (N) and frequency (rad/s) of a load that it has to hold, beside its `mean` (N)."""
    wish = None if shake is None else (number("shake, amplitude", shake[0], "N"), number("shake, frequency", shake[1], "rad/s"), number("mean", mean, "N"))
    if shake is None and mean != 0:
        raise ValueError("mean without shake: a load that does not change is held below the limit")
    found, problems = _core.design_friction(number("limit", limit, "N"), number("mass", mass, "kg"), number("step", step, "s"), method,
                                            None if displacement is None else number("displacement", displacement, "m"), wish)
    if found is None:
        raise _refuse(problems)
    return FrictionDesign(found)


class SceneDesign:
    """Every element of a scene: the mass that it sees, what is there, what would be right. `scene` has the numbers in place."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.facts: Dict[str, Any] = json.loads(found["json"])
        self.warnings: List[str] = list(found["warnings"])
        self._text: str = found["text"]
        #: The text of the scene with them; layout and comments stay.
        self.text: str = found["scene"]

    @property
    def scene(self) -> Scene:
        return Scene(self.text if "\n" in self.text else self.text + "\n")

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<SceneDesign of {len(self.facts.get('elements', []))} elements>"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(self._text)}</pre>"


def scene(source: Union[str, "os.PathLike[str]", Mapping[str, Any]], *, fill_in: bool = True, **let: Any) -> SceneDesign:
    """Finds the parameters that a scene leaves open by K = "design", and, with `fill_in`, those that it does not give at all."""
    text, file = _toml.text_of(source)
    found, problems = _core.design_scene(text, file, [_toml.setting(f"let.{name}", value) for name, value in let.items()], fill_in)
    if found is None:
        raise SceneError([Problem(*one) for one in problems])
    return SceneDesign(found)
