"""Asperity: friction that holds still, contact that lets go.

    import asperity as asp

    friction = asp.SingleState(F=2, K="5 N/mm")
    force = friction.follow(velocity=v, dt=1e-3)

    scene = asp.Scene("pinch.toml", pull=12)
    run = scene.run(duration=10)
    run["capsule.position.z"], run.t, run.events, run.held

The laws are classes made from the catalogue: `asp.laws` has them all, `help(asp.SingleState)` is the page of one. docs/guides/python.md
is the guide.
"""
from __future__ import annotations

from . import _catalogue, design
from ._catalogue import *
from ._core import version as __version__
from ._errors import DoubtfulWarning, Interrupted, Problem, RunError, SceneError, StudyError
from ._identify import Estimate, Fit, FittedLaw, SlipStudy, identify, identify_laws, stick_slip
from ._impacts import Impacts, impacts, restitution, restitution_map
from ._laws import Force, Law, Parameter, State, Stepper, Trace, law, laws
from ._plots import style
from ._reproduce import Experiment, Fact, Gallery, Reproduction, experiments, reproduce
from ._run import Comparison, Energy, Event, Finding, Hold, Impact, Motion, Run, compare, read_run
from ._scene import Check, Scene, integration_methods, resume
from ._simulation import Simulation
from ._study import Map, MorrisEffect, SobolIndex, Study, read_study, study
from ._world import World

__all__ = [
    "Check", "Comparison", "DoubtfulWarning", "Energy", "Estimate", "Event", "Experiment", "Fact", "Finding", "Fit", "FittedLaw", "Force", "Gallery", "Hold",
    "Impact", "Impacts", "Interrupted", "Law", "Map", "MorrisEffect", "Motion", "Parameter", "Problem", "Reproduction", "Run", "RunError", "Scene", "SceneError", "Simulation",
    "SlipStudy", "SobolIndex", "State", "Stepper", "Study", "StudyError", "Trace", "World", "compare", "design", "experiments", "identify", "identify_laws", "impacts",
    "integration_methods", "law", "laws", "read_run", "read_study", "reproduce", "restitution", "restitution_map", "resume", "stick_slip", "study", "style",
]
__all__ += _catalogue.__all__
