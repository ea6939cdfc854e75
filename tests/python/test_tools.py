"""Design, restitution and identification from Python, against closed forms and known truths."""
import pickle

import numpy as np
import pytest

import asperity as asp


def test_a_contact_bounces_as_designed():
    design = asp.design.contact(restitution=0.75, mass=0.057, speed=5, step=5e-4)
    assert asp.restitution(design.law, mass=0.057, speed=5) == pytest.approx(0.75, abs=1e-6)
    assert design.facts["recommended_step"] >= 5e-4 > 0.9 * design.facts["recommended_step"]
    assert "\n" not in repr(design) and str(design)
    # and in a scene, at that step
    world = asp.World()
    world.mass("ball", 0.057, velocity=-5.0, position=1e-3)
    world.element("wall", ("ball", "ground"), design.law)
    run = world.run(duration=0.05, step=5e-4)
    assert run.impacts[0].restitution == pytest.approx(0.75, abs=5e-3)


def test_sizes_of_a_contact():
    for law in ("linear_compliance", "hunt_crossley", "kelvin_voigt_clamped", "nonlinear_compliance"):
        design = asp.design.contact(restitution=0.6, mass=1, speed=2, contact_time=0.01, law=law)
        impact = asp.impacts(design.law, mass=1, speed=2)
        assert impact.restitution == pytest.approx(0.6, abs=1e-6) and impact.contact_time == pytest.approx(0.01, rel=1e-3)
    deep = asp.design.contact(restitution=0.6, mass=1, speed=2, penetration=1e-3)
    assert asp.impacts(deep.law, mass=1, speed=2).deepest == pytest.approx(1e-3, rel=1e-6)
    two = asp.design.contact(mass=1, stiffness=1e4, gamma=2e3, at={1: 0.8, 5: 0.6})
    np.testing.assert_allclose(asp.restitution(two.law, mass=1, speed=[1, 5]), [0.8, 0.6], atol=1e-5)


def test_wishes_that_cannot_be():
    for wish, error in (({"restitution": 2, "speed": 1, "penetration": 1e-3}, ValueError), ({"restitution": 0.5, "speed": 1}, TypeError),
                        ({"speed": 1, "penetration": 1e-3}, TypeError), ({"restitution": 0.5, "speed": -1, "penetration": 1e-3}, ValueError),
                        ({"restitution": 0.5, "speed": 1, "penetration": 1e-3, "stiffness": 1}, ValueError),
                        ({"restitution": 0.5, "speed": 1, "penetration": 1e-3, "law": "lugre"}, ValueError),
                        ({"restitution": float("nan"), "speed": 1, "penetration": 1e-3}, ValueError)):
        with pytest.raises(error):
            asp.design.contact(mass=1, **wish)
    with pytest.raises(ValueError):
        asp.design.friction(limit=-1, mass=1, step=1e-3)
    with pytest.raises(ValueError):
        asp.design.friction(limit=1, mass=1, step=1e-3, method="magic")
    with pytest.raises(ValueError, match="shake"):
        asp.design.friction(limit=1, mass=1, step=1e-3, mean=1)


def test_friction_holds_as_designed():
    design = asp.design.friction(limit=5, mass=1, step=1e-3)
    world = asp.World()
    world.mass("block", 1.0)
    world.element("floor", ("block", "ground"), design.law)
    world.input("block", force="4.9*min(1, t/0.1)")
    run = world.run(duration=0.2, step=1e-3)
    assert run.held["floor"] and run["block.position"][-1] == pytest.approx(4.9 / design.law.K, rel=1e-3)


def test_a_scene_is_designed(tmp_path):
    draft = """
[run]
duration = 0.1
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
K = "design"
beta = "design"
"""
    with pytest.raises(asp.SceneError, match="design"):
        asp.Scene(draft)
    design = asp.design.scene(draft)
    assert design.scene.run().verdict == "fine" and design.scene["floor.K"] > 1e4
    with pytest.raises(asp.SceneError):
        asp.design.scene(draft.replace("single_state", "magic"))


# --- restitution


def test_restitution_in_closed_form():
    """Spring and damper that push only: e = exp(-zeta t_c), t_c = 2 acos(zeta)/sqrt(1 - zeta^2)."""
    K, B, M = 1e4, 40.0, 1.0
    law = asp.KelvinVoigtClamped(K=K, B=B)
    zeta = B / (2 * np.sqrt(K * M))
    expected = np.exp(-zeta * 2 * np.arccos(zeta) / np.sqrt(1 - zeta**2))
    np.testing.assert_allclose(asp.restitution(law, mass=M, speed=np.logspace(-1, 1, 50)), expected, rtol=1e-9)
    assert asp.restitution(law, mass=M, speed=2) == pytest.approx(expected, rel=1e-9)
    assert asp.restitution(asp.Hertz(), mass=1, speed=np.ones((2, 3))) == pytest.approx(np.ones((2, 3)), abs=1e-9)
    assert asp.restitution(law, mass=1, speed=[]).shape == (0,)


def test_a_map_of_restitutions():
    v, e = asp.restitution_map(asp.HuntCrossley(), mass=1, v0=(0.1, 10, 5, "log"))
    np.testing.assert_allclose(e, asp.restitution(asp.HuntCrossley(), mass=1, speed=v), atol=1e-5)
    beta, v, e = asp.restitution_map(asp.NonlinearCompliance(), mass=1, beta1=(1e-4, 6e-3, 4), v0=(0.5, 5, 3, "log"))
    assert e.shape == (3, 4) and np.isfinite(e).all()
    assert e[1, 2] == pytest.approx(asp.restitution(asp.NonlinearCompliance(beta1=float(beta[2])), mass=1, speed=float(v[1])), abs=1e-5)


@pytest.mark.parametrize("keys, error", [({"law": asp.SingleState()}, ValueError), ({"mass": -1}, ValueError), ({"speed": [1, np.nan]}, ValueError),
                                         ({"speed": "fast"}, ValueError), ({"speed": -1}, ValueError), ({"law": "hertz"}, TypeError)])
def test_what_is_no_impact_is_refused(keys, error):
    given = {"law": asp.Hertz(), "mass": 1, "speed": 1, **keys}
    with pytest.raises(error):
        asp.restitution(given.pop("law"), **given)


# --- identification


def axis(n=1500, noise=0.0):
    """A sled with dry friction F = 2 N, K = 5 kN/m, moved to and fro; 3 kg of it are to be found."""
    t = 2e-3 * np.arange(n)
    x = 4e-3 * np.sin(2 * np.pi * 0.9 * t) + 1e-3 * np.sin(2 * np.pi * 2.3 * t)
    v = np.gradient(x, t)
    friction = asp.SingleState(F=2, K=5000, beta=1e-3).follow(position=x, dt=2e-3)
    return {"t": t, "q [mm]": 1e3 * x, "u": (friction + noise * np.random.default_rng(2).standard_normal(n)) / 35.15, "remark": ["x"] * n}


def test_a_law_is_found_again():
    fit = asp.identify(axis(noise=0.01), time="t", position="q [mm]", force="35.15*u", laws=["single_state", "threshold"])
    assert type(fit.best) is asp.SingleState
    assert fit.best.F == pytest.approx(2, rel=0.01) and fit.best.K == pytest.approx(5000, rel=0.05)
    assert fit.table["single_state"].unseen_rms < 0.1 * fit.table["threshold"].unseen_rms or fit.table[0].law == "single_state"
    low, high = fit.fitted.estimates["F"].low, fit.fitted.estimates["F"].high
    assert low < 2.02 and high > 1.98
    assert isinstance(fit.doubts, list) and "<html" in str(fit.report())[:200].lower() and "\n" not in repr(fit)
    again = pickle.loads(pickle.dumps(fit))
    assert again.best == fit.best and again.table == fit.table
    force = fit.best.follow(velocity=[0.01] * 100, dt=1e-3)  # ready to run
    assert force[-1] == pytest.approx(2, rel=0.02)


def test_tables_of_any_kind(tmp_path):
    pd = pytest.importorskip("pandas")
    data = axis()
    keys = {"time": "t", "position": "q [mm]", "force": "35.15*u", "laws": "single_state"}
    frame = pd.DataFrame(data)
    frame.drop(columns="remark").to_csv(tmp_path / "axis.csv", index=False)
    first = asp.identify(data, **keys).best
    assert asp.identify(frame, **keys).best == first
    assert asp.identify(frame.set_index("t"), **keys).best == first
    assert asp.identify(tmp_path / "axis.csv", **keys).best.F == pytest.approx(first.F, rel=1e-6)
    written = asp.identify(frame, **keys)
    written.report(tmp_path / "fit")
    assert asp.Scene(tmp_path / "fit" / "single_state.toml").check()


@pytest.mark.parametrize("change, error", [({"laws": "magic"}, ValueError), ({"laws": []}, ValueError), ({"time": "x"}, ValueError), ({"time": None}, ValueError),
                                           ({"force": 3}, TypeError), ({"mass": "heavy"}, ValueError), ({"mass": "3 m"}, ValueError), ({"train": (2, 1)}, ValueError),
                                           ({"train": 5}, TypeError), ({"bounds": {"K": (2, 1)}}, ValueError), ({"elements": 0}, ValueError),
                                           ({"filter": "magic"}, ValueError), ({"fixed": {"hardness": 1}}, ValueError)])
def test_what_cannot_be_identified_is_refused(change, error):
    with pytest.raises(error):
        asp.identify(axis(200), **{"time": "t", "position": "q [mm]", "force": "35.15*u", "laws": "single_state", **change})


@pytest.mark.parametrize("data, error", [(5, TypeError), ({}, ValueError), ({"t": [1, 2], "x": [1]}, ValueError), ({"t": []}, ValueError),
                                         ("there is none.csv", OSError)])
def test_what_is_no_table_is_refused(data, error):
    with pytest.raises(error):
        asp.identify(data, time="t", position="q", force="u", laws="single_state")


def exact_pull(k, m=1.0, v=1e-3, F_s=1.5, F_c=1.0):
    """The spring force of a sled that is pulled slowly, in closed form: it sticks while f rises at k v, and slips along
    f = F_c + D cos wt + (k v/w) sin wt until it is at rest again."""
    w, D = np.sqrt(k / m), F_s - F_c
    stick, slip = 2 * D / (k * v), 2 / w * (np.pi - np.arctan(D / (v * np.sqrt(k * m))))
    t = 0.005 * np.arange(40000)
    at = np.fmod(t, stick + slip) - stick
    return {"t": t, "F [N]": np.where(at < 0, F_s + k * v * at, F_c + D * np.cos(w * at) + k * v / w * np.sin(w * at))}, stick + slip


def test_stick_slip_finds_friction_again():
    data, period = exact_pull(100)
    soft, soft_period = exact_pull(50)
    study = asp.stick_slip(data, laws="single_state_stribeck", time="t", force="F", spring=100, pull="1 mm/s", mass=1, fixed={"v_s": 1e-3},
                           predict=50, validate=soft)
    law = study.facts["laws"][0]
    assert law["law"] == "single_state_stribeck"
    assert law["F_s"] == pytest.approx(1.5, abs=6e-3) and law["F_c"] == pytest.approx(1.0, abs=6e-3)
    assert study.facts["measured"]["cycles"] == pytest.approx(200 / period, abs=2)
    assert law["explains_both"] is True
    assert "single_state_stribeck" in str(study) and "\n" not in repr(study)


def test_stick_slip_says_what_is_wrong():
    data, _ = exact_pull(100)
    known = {"time": "t", "force": "F", "spring": 100, "pull": 1e-3, "mass": 1}
    for change, part in (({"laws": "lugr"}, "did you mean lugre"), ({"slip": 5}, "0 whole cycles"), ({"fixed": {"F_s": 1}}, "what is looked for"),
                         ({"spring": -1}, "spring")):
        with pytest.raises(ValueError, match=part):
            asp.stick_slip(data, **{"laws": "lugre", **known, **change})


def test_experiments_of_the_papers():
    listed = asp.experiments()
    assert len(listed) > 20 and listed["xiong2013-fig-3.4"].paper == "xiong2013"
    told = []
    gallery = asp.reproduce("xiong2013-fig-3.4", threads=1, progress=lambda done, of, what: told.append((done, of)))
    assert gallery.passed and list(gallery) == ["xiong2013-fig-3.4"]
    one = gallery["xiong2013-fig-3.4"]
    assert one.facts and all(fact.verdict in ("passed", "measured") for fact in one.facts) and one.failure == ""
    expected = [fact for fact in one.facts if fact.expected is not None]
    assert expected and all(abs(fact.value - fact.expected) <= fact.tolerance for fact in expected)
    assert one.pictures and all(svg.startswith("<svg") for svg in one.pictures.values())
    assert [fact["value"] for fact in gallery.facts] == [fact.value for fact in one.facts]
    assert "<html" in gallery.report()
    with pytest.raises(ValueError, match="did you mean xiong2013-fig-3.4"):
        asp.reproduce("xiong2013-fig-3.44")


def test_the_facts_of_the_program(program, tmp_path):
    import json
    import subprocess

    subprocess.run([program, "reproduce", "xiong2013-fig-3.4", "-o", tmp_path / "out"], check=True, capture_output=True, timeout=120)
    assert asp.reproduce("xiong2013-fig-3.4").facts == json.loads((tmp_path / "out/facts.json").read_text())
