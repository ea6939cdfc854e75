#!/usr/bin/env python3
"""The same fit by `asperity identify` and by scipy's least_squares, side by side.

    benchmarks/identify_scipy.py build/bench/asperity

A single state with mass, viscous friction and offset is fitted to the same rows of the same data, by the same equations in the same
steps, from six starts up to ten times off, to the same relative change of the cost. scipy's starts lie around the truth; asperity
knows nothing of it, draws 49 points and descends from the best six. Two laws are given to scipy: one in plain floats over lists,
the fastest that Python has for a recursion, and one in numpy's numbers, from one start only: it takes ten seconds. Times are those of the processor; asperity's is that of the
whole program, from reading the table to the answer. Exit code 1: the answers differ; 77: there is no scipy.
"""
import json
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
    from scipy.optimize import least_squares
except ImportError:
    systems = "/usr/bin/python3"  # has the packages of Debian
    if os.path.exists(systems) and os.path.realpath(sys.executable) != os.path.realpath(systems):
        os.execv(systems, [systems, *sys.argv])
    print("identify against scipy: not measured, python3-numpy and python3-scipy are not here")
    sys.exit(77)

program = sys.argv[1]
step, count, end = 1e-3, 10_000, 9.0
starts, tolerance, wanted = 6, 1e-6, 20
names = ["F", "K", "beta", "M", "Fv", "offset"]
truth = np.array([3.0, 2e4, 0.02, 2.0, 8.0, -0.4])

t = step * np.arange(count)
v = 0.02 * np.sin(5 * t) + 0.01 * np.sin(13 * t)
a = 0.1 * np.cos(5 * t) + 0.13 * np.cos(13 * t)
# The step of src/identify/model.cpp: two implicit stages, which travel the mean of the two velocities.
part = 1 - math.sqrt(0.5)
first = np.concatenate(([0.0], (0.5 * (v[1:] + v[:-1]) - part * v[1:]) / (1 - part)))
v_list, first_list = v.tolist(), first.tolist()


def friction_in_floats(F, K, beta, n):
    F, K, beta = float(F), float(K), float(beta)
    b = beta + part * step
    G, more, rest = K * b, (1 - part) * step / b, part * step / b
    e, f = 0.0, [max(-F, min(F, K * beta * v_list[0]))]
    append = f.append
    for v1, v2 in zip(first_list[1:n], v_list[1:n]):
        x = e + G * v1
        e += more * ((F if x > F else -F if x < -F else x) - e)
        x = e + G * v2
        x = F if x > F else -F if x < -F else x
        e += rest * (x - e)
        append(x)
    return np.array(f)


def friction_in_numpy(F, K, beta, n):
    b = beta + part * step
    e, f = 0.0, np.empty(n)
    f[0] = np.clip(K * beta * v[0], -F, F)
    for k in range(1, n):
        e += (1 - part) * step / b * (np.clip(e + K * b * first[k], -F, F) - e)
        f[k] = np.clip(e + K * b * v[k], -F, F)
        e += part * step / b * (f[k] - e)
    return f


def by_scipy(friction, force, rows, starts):
    """The best of its starts: the answer, its rms, and the time."""
    n = rows[-1] + 1

    def residual(p):
        F, K, beta, M, Fv, offset = p * truth
        return (friction(F, K, beta, n) + M * a[:n] + Fv * v[:n] + offset - force[:n])[rows]

    random = np.random.default_rng(7)
    begin, best = time.process_time(), None
    for _ in range(starts):
        start = 10 ** random.uniform(-1, 1, size=len(truth))
        found = least_squares(residual, start, bounds=(1e-6, np.inf), ftol=tolerance)
        if best is None or found.cost < best.cost:
            best = found
    return best.x * truth, math.sqrt(2 * best.cost / len(rows)), time.process_time() - begin


def by_asperity(force):
    """Its answer for one law, and the time of the whole program."""
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder) / "data.csv"
        with open(data, "w") as out:
            out.write("t,v,a,F\n")
            for row in zip(t, v, a, force):
                out.write("%.12g,%.12g,%.12g,%.12g\n" % row)
        command = [program, "identify", data, "--law", "single_state", "--filter", "none", "--train", f":{end}", "--json"]
        command += ["--map", "time=t, velocity=v, acceleration=a, force=F", "--mass", "free", "--viscous", "free", "--offset", "free"]
        best = math.inf
        for _ in range(5):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            answer = subprocess.run(command, check=True, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return json.loads(answer.stdout)["laws"][0], best


rows = np.arange(1, count)[t[1:] <= end * (1 + 1e-12)]  # asperity leaves out the first
noise = np.random.default_rng(1).normal(size=count)
force = friction_in_floats(*truth[:3], count) + truth[3] * a + truth[4] * v + truth[5] + 0.02 * noise

own, own_time = by_asperity(force)
found, rms, fast = by_scipy(friction_in_floats, force, rows, starts)
_, _, slow = by_scipy(friction_in_numpy, force, rows, 1)

same = abs(own["fitted_rms"] / rms - 1) < 1e-4
told = {p["name"]: p for p in own["parameters"]}
print("identify against scipy: single state, %d rows, %d starts up to 10 times off" % (len(rows), starts))
for name, value, scipys in zip(names, truth, found):
    asperitys, error = told[name]["value"], told[name]["error"]
    same = same and abs(asperitys - scipys) < 0.2 * error
    print(f"  {name:8} truth {value:10.5g}   scipy {scipys:10.5g}   asperity {asperitys:10.5g} +- {error:.2g}")
print(f"  rms residual: scipy {rms:.6g} N, asperity {own['fitted_rms']:.6g} N")
print(f"  asperity, the whole program {own_time:.3f} s")
for how, seconds in ("plain floats", fast), ("numpy, one start only", slow):
    ratio = seconds / own_time
    print(f"  scipy over {how:22} {seconds:8.2f} s: {ratio:6.1f} times asperity's, wanted >= {wanted}: {'met' if ratio >= wanted else 'missed'}")
if not same:
    print("  the answers differ")
sys.exit(0 if same else 1)
