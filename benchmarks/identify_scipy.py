#!/usr/bin/env python3
"""The same fit by `asperity identify` and by scipy's least_squares over a numpy implementation, side by side.

    benchmarks/identify_scipy.py build/asperity

Both fit a single state with mass, viscous friction and offset to the same 10 000 samples. scipy starts once, near the answer, from
a law of its own written with numpy; asperity runs as a whole program with all its starts. Times are those of the
processor. Without scipy it says so and passes.
"""
import json
import math
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
    print("python3-scipy is not here: nothing to compare with")
    sys.exit(0)

program = sys.argv[1]
step, count = 1e-3, 10_000
truth = {"F": 3.0, "K": 2e4, "beta": 0.02, "M": 2.0, "Fv": 8.0, "offset": -0.4}


def velocity(t):
    return 0.02 * math.sin(5 * t) + 0.01 * math.sin(13 * t)


t = step * np.arange(count)
v = np.array([velocity(x) for x in t])
a = np.array([(velocity(x + 1e-6) - velocity(x - 1e-6)) / 2e-6 for x in t])


def friction(F, K, beta):
    f, z, b = np.empty(count), 0.0, beta + step
    for k in range(count):
        f[k] = K * np.clip(z + b * v[k], -F / K, F / K)
        z += step * (f[k] / K - z) / b
    return f


def model(p):
    F, K, beta, M, Fv, offset = p
    return friction(F, K, beta) + M * a + Fv * v + offset


random = np.random.default_rng(1)
values = np.array(list(truth.values()))
force = model(values) + 0.02 * random.normal(size=count)

begin = time.process_time()
found = least_squares(lambda p: model(p * values) - force, values / values * 1.3, x_scale=1.0)
scipy_time = time.process_time() - begin

with tempfile.TemporaryDirectory() as folder:
    data = pathlib.Path(folder) / "data.csv"
    with open(data, "w") as out:
        out.write("t,v,a,F\n")
        for row in zip(t, v, a, force):
            out.write("%.9g,%.9g,%.9g,%.9g\n" % row)
    command = [program, "identify", data, "--law", "single_state", "--map", "time=t, velocity=v, acceleration=a, force=F", "--filter", "none"]
    answer = subprocess.run(command + ["--mass", "free", "--viscous", "free", "--offset", "free", "--train", f":{t[-1] - 1}", "--json"], check=True, capture_output=True)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    own_time = usage.ru_utime + usage.ru_stime

law = json.loads(answer.stdout)["laws"][0]
own = {p["name"]: p["value"] for p in law["parameters"]}
for (name, value), by_scipy in zip(truth.items(), found.x * values):
    print(f"{name:8} truth {value:10.5g}   scipy {by_scipy:10.5g}   asperity {own[name]:10.5g}")
print(f"scipy, one start {scipy_time:.2f} s; asperity, whole program with all starts {own_time:.3f} s: {scipy_time / own_time:.0f} times faster (wanted: 20)")
sys.exit(0 if scipy_time >= 20 * own_time else 1)
