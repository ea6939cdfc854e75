"""Scenes from Python: the numbers of the program, bit for bit; errors, threads, Ctrl-C, memory."""
import json
import os
import pickle
import signal
import subprocess
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import asperity as asp
from conftest import TOP

SCENES = sorted(str(path.relative_to(TOP)) for path in (TOP / "scenes").rglob("*.toml"))
BLOCK = """
title = "A block"
[let]
push = 1.0
[run]
duration = 0.5
step = 1e-3
[[body]]
name = "block"
kind = "mass"
mass = 1.0
[[element]]
name = "floor"
between = ["block", "ground"]
law = "single_state"
F = 2.0
K = 5e3
beta = 2e-3
[[input]]
on = "block"
force = "push"
"""


def read_csv(path):
    with open(path) as file:
        header = file.readline().strip().split(",")
        rows = [[float(cell) for cell in line.split(",")] for line in file]
    return header, np.array(rows).reshape(-1, len(header))


@pytest.mark.parametrize("scene", SCENES)
def test_a_scene_has_the_numbers_of_the_program(scene, program, tmp_path):
    source = (TOP / scene).read_text()
    # Enough steps to tell every difference; the long ones would only take longer.
    probe = asp.Scene(TOP / scene)
    short = min(probe["run.duration"], 300 * probe["run.step"])
    every = probe["record.every"] if "record.every" in probe else 0
    if every:
        short = max(every, round(short / every) * every)
    settings = {"run.duration": short, "run.max_steps": 1e6} if not probe._built().is_inclusion or "run.duration" in probe else {}
    done = subprocess.run([program, "run", TOP / scene, "--quiet", "-o", tmp_path / "out", *(f"--set={k}={v!r}" for k, v in settings.items())],
                          capture_output=True, text=True)
    probe.set(settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", asp.DoubtfulWarning)
        try:
            run = probe.run(progress=False)
            assert done.returncode == 0, done.stderr
        except asp.RunError as failed:
            run = failed.run
            assert done.returncode != 0
    header, rows = read_csv(tmp_path / "out" / "data.csv")
    assert [name.split(" [")[0] for name in header] == run.columns
    for column, name in enumerate(run.columns):
        np.testing.assert_array_equal(run[name], rows[:, column], err_msg=name)
    facts = json.loads((tmp_path / "out" / "summary.json").read_text())
    for key in ("events", "energy", "warnings", "verdict", "final", "impacts", "notes"):
        assert run.facts[key] == facts[key], key


# --- one block


def test_a_run_is_what_physics_says():
    """Below the limit a block rests where the asperities hold it: push/K."""
    run = asp.Scene(BLOCK).run(duration=2)
    assert run["block.position"][-1] == pytest.approx(1.0 / 5e3, rel=1e-4)
    assert run.held["floor"].mode == "held" and run.held["floor"]
    assert run.verdict == "fine" and run.finished and not run.stopped
    (motion,) = run.motions  # 1 N of 2 N; what is left of the push at the start is a thousandth of its 0.2 mm
    assert motion.kind == "held" and motion.load == pytest.approx(0.5, rel=1e-2) and motion.moved < 2e-7
    assert str(motion).startswith("block: held by floor: moved ") and str(motion) in run.summary()
    run = asp.Scene(BLOCK, push=3).run(duration=1)
    assert run["block.velocity"][-1] == pytest.approx(1.0, rel=3e-2)  # (3 N - 2 N)/1 kg for 1 s
    assert [motion.kind for motion in run.motions] == ["slides"]
    assert [event.kind for event in run.events] == ["slip"] and run.held["floor"].mode == "slipping"
    energy = run.energy
    assert energy.work_in == pytest.approx(energy.kinetic + energy.stored + energy.dissipated + energy.closing_error, rel=1e-12)


def test_columns_are_views():
    run = asp.Scene(BLOCK).run()
    x = run["block.position"]
    assert x is run["block.position"] and not x.flags.writeable and not x.flags.owndata
    assert run.t[0] == 0 and run.t[-1] == pytest.approx(0.5) and len(run.t) == 501
    assert run.units["block.position"] == "m" and run.units["floor.force"] == "N"
    with pytest.raises(KeyError, match="did you mean block.position"):
        run["block.positon"]
    with pytest.raises(ValueError):
        x[0] = 1


def test_views_outlive_the_run():
    x = asp.Scene(BLOCK).run()["block.position"]
    again = asp.Scene(BLOCK).run()["block.position"].copy()
    np.testing.assert_array_equal(x, again)


def test_a_scene_from_file_text_and_dict(tmp_path):
    (tmp_path / "block.toml").write_text(BLOCK)
    import tomllib

    ways = [asp.Scene(tmp_path / "block.toml"), asp.Scene(str(tmp_path / "block.toml")), asp.Scene(BLOCK), asp.Scene(tomllib.loads(BLOCK))]
    numbers = [scene.run()["block.position"] for scene in ways]
    for other in numbers[1:]:
        np.testing.assert_array_equal(numbers[0], other)
    with pytest.raises(FileNotFoundError):
        asp.Scene("there is none.toml")
    with pytest.raises(TypeError):
        asp.Scene(5)


def test_values_are_read_and_changed():
    scene = asp.Scene(BLOCK, push="0.5")
    assert scene["floor.K"] == 5000 and scene["run.step"] == 1e-3 and scene["let.push"] == "0.5"
    scene["floor.K"] = "10 N/mm"
    assert scene["floor.K"] == 10000
    scene.set({"floor.F": 1.5, "block.mass": 2})
    assert scene["floor.F"] == 1.5 and scene["block.mass"] == 2
    assert scene.parameters["floor.K"].unit == "N/m"
    other = scene.copy()
    other["floor.K"] = 1
    assert scene["floor.K"] == 10000
    with pytest.raises(KeyError):
        scene["floor.hardness"]
    assert "floor.K" in scene and "floor.hardness" not in scene


def test_every_problem_is_told():
    with pytest.raises(asp.SceneError) as wrong:
        asp.Scene(BLOCK.replace("F = 2.0", "F = -2.0").replace("mass = 1.0", "mas = 1.0"))
    problems = wrong.value.problems
    assert len(problems) >= 2 and all(p.file and p.text for p in problems)
    line = next(p.line for p in problems if "-2" in p.text)
    assert BLOCK.splitlines()[line - 1] == "F = 2.0"
    scene = asp.Scene(BLOCK)
    for path, value in (("floor.K", -3), ("wall.K", 3), ("floor.K", float("nan")), ("floor.K", "5 kg"), ("let.pull", 3), ("run.method", "magic")):
        with pytest.raises(asp.SceneError) as wrong:
            scene[path] = value
        assert len(wrong.value.problems) == 1 and "--set" not in str(wrong.value)
    assert scene["floor.K"] == 5000
    with pytest.raises(TypeError):
        scene["floor.K"] = object()
    assert pickle.loads(pickle.dumps(wrong.value)).problems == wrong.value.problems


@pytest.mark.parametrize("text", ["\n", "a\nb", "[run\n", "\x00\n", "[run]\nduration = 1\n", "[[body]]\nname = 3\n"])
def test_what_is_no_scene_is_refused(text):
    with pytest.raises(asp.SceneError) as wrong:
        asp.Scene(text)
    assert wrong.value.problems


def test_options_of_a_run():
    scene = asp.Scene(BLOCK)
    run = scene.run(duration=1, method="implicit2", step=1e-3, record=["block.*"], every=1e-2)
    assert run.columns[0] == "time" and all(name.startswith("block.") for name in run.columns[1:])
    assert len(run.t) == 101 and run.statistics["method"] == "implicit2"
    assert scene["run.duration"] == 0.5  # the scene itself is as it was
    with pytest.raises(asp.SceneError):
        scene.run(duration=-1)
    with pytest.raises(asp.SceneError):
        scene.run(speed=1)
    with pytest.raises(ValueError):
        scene.run(threads=0)


def test_a_run_that_fails_has_what_there_is():
    scene = asp.Scene(BLOCK.replace('law = "single_state"\nF = 2.0\nK = 5e3\nbeta = 2e-3', 'law = "spring"\nK = 1e8'))
    with pytest.raises(asp.RunError) as failed:  # the step is far too long for such a spring
        scene.run()
    run = failed.value.run
    assert run.failure and 0 < run.t[-1] < 0.5 and not run.finished and run is scene.last
    assert len(pickle.loads(pickle.dumps(failed.value)).run.t) == len(run.t)


def test_doubtful_numbers_are_said():
    scene = asp.Scene(BLOCK, push=3)
    with pytest.raises((asp.RunError, asp.DoubtfulWarning)), warnings.catch_warnings():
        warnings.simplefilter("error")
        scene.run(step=5e-2, duration=2)


def test_a_refused_run_has_none(scenes):
    with pytest.raises(asp.RunError) as refused:  # a warning, and strict
        asp.Scene(scenes / "held_by_friction.toml").run(strict=True)
    assert refused.value.run is None and refused.value.problems


def test_check_and_explain(scenes):
    check = asp.Scene(scenes / "pinch.toml").check()
    assert check and check.ok and str(check)
    assert asp.Scene(BLOCK).check(deep=True).facts["verification"] is not None
    assert "capsule" in asp.Scene(scenes / "pinch.toml").explain()
    inclusion = sorted((scenes / "inclusions").glob("*.toml"))[0]
    assert asp.Scene(inclusion).explain() != asp.Scene(inclusion).explain("latex")
    with pytest.raises(ValueError):
        asp.Scene(BLOCK).explain("latex")


def test_written_runs_are_read_back(tmp_path):
    run = asp.Scene(BLOCK).run()
    page = run.report(tmp_path / "out")
    assert os.path.getsize(page) > 1000 and "<html" in run.page()[:200].lower()
    again = asp.read_run(tmp_path / "out")
    for name in run:
        np.testing.assert_array_equal(run[name], again[name])
    assert again.events == run.events and again.verdict == run.verdict
    assert asp.Scene(BLOCK).run(folder=tmp_path / "direct")["block.position"].tolist() == run["block.position"].tolist()
    with pytest.raises(OSError):
        asp.read_run(tmp_path / "nothing")
    (tmp_path / "file").write_text("mine")
    with pytest.raises(OSError):
        run.report(tmp_path / "file")
    both = asp.compare(run, asp.Scene(BLOCK, push=0.5).run(duration=2))
    assert both.columns["block.position"].final_b == pytest.approx(0.5 / 5e3, rel=1e-3) and "<html" in both.page[:200].lower()


def test_another_law_at_the_same_place():
    scene = asp.Scene(BLOCK)
    other = scene.swap_law("lugre")
    assert other.elements == {"floor": "lugre"} and other["floor.K"] == 5000 and other.assumed and scene.elements == {"floor": "single_state"}
    assert other.run().verdict
    for wrong in ("magic", ""):
        with pytest.raises(ValueError):
            scene.swap_law(wrong)
    with pytest.raises(ValueError):
        scene.swap_law("lugre", "wall")


def test_pandas_and_plots():
    run = asp.Scene(BLOCK, push=3).run()
    pd = pytest.importorskip("pandas")
    frame = run.to_pandas()
    assert isinstance(frame, pd.DataFrame) and frame.index.name == "time" and frame.attrs["units"]["block.position"] == "m"
    np.testing.assert_array_equal(frame["block.position"], run["block.position"])
    pytest.importorskip("matplotlib")
    assert len(run.plot().axes) >= 2 and len(run.plot("floor.force").axes) == 1
    assert run.plot("block.*", x="block.position").axes
    with pytest.raises(KeyError):
        run.plot("floor.forze")


def test_words_for_people():
    scene = asp.Scene(BLOCK)
    run = scene.run()
    for one in (scene, run, scene.check(), run.held["floor"]):
        assert "\n" not in repr(one)
    assert "<table>" in run._repr_html_() and "<table>" in scene._repr_html_()
    assert "energy" in run.summary()


def test_pickles():
    scene = asp.Scene(BLOCK, push=3)
    scene["floor.K"] = 1e4
    again = pickle.loads(pickle.dumps(scene))
    run, other = scene.run(), again.run()
    np.testing.assert_array_equal(run["block.position"], other["block.position"])
    copy = pickle.loads(pickle.dumps(run))
    assert copy.columns == run.columns and copy.events == run.events and copy.held == run.held
    np.testing.assert_array_equal(copy["block.position"], run["block.position"])


# --- threads, Ctrl-C, memory


def test_many_threads_have_the_same_numbers():
    scene = asp.Scene(BLOCK, push=3)
    alone = scene.run(duration=2)["block.position"]
    with ThreadPoolExecutor(8) as pool:
        runs = list(pool.map(lambda _: scene.run(duration=2, progress=False), range(8)))
    for run in runs:
        np.testing.assert_array_equal(run["block.position"], alone)


def test_python_goes_on_while_a_scene_runs():
    """The interpreter is free: another thread counts while the run has it released."""
    scene, counted, done = asp.Scene(BLOCK), [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(1e-4)

    thread = threading.Thread(target=count)
    thread.start()
    scene.run(duration=60, every=1, progress=False)
    done.set()
    thread.join()
    assert counted[0] > 10


def test_ctrl_c_leaves_what_there_is():
    scene = asp.Scene(BLOCK)
    sent = []

    def progress(now, end, what):
        if now > 1 and not sent:
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(asp.Interrupted) as stopped:
        scene.run(duration=5000, every=1, progress=progress)
    assert issubclass(asp.Interrupted, KeyboardInterrupt)
    run = stopped.value.partial
    assert run is scene.last and run.stopped and 1 <= run.t[-1] < 5000 and len(run["block.position"]) == len(run.t)
    assert run.facts["run"]["finished"] is False


def test_an_exception_of_progress_ends_the_run():
    def progress(now, end, what):
        raise ZeroDivisionError("mine")

    scene = asp.Scene(BLOCK)
    with pytest.raises(ZeroDivisionError, match="mine"):
        scene.run(duration=5000, every=1, progress=progress)
    assert scene.last.stopped


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_memory_stays_flat():
    """Ten thousand scenes, read and run: what they took comes back."""
    text = BLOCK.replace("duration = 0.5", "duration = 0.002")

    def work(count):
        for number in range(count):
            run = asp.Scene(text).run(progress=False)
            if number % 10:
                continue
            run["block.position"], run.facts
            with pytest.raises(asp.SceneError):
                asp.Scene(text + "[wrong]\n")
            asp.SingleState(F=2).stepper(1e-3)(1.0)

    work(1000)
    before = resident()
    work(9000)
    assert resident() - before < 4e6
