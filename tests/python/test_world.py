"""Worlds built in Python, and scenes step by step."""
import numpy as np
import pytest

import asperity as asp


def block(**keys):
    world = asp.World(title="A block")
    world.mass("block", 1.0)
    world.element("floor", ("block", "ground"), asp.SingleState(F=2, K="5 N/mm", beta=2e-3), **keys)
    return world


def test_a_world_without_a_file():
    world = block()
    world.input("block", force="1 + 0*t")
    run = world.run(duration=1, step=1e-3)
    assert run["block.position"][-1] == pytest.approx(1 / 5e3, rel=5e-3)
    assert run.held["floor"]
    assert "\n" not in repr(world)


def test_a_ball_in_space_falls_and_rests():
    world = asp.World(gravity=[0, 0, -9.81])
    world.body("ball", kind="rigid_body", shape="sphere", mass=0.1, radius="2 cm", position=[0, 0, 0.05])
    world.element("floor", ("ball", "ground"), "frictional_contact", direction=[0, 0, 1],
                  normal=asp.LinearCompliance(K=1e4, alpha=1e-3, beta=4e-3), friction={"law": "single_state", "mu": 0.5, "K": 1e4, "beta": 1e-3})
    run = world.run(duration=1.5, step=1e-4, every=1e-2)
    assert run["ball.position.z"][-1] == pytest.approx(0.02 - 0.1 * 9.81 / 1e4, abs=1e-5)  # on its radius, less weight/K
    assert run.impacts[0].impact_speed == pytest.approx(np.sqrt(2 * 9.81 * 0.03), rel=1e-2)


def test_problems_of_a_world_are_those_of_a_scene():
    world = block(hardness=3)
    with pytest.raises(asp.SceneError, match="hardness"):
        world.scene()
    with pytest.raises(ValueError):
        asp.World().element("floor", "block", asp.SingleState())
    with pytest.raises(TypeError):
        asp.World(gravity=object()).scene()


# --- step by step


def test_a_controller_makes_an_oscillator():
    """force = -k x on a free mass: x = x0 cos(sqrt(k/m) t); sampled every h it is that of order h."""
    world = asp.World()
    world.mass("block", 2.0, position=0.01)
    k = 50.0
    with world.start(step=1e-4) as sim:
        while sim.time < 1:
            sim.push("block", force=-k * sim["block.position"])
            sim.step()
    run = sim.run()
    np.testing.assert_allclose(run["block.position"], 0.01 * np.cos(np.sqrt(k / 2) * run.t), atol=0.01 * 5e-3)
    assert sim.energy.work_in == pytest.approx(sim.energy.kinetic, rel=1e-6, abs=1e-9)  # a free mass: all work is motion


def test_steps_are_those_of_the_run():
    """Without a push, and with the same inputs, step by step is the run, bit for bit."""
    world = block()
    world.input("block", force="3*sin(20*t)")
    scene = world.scene(duration=0.5, step=1e-3)
    run = scene.run()
    with scene.start() as sim:
        sim.step(500)
    np.testing.assert_array_equal(sim.run()["block.position"], run["block.position"])
    assert sim["block.position"] == run["block.position"][-1] and sim.time == run.t[-1]
    assert [event.kind for event in sim.events] == [event.kind for event in run.events]


def test_a_push_is_that_of_the_scene():
    """A force that holds is a constant input."""
    pushed = block()
    pushed.input("block", force=3.0)
    run = pushed.run(duration=0.5, step=1e-3)
    with block().start(step=1e-3, record=["*"]) as sim:
        sim.push("block", force=3.0)
        sim.step(500)
    np.testing.assert_allclose(sim.run()["block.velocity"], run["block.velocity"], rtol=1e-12, atol=1e-15)
    assert sim.energy.closing_error == pytest.approx(run.energy.closing_error, abs=1e-9)


def test_torques_and_vectors():
    world = asp.World()
    world.body("ball", kind="rigid_body", shape="sphere", mass=1.0, radius=0.1)
    with world.start(step=1e-3) as sim:
        sim.push("ball", force=[1, 0, 0], torque=[0, 0, 0.004])
        sim.step(100)
        assert sim["ball.velocity.x"] == pytest.approx(0.1, rel=1e-9)
        assert sim["ball.spin.z"] == pytest.approx(0.1, rel=1e-6)  # 2/5 m r^2 = 0.004 kg m^2
        for wrong in ([1, 2], 1.0, [1, 2, float("nan")], "up", None):
            with pytest.raises((TypeError, ValueError)):
                sim.push("ball", force=wrong)
        with pytest.raises(KeyError):
            sim.push("bal", force=[0, 0, 0])
        with pytest.raises(KeyError):
            sim["ball.speed"]
        for count in (0, -1, 1.5, True):
            with pytest.raises(ValueError):
                sim.step(count)


def test_the_end_of_a_simulation_is_said():
    with block().start(step=1e-3, duration=0.01) as sim:
        with pytest.raises(StopIteration):
            sim.step(100)
    assert sim.time == pytest.approx(0.01)


def test_a_failure_has_the_partial_run():
    world = asp.World()
    world.mass("block", 1.0, velocity=1.0)
    world.element("spring", ("block", "ground"), "spring", K=1e8)  # far too stiff for such a step
    with world.start(step=1e-3) as sim, pytest.raises(asp.RunError) as failed:
        sim.step(1000)
    assert failed.value.run.failure and 0 < failed.value.run.t[-1] < 1


# --- sampled controllers


@pytest.mark.parametrize("late", [0, 1, 3, 5, 12])
@pytest.mark.parametrize("period", [1, 4, 10])
def test_a_sampled_controller_is_its_difference_equation(period, late):
    """A free mass under a force that holds for T = period h: x+ = x + T v + T^2 u/(2 m), v+ = v + T u/m, exactly; u from a sample
    that is `late` steps old."""
    h, m, kp, kd = 1e-3, 2.0, 40.0, 6.0
    world = asp.World()
    world.mass("block", m, position=0.01)
    run = world.control(lambda sim: {"block": -kp * sim["block.position"] - kd * sim["block.velocity"]}, every=period * h, delay=late * h,
                        duration=0.6, step=h)
    x, v, u, due = 0.01, 0.0, 0.0, {}
    for k in range(600):
        if k % period == 0:
            due[k + late] = -kp * x - kd * v
        u = due.pop(k, u)
        x, v = x + h * v + h * h * u / (2 * m), v + h * u / m
        assert run["block.position"][k + 1] == pytest.approx(x, rel=1e-9, abs=1e-15)
    assert run.energy.work_in == pytest.approx(run.energy.kinetic, rel=1e-9)


def test_an_exception_of_a_controller_has_its_traceback_and_the_run():
    def controller(sim):
        if sim.time > 0.05:
            raise ZeroDivisionError("mine")
        return {"block": 1.0}

    world = block()
    scene = world.scene(duration=0.5, step=1e-3)
    with pytest.raises(asp.RunError, match="mine") as failed:
        scene.control(controller, every=1e-2)
    assert isinstance(failed.value.__cause__, ZeroDivisionError)
    assert failed.value.__cause__.__traceback__.tb_next is not None and failed.value.run is scene.last
    assert failed.value.run.t[-1] == pytest.approx(0.06)


@pytest.mark.parametrize("keys, error", [({"every": 1.5e-3}, ValueError), ({"every": 0}, ValueError), ({"every": "1 kg"}, ValueError), ({"delay": -1e-3}, ValueError),
                                         ({"delay": 1e-4}, ValueError), ({"method": "dopri5"}, ValueError), ({"duration": -1}, ValueError)])
def test_what_is_no_controller_is_refused(keys, error):
    with pytest.raises(error):
        block().control(lambda sim: None, **{"every": 1e-3, **keys})


@pytest.mark.parametrize("pushes", [3.0, {"blok": 1.0}, {"block": "up"}, {"block": {"lift": 1.0}}, {"block": float("nan")}])
def test_what_a_controller_may_not_return(pushes):
    with pytest.raises(asp.RunError) as failed:
        block().control(lambda sim: pushes, every=1e-3)
    assert isinstance(failed.value.__cause__, (TypeError, ValueError, KeyError))


def test_one_simulation_is_for_one_thread_at_a_time():
    from concurrent.futures import ThreadPoolExecutor

    sim = block().start(step=1e-3, record=False)

    def work(_):
        try:
            sim.step(3000)
            sim.push("block", force=1.0)
            return sim["block.position"]
        except RuntimeError as busy:
            assert "another thread" in str(busy)

    with ThreadPoolExecutor(4) as pool:
        assert any(one is not None for one in pool.map(work, range(20)))


def test_feedback_and_controllers_in_formulas():
    """-k x on a free mass, in a formula: x = x0 cos(sqrt(k/m) t). With a clock it is the same as a Python function with that clock."""
    world = asp.World(k=50.0)
    world.mass("block", 2.0, position=0.01)
    world.input("block", force="-k*block.position")
    run = world.run(duration=1, step=1e-3)
    np.testing.assert_allclose(run["block.position"], 0.01 * np.cos(5 * run.t), atol=1e-12)

    sampled = asp.World(k=50.0)
    sampled.mass("block", 2.0, position=0.01)
    sampled.controller("block", force="-k*block.position", every=4e-3, delay=1e-3)
    by_function = asp.World()
    by_function.mass("block", 2.0, position=0.01)
    by_formula = sampled.run(duration=1, step=1e-3)
    called = by_function.control(lambda sim: {"block": -50.0 * sim["block.position"]}, every=4e-3, delay=1e-3, duration=1, step=1e-3)
    np.testing.assert_allclose(by_formula["block.position"], called["block.position"], rtol=0, atol=1e-13)
    with pytest.raises(asp.SceneError, match="there is no body blok"):
        wrong = asp.World()
        wrong.mass("block", 1.0)
        wrong.input("block", force="-blok.position")
        wrong.run(duration=1)
