"""The classes of the catalogue: the numbers of the C++ laws, bit for bit; parameters, errors, arrays."""
import inspect
import os
import pickle
import signal
import subprocess

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

import asperity as asp

DT = 1e-3
FRICTION = [law for law in asp.laws.values() if law.kind == "friction"]
# + - * / and comparisons only: lanes have the numbers of the plain loop; the others have exp or pow
ARITHMETIC = {"threshold", "dahl", "single_state", "single_state_falling", "kelvin_voigt", "kelvin_voigt_clamped",
              "linear_compliance", "implicit_contact", "frictional_contact"}


def motion_of(law, gap, rate, v):
    """What a law of this kind reads."""
    return {"friction": {"velocity": v}, "contact": {"gap": gap, "gap_rate": rate},
            "composite": {"gap": gap, "gap_rate": rate, "velocity": v}}[law.kind]


def columns(force):
    return list(force) if isinstance(force, tuple) else [force]


def samples(n, seed=1):
    random = np.random.default_rng(seed)
    t = DT * np.arange(n)
    gap = 2e-4 * np.sin(9 * t) + 1e-5 * random.standard_normal(n)
    return gap, np.gradient(gap, DT), 2e-3 * np.cos(7 * t) + 1e-4 * random.standard_normal(n)


def test_every_law_has_the_numbers_of_cpp(tmp_path):
    gap, rate, v = samples(3000)
    np.stack([gap, rate, v], axis=1).tofile(tmp_path / "in.bin")
    subprocess.run([os.environ["ASPERITY_LAWS"], tmp_path / "in.bin", repr(DT), tmp_path / "out.bin"], check=True)
    expected = np.fromfile(tmp_path / "out.bin")
    for name, law in asp.laws.items():
        force = columns(law().follow(dt=DT, **motion_of(law, gap, rate, v)))
        if len(force) == 2:  # written sample by sample
            force = [np.stack(force, axis=1).reshape(-1)]
        count = force[0].size
        np.testing.assert_array_equal(force[0], expected[:count], err_msg=name)
        expected = expected[count:]
    assert expected.size == 0


@pytest.mark.parametrize("law", asp.laws.values(), ids=asp.laws)
def test_follow_stepper_and_react_agree_to_the_last_bit(law):
    gap, rate, v = samples(200)
    friction = law()
    force = columns(friction.follow(dt=DT, **motion_of(law, gap, rate, v)))
    stepper, state = friction.stepper(dt=DT), friction.start()
    switches = law.law == "gms"  # its switches act between samples
    for k in range(200):
        one = motion_of(law, float(gap[k]), float(rate[k]), float(v[k]))
        assert [f[k] for f in force] == columns(stepper(**one))
        if not switches:
            f, zdot = friction.react(state, tau=DT, **one)
            assert [f_k[k] for f_k in force] == columns(f)
            state = state + DT * zdot
    if not switches:
        np.testing.assert_array_equal(state, stepper.state)


@pytest.mark.parametrize("law", asp.laws.values(), ids=asp.laws)
def test_systems_side_by_side_are_those_one_by_one(law):
    systems = 19  # no multiple of any number of lanes
    motions = [samples(300, seed) for seed in range(systems)]
    gap, rate, v = (np.stack(one) for one in zip(*motions))
    friction = law()
    together = columns(friction.follow(dt=DT, **motion_of(law, gap, rate, v)))
    for k in range(systems):
        alone = columns(friction.follow(dt=DT, **motion_of(law, gap[k], rate[k], v[k])))
        for a, b in zip(together, alone):
            if law.law in ARITHMETIC:
                np.testing.assert_array_equal(a[k], b)
            else:
                np.testing.assert_allclose(a[k], b, rtol=1e-9, atol=1e-9 * max(1e-300, abs(b).max()))


def test_steady_sliding_is_the_limit():
    """Dry friction that slides has the force F, whatever the speed."""
    for v in (1e-4, 1e-2, 1.0):
        force = asp.SingleState(F=2, K="5 N/mm").follow(velocity=np.full(4000, v), dt=DT)
        assert force[-1] == pytest.approx(2, rel=1e-12)


def test_presliding_is_a_spring():
    """Far below the limit, a slow displacement x gives K x."""
    friction = asp.SingleState(F=2, K="5 N/mm", beta=1e-6)
    x = np.linspace(0, 1e-4, 2001)
    force = friction.follow(position=x, dt=DT)
    assert force[-1] == pytest.approx(5000 * 1e-4, rel=1e-4)


def test_solve_ivp_holds_a_mass_below_the_limit():
    """M x'' = f_e - f: below the limit it rests at f_e/K (F = 2 N, K = 5 kN/m, f_e = 0.9 N)."""
    from scipy.integrate import solve_ivp

    friction = asp.SingleState(F=2, K="5 N/mm", beta=5e-3)

    def rate(t, y):
        f, adot = friction.react(y[2:], velocity=y[1], tau=0)
        return [y[1], 0.9 - f, *adot]

    end = solve_ivp(rate, (0, 5), [0, 0, *friction.start()], method="LSODA", rtol=1e-9, atol=1e-12)
    assert end.success
    assert end.y[0, -1] == pytest.approx(0.9 / 5000, rel=1e-6)
    assert abs(end.y[1, -1]) < 1e-9


@pytest.mark.parametrize("law", [asp.SingleState(F=2), asp.LuGre(), asp.Multistate()])
def test_a_trace_is_that_of_the_program(law, program, tmp_path):
    subprocess.run([program, "trace", law.law, *(f"--set={p.name}={','.join(map(repr, p.value)) if isinstance(p.value, tuple) else repr(p.value)}" for p in law.parameters),
                    "--velocity", "1e-3*cos(20*t)", "--duration", "0.5", "--step", "1e-3", "-o", tmp_path / "t.csv"], check=True, capture_output=True)
    trace = law.trace(velocity="1e-3*cos(20*t)", duration=0.5, step=1e-3)
    rows = np.loadtxt(tmp_path / "t.csv", delimiter=",", skiprows=1)
    assert rows.shape == (501, len(trace))
    for column, values in zip(rows.T, trace.values()):
        np.testing.assert_array_equal(values, column)
    np.testing.assert_array_equal(law.follow(velocity=trace["velocity"][1:], dt=1e-3), trace["force"][1:])
    assert pickle.loads(pickle.dumps(trace)).units == trace.units and not trace.stop
    for wrong in ({"velocity": "sin("}, {"velocity": 3}, {"gap": "t"}, {"velocity": "t", "position": "t"}, {}, {"velocity": "t", "method": "magic"}):
        with pytest.raises((TypeError, ValueError)):
            law.trace(duration=1, step=1e-3, **wrong)


# --- parameters


def test_units_are_read():
    assert asp.SingleState(K="5 N/mm").K == 5000
    assert asp.Hertz(K="2 N/mm^1.5", lambda_=1.5).K == pytest.approx(2 * 1000**1.5)
    assert asp.Multistate(elements=3).parameters["kappa"].value.__len__() == 3


def test_all_problems_are_told():
    with pytest.raises(ValueError) as wrong:
        asp.SingleState(F=-2, K="5 kg", betta=3)
    text = str(wrong.value)
    assert "F = -2 N: must be > 0" in text and "K" in text and "kg" in text and "betta" in text and "did you mean beta" in text
    with pytest.raises(ValueError) as wrong:
        asp.SingleState(F=-2, K=0)
    assert "F = -2" in str(wrong.value) and "K = 0" in str(wrong.value) and "must be > 0" in str(wrong.value)


@pytest.mark.parametrize("value, error", [(None, TypeError), (1j, TypeError), (True, TypeError), ([[1.0]], TypeError), (float("nan"), ValueError),
                                          (float("inf"), ValueError), (b"5", TypeError), ("", ValueError), ("five", ValueError), ([], ValueError)])
def test_what_is_no_parameter_is_refused(value, error):
    with pytest.raises(error):
        asp.SingleState(K=value)


@pytest.mark.parametrize("law", asp.laws.values(), ids=asp.laws)
def test_a_class_is_made_of_what_the_law_says(law):
    one = law()
    assert "\n" not in repr(one)
    assert one == eval(repr(one), vars(asp))
    assert one == pickle.loads(pickle.dumps(one)) and hash(one) == hash(pickle.loads(pickle.dumps(one)))
    assert law.__doc__.startswith(law.title[0].upper() + law.title[1:])
    assert list(inspect.signature(law).parameters)[: len(one.parameters)] == list(law._names)
    for p in one.parameters:
        assert p.meaning and p.unit and p.range and p.name in law.__doc__.replace("_", ".") + law.__doc__
    assert "<table>" in one._repr_html_() and one.parameters[0].name in repr(one.parameters)
    assert len(one.states) == one.start().size
    assert one.replace() == one


def test_a_law_does_not_change():
    friction = asp.SingleState(F=2)
    with pytest.raises(AttributeError):
        friction.F = 3
    assert friction.replace(F=3).F == 3 and friction.F == 2


def test_pickle_keeps_every_bit():
    friction = asp.Multistate(elements=4).replace(F_c=1 / 3)
    v = np.random.default_rng(0).standard_normal(100)
    again = pickle.loads(pickle.dumps(friction))
    np.testing.assert_array_equal(friction.follow(velocity=v, dt=DT), again.follow(velocity=v, dt=DT))
    stepper = friction.stepper(DT)
    stepper(1e-3)
    assert pickle.loads(pickle.dumps(stepper))(2e-3) == stepper(2e-3)


# --- arrays


def test_arrays_of_any_kind():
    friction = asp.SingleState()
    v = np.linspace(-1, 1, 64)
    force = friction.follow(velocity=v, dt=DT)
    frozen = v.copy()
    frozen.flags.writeable = False
    wide = np.empty(128)
    wide[::2] = v
    for same in (v.tolist(), frozen, wide[::2], v[::-1][::-1], v.astype(">f8"), memoryview(v), np.asfortranarray(v)):
        np.testing.assert_array_equal(friction.follow(velocity=same, dt=DT), force)
    np.testing.assert_array_equal(friction.follow(velocity=v.astype(np.float32), dt=DT),
                                  friction.follow(velocity=v.astype(np.float32).astype(float), dt=DT))
    assert friction.follow(velocity=[1, 2, 3], dt=DT).shape == (3,)
    assert friction.follow(velocity=[], dt=DT).shape == (0,)
    assert friction.follow(velocity=np.empty((0, 5)), dt=DT).shape == (0, 5)
    assert friction.follow(velocity=np.empty((5, 0)), dt=DT).shape == (5, 0)
    turned = np.arange(24.0).reshape(4, 6)
    np.testing.assert_array_equal(friction.follow(velocity=turned.T, dt=DT), friction.follow(velocity=turned.T.copy(), dt=DT))


@pytest.mark.parametrize("bad, error", [
    (np.array([1, np.nan]), ValueError), ([1, float("inf")], ValueError), (["a"], TypeError), ([1j], TypeError), ([None], TypeError),
    (np.array([True]), TypeError), (np.zeros((2, 2, 2)), ValueError), (3.0, ValueError), ([[1, 2], [3]], (TypeError, ValueError)),
    (np.array(["2026-01-01"], dtype="M8[D]"), TypeError), (object(), TypeError)])
def test_what_is_no_motion_is_refused(bad, error):
    with pytest.raises(error):
        asp.SingleState().follow(velocity=bad, dt=DT)


@pytest.mark.parametrize("dt", [0, -1, float("nan"), "1 kg", None, 1j])
def test_a_step_is_positive(dt):
    with pytest.raises((TypeError, ValueError)):
        asp.SingleState().follow(velocity=[1.0], dt=dt)
    with pytest.raises((TypeError, ValueError)):
        asp.SingleState().stepper(dt=dt)


def test_motions_a_law_does_not_read_are_refused():
    with pytest.raises(ValueError, match="friction law does not read it"):
        asp.SingleState().follow(velocity=[1.0], gap=[1.0], dt=DT)
    with pytest.raises(ValueError, match="does not slide"):
        asp.Hertz().follow(position=[1.0], dt=DT)
    with pytest.raises(TypeError, match="no motion"):
        asp.Hertz().follow(dt=DT)
    with pytest.raises(ValueError, match="load"):
        asp.SingleState().follow(velocity=[1.0], load=-1, dt=DT)
    with pytest.raises(TypeError):
        asp.SingleState().stepper(DT)()
    with pytest.raises(TypeError):
        asp.SingleState().stepper(DT)("fast")
    with pytest.raises(ValueError):
        asp.SingleState().stepper(DT)(float("nan"))


@pytest.mark.parametrize("state", [[], [1.0, 2.0], "z", [[1.0]] * 3, [float("nan")]])
def test_what_is_no_state_is_refused(state):
    friction = asp.SingleState()
    with pytest.raises((TypeError, ValueError)):
        friction.follow(velocity=[1.0], dt=DT, state=state)
    if np.size(state) != 1 or isinstance(state, str):  # a solver may ask for it: the answer is nan
        with pytest.raises((TypeError, ValueError)):
            friction.react(state, velocity=1.0)


@given(v=hnp.arrays(float, st.integers(0, 40), elements=st.floats(-10, 10)), law=st.sampled_from(FRICTION), load=st.floats(0, 10))
def test_any_motion_gives_finite_forces(v, law, load):
    force = law().follow(velocity=v, load=load, dt=DT)
    assert force.shape == v.shape and np.isfinite(force).all()


@given(a=st.floats(-1e-3, 1e-3), v=st.lists(st.floats(-1, 1), min_size=1, max_size=8))
def test_columns_of_states_are_states_one_by_one(a, v):
    friction = asp.SingleState()
    f, rate = friction.react(np.full((1, len(v)), a), velocity=np.array(v))
    for k, one in enumerate(v):
        alone = friction.react([a], velocity=one)
        assert f[k] == alone[0] and rate[0, k] == alone[1][0]


def test_ctrl_c_ends_a_trace():
    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.1)  # within seconds of work
    try:
        with pytest.raises(KeyboardInterrupt):
            asp.LuGre().trace(position="sin(t) + sin(2*t) + sin(3*t)", duration=500, step=1e-4, method="rk4")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
