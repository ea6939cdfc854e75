"""Studies from Python: the table of the program, byte for byte, from threads, executors and dask; functions as measures; nothing lost."""
import concurrent.futures
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

import asperity as asp

BLOCK = """
[let]
push = 0.4
[run]
duration = 0.5
step = 1e-3
[[body]]
name = "block"
kind = "mass"
mass = 1
[[element]]
name = "floor"
between = ["block", "ground"]
law = "single_state"
F = 0.5
K = 1e6
beta = 2e-3
[[input]]
on = "block"
force = "push*min(1, 5*t)"
"""
VARY = {"let.push": {"from": 0.3, "to": 0.7, "count": 12}, "floor.F": {"from": 0.4, "to": 0.6, "count": 5}}
SHORT = {"let.push": {"from": 0.3, "to": 0.7, "count": 12}}
MEASURE = {"end": "last(block.position)", "held": "count(floor.slips) == 0"}


def by_program(program, folder, scene=BLOCK, words=()):
    """The bytes of table.csv."""
    (folder / "block.toml").write_text(scene)
    vary = ["--vary", "let.push=0.3:0.7:12", "--vary", "floor.F=0.4:0.6:5"]
    measure = ["--measure", f"end={MEASURE['end']}", "--measure", f"held={MEASURE['held']}"]
    subprocess.run([program, "study", "block.toml", *(words or [*vary, *measure]), "-o", "out", "--quiet"], cwd=folder, check=False)
    return (folder / "out/table.csv").read_bytes()


def table_of(study, folder):
    study.to_csv(folder / "mine.csv")
    return (folder / "mine.csv").read_bytes()


def test_the_table_of_the_program(program, tmp_path):
    expected = by_program(program, tmp_path)
    for threads in (1, 2):
        assert table_of(asp.study(BLOCK, VARY, MEASURE, threads=threads), tmp_path) == expected
    done = asp.study(tmp_path / "block.toml", VARY, MEASURE, folder=tmp_path / "folder")
    for name in ("table.csv", "study.toml", "scene.toml"):
        assert (tmp_path / "folder" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()
    assert (tmp_path / "folder/report.html").exists() and done.folder == str(tmp_path / "folder")
    assert table_of(done, tmp_path) == table_of(asp.read_study(tmp_path / "out"), tmp_path) == expected
    # a study as a file, with what is added to it
    (tmp_path / "map.toml").write_text('scene = "block.toml"\n[vary]\n"let.push" = { from = 0.3, to = 0.7, count = 12 }\n[measure]\n'
                                       'end = "last(block.position)"\n')
    added = asp.study(tmp_path / "map.toml", {"floor.F": "0.4:0.6:5"}, {"held": MEASURE["held"]})
    assert table_of(added, tmp_path) == expected


def test_random_designs_of_the_program(program, tmp_path):
    words = ["--vary", "block.mass=normal(1, 0.1, 0.5)", "--vary", "floor.F=uniform(0.2, 0.5)", "--samples", "6", "--seed", "3", "--sensitivity", "sobol",
             "--measure", "end=last(block.position)", "--set", "let.push=0.45"]
    expected = by_program(program, tmp_path, words=words)
    done = asp.study(asp.Scene(BLOCK, push=0.45), {"block.mass": {"normal": 1, "sd": 0.1, "low": 0.5}, "floor.F": {"uniform": [0.2, 0.5]}},
                     {"end": "last(block.position)"}, samples=6, seed=3, sensitivity="sobol")
    assert table_of(done, tmp_path) == expected and len(done) == 6 * 4
    rows = [line.split(",") for line in (tmp_path / "out/sensitivity.csv").read_text().splitlines()[1:]]
    assert [list(map(str, one[:2])) + [float(x) for x in one[2:]] for one in done.sensitivity()] == [row[:2] + [float(x) for x in row[2:]] for row in rows]


def test_sensitivities_of_a_sum():
    """Of x = v t without forces, at t = 1: the variance of the position is that of the velocity, and of the start."""
    ball = ('[let]\nv = 1\nx = 0\n[run]\nduration = 1\nstep = 0.1\n[[body]]\nname = "ball"\nkind = "mass"\nmass = 1\nvelocity = "v"\nposition = "x"\n')
    vary = {"let.v": {"uniform": [0, 2]}, "let.x": {"uniform": [0, 1]}}
    done = asp.study(ball, vary, {"end": "last(ball.position)"}, samples=256, sensitivity="sobol")
    first = {one.parameter: one.first for one in done.sensitivity()}
    assert first["let.v"] == pytest.approx(0.8, abs=0.05) and first["let.x"] == pytest.approx(0.2, abs=0.05)
    morris = asp.study(ball, vary, {"end": "last(ball.position)"}, samples=8, sensitivity="morris").sensitivity("end")
    assert [one.mean for one in morris] == pytest.approx([2, 1]) and max(one.deviation for one in morris) < 1e-9
    with pytest.raises(ValueError, match="sensitivity"):
        asp.study(ball, {"let.v": [1, 2]}, {"end": "last(ball.position)"}).sensitivity()


def test_columns_maps_and_points():
    done = asp.study(BLOCK, VARY, MEASURE)
    assert list(done) == ["let.push", "floor.F", "end", "held"] and len(done) == 60 and done.counts == {"fine": 60}
    grid = done.map("held")
    assert grid.values.shape == (5, 12) and (grid.x, grid.y) == ("let.push", "floor.F")
    over = grid.x_values[None, :] - grid.y_values[:, None]  # it holds as long as the push is below the limit
    clear = abs(over) > 0.03
    assert (grid.values[clear] == (over < 0)[clear]).all()
    np.testing.assert_array_equal(done.map("held", x="floor.F").values, grid.values.T)
    np.testing.assert_array_equal(done.map("end").values, done["end"].reshape(12, 5).T)
    assert done.scene(7).run()["block.position"][-1] == done["end"][7]
    assert f"--set floor.F={done['floor.F'][7]!r}" in done.command(7).replace("0.5000000000000001", repr(float(done["floor.F"][7])))
    again = pickle.loads(pickle.dumps(done))
    assert repr(again) == repr(done) and (again["end"] == done["end"]).all() and "\n" not in repr(done)
    assert "<table>" in done._repr_html_()
    for call in (lambda: done["speed"], lambda: done.scene(60)):
        with pytest.raises(KeyError):
            call()
    with pytest.raises(ValueError, match="end, held"):
        done.map()


def test_a_table_with_and_without_pandas(monkeypatch):
    done = asp.study(BLOCK, {"run.method": ["rk4", "implicit2"]}, {"end": "last(block.position)"})
    assert list(done["run.method"]) == ["rk4", "implicit2"]
    frame = pytest.importorskip("pandas") and done.table
    assert list(frame.columns) == ["run.method", "end", "verdict", "problem"] and frame.index.name == "point"
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert list(done.table) == ["point", "run.method", "end", "verdict", "problem"] and isinstance(done.table["end"], np.ndarray)


def test_plots():
    pytest.importorskip("matplotlib")
    assert asp.study(BLOCK, VARY, MEASURE).plot("end").axes[0].get_xlabel() == "let.push"
    one = {"floor.F": [0.3, 0.4, 0.5], "block.mass": {"uniform": [1, 2]}}
    assert asp.study(BLOCK, one, MEASURE, samples=4).plot("end").axes[0].get_xlabel() == "floor.F [N]"
    assert asp.study(BLOCK, {"block.mass": {"uniform": [1, 2]}}, MEASURE, samples=9).plot("end").axes[0].get_ylabel() == "points"
    border = asp.study(BLOCK, {"floor.F": "0.3:0.5:3"}, MEASURE, border="held")
    assert border.plot() is not None
    # The block holds up to a push of F, and a spring that is loaded within 0.2 s overshoots by little.
    assert border.crossings[0, 0] == pytest.approx(0.4, abs=2e-3)


def test_functions_of_the_run():
    done = asp.study(BLOCK, VARY, {**MEASURE, "last": lambda run: run["block.position"][-1], "slips": lambda run: sum(e.kind == "slip" for e in run.events)})
    assert list(done)[-4:] == ["end", "held", "last", "slips"]
    assert (done["last"] == done["end"]).all() and ((done["slips"] == 0) == (done["held"] == 1)).all()

    def both(run):
        return {"a": run["block.position"][-1], "b": run.energy.dissipated}

    alone = asp.study(BLOCK, VARY, both, threads=2)
    assert list(alone)[-2:] == ["a", "b"] and (alone["a"] == done["end"]).all()
    one = asp.study(BLOCK, {"floor.F": [0.5]}, lambda run: len(run.t))
    assert one["measure"][0] == len(asp.Scene(BLOCK).run().t)


def test_nothing_is_lost(program, tmp_path):
    """Points that cannot be and functions that raise are in the table, with words; the program has the same table."""
    vary = {"floor.K": [-1, 1e4, 1e9], "let.push": [0.3, 0.7]}
    with pytest.warns(asp.DoubtfulWarning, match="2 refused"):
        done = asp.study(BLOCK, vary, {"end": MEASURE["end"]})
    words = ["--vary", "floor.K=-1,1e4,1e9", "--vary", "let.push=0.3,0.7", "--measure", "end=last(block.position)"]
    assert table_of(done, tmp_path) == by_program(program, tmp_path, words=words)
    assert list(done.verdict[:2]) == ["refused"] * 2 and "floor.K = -1 N/m: must be > 0" in done.problem[0] and np.isnan(done["end"][0])
    assert done.doubts[0].point == 0

    def fails(run):
        if run["block.position"][-1] > 1e-3:
            raise RuntimeError("beyond\nthe end")
        return 1.0

    with pytest.warns(asp.DoubtfulWarning):
        mine = asp.study(BLOCK, vary, {"ok": lambda run: 2.0, "fails": fails})
    assert list(mine.verdict[:2]) == ["refused"] * 2 and mine.problem[0] == done.problem[0]
    assert mine.verdict[3] == "incomplete" and mine.problem[3] == "fails: RuntimeError: beyond; the end"
    assert mine["ok"][3] == 2 and np.isnan(mine["fails"][3]) and mine["fails"][2] == 1


def test_bad_studies_are_refused_in_words():
    for vary, measure, keys, part in (({"flor.K": [1]}, MEASURE, {}, "did you mean floor"), ({"floor.K": []}, MEASURE, {}, "at least one value"),
                                      ({"floor.K": [1]}, {}, {}, "measure"), ({"floor.K": [1]}, {"a": "lst(block.position)"}, {}, "a = "),
                                      ({"floor.K": {"normal": 1, "sd": 1}}, MEASURE, {}, "samples is missing"),
                                      ({"floor.K": [1]}, {"floor.K": lambda run: 1}, {}, "another column")):
        with pytest.raises(asp.StudyError, match=part) as error:
            asp.study(BLOCK, vary, measure, **keys)
        assert not error.value.problems[0].startswith("study:")
    for wrong in ({"vary": {"floor.K": 3}}, {"vary": {}, "measure": 3}, {"vary": {}, "measure": {"a": 3}}, {"vary": {}, "measure": MEASURE, "on": 3}):
        with pytest.raises(TypeError):
            asp.study(BLOCK, **wrong)
    with pytest.raises(ValueError, match="function"):
        asp.study(BLOCK, {}, lambda run: 1, folder="nowhere")
    with pytest.raises(ValueError, match="threads"):
        asp.study(BLOCK, {}, MEASURE, threads=0)


@pytest.mark.parametrize("measure", [{"end": "last(block.position)"}, lambda run: run["block.position"][-1]], ids=["formula", "function"])
def test_ctrl_c_keeps_what_was_run(measure):
    """Of one point that is quick and one that takes hours."""
    vary = {"run.duration": [0.2, 1e5]}
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(asp.Interrupted) as stopped:
        asp.study(BLOCK, vary, measure, threads=2, set={"record.every": 0.1})
    timer.join()
    partial = stopped.value.partial
    assert len(partial) == 1 and partial["run.duration"][0] == 0.2 and "1 of them run" in repr(partial)


def test_progress_and_a_folder_that_goes_on(tmp_path):
    told = []
    asp.study(BLOCK, SHORT, MEASURE, progress=lambda done, of, what: told.append((done, of)), set={"run.step": 5e-5})
    assert told and all(of == 12 and 0 <= done <= 12 for done, of in told)

    def stop(done, of, what):
        if done > 3:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(asp.Interrupted):
        asp.study(BLOCK, SHORT, MEASURE, folder=tmp_path / "part", progress=stop, set={"run.step": 5e-5})
    with pytest.raises(asp.StudyError, match="not finished"):
        asp.study(BLOCK, SHORT, MEASURE, folder=tmp_path / "part", set={"run.step": 5e-5})
    done = asp.study(BLOCK, SHORT, MEASURE, folder=tmp_path / "part", set={"run.step": 5e-5}, resume=True)
    assert table_of(done, tmp_path) == table_of(asp.study(BLOCK, SHORT, MEASURE, set={"run.step": 5e-5}), tmp_path)


def test_on_an_executor(tmp_path):
    expected = table_of(asp.study(BLOCK, VARY, MEASURE), tmp_path)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert table_of(asp.study(BLOCK, VARY, MEASURE, on=pool), tmp_path) == expected
        done = asp.study(BLOCK, VARY, MEASURE, on=pool, folder=tmp_path / "x")
        assert (tmp_path / "x/table.csv").read_bytes() == expected and not (tmp_path / "x/chunks").exists()
        assert done.counts == {"fine": 60}


@pytest.fixture(scope="module")
def client():
    """Two processes on this machine."""
    try:
        import distributed
    except ImportError:
        pytest.skip("dask.distributed is missing: tools/install-deps cluster")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None,
                                      silence_logs=50) as cluster, distributed.Client(cluster, timeout=60) as client:
            yield client


def test_on_dask(client, program, tmp_path):
    assert table_of(asp.study(BLOCK, VARY, MEASURE, on=client), tmp_path) == by_program(program, tmp_path)
    mine = asp.study(BLOCK, VARY, lambda run: {"end": run["block.position"][-1]}, on=client)
    assert (mine["end"] == asp.study(BLOCK, VARY, MEASURE)["end"]).all()


def test_a_killed_worker_costs_nothing(client, tmp_path):
    settings = {"run.step": 5e-5}
    expected = table_of(asp.study(BLOCK, SHORT, MEASURE, set=settings), tmp_path)
    workers = client.run(os.getpid)
    killed = []

    def kill(done, of, what):
        if not killed:
            killed.append(next(iter(workers.values())))
            os.kill(killed[0], signal.SIGKILL)

    done = asp.study(BLOCK, SHORT, MEASURE, set=settings, on=client, folder=tmp_path / "x", progress=kill)
    assert killed and killed[0] not in client.run(os.getpid).values()
    assert (tmp_path / "x/table.csv").read_bytes() == expected and len(done) == 12
