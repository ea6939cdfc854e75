"""How much Python costs: ratios to the same work in C++ and to calls of the program.

usage: bench.py PLAIN PROGRAM      PLAIN: the program of plain.cpp; PROGRAM: asperity
"""
import math
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import asperity as asp

BLOCK = """
[run]
duration = 1.0
step = 5e-5
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
force = "3*sin(20*t)"
"""


def best_of(times, work, clock=time.process_time):
    """Seconds of the processor: what else the machine does counts little."""
    best = math.inf
    for _ in range(times):
        begin = clock()
        work()
        best = min(best, clock() - begin)
    return best


def say(what, ratio, asked, detail):
    print(f"{what:<58} {ratio:8.3g}   {asked:<14} {detail}", flush=True)


def lugre_loop(v, dt, F_c, F_s, v_s, sigma0, sigma1, alpha):
    """What one writes without the package: one sample after the other, with numpy's numbers."""
    z, force = 0.0, np.empty_like(v)
    for k in range(len(v)):
        g = F_c + (F_s - F_c) * np.exp(-np.abs(v[k] / v_s) ** alpha)
        zdot = v[k] - sigma0 * np.abs(v[k]) / g * z
        z += dt * zdot
        force[k] = sigma0 * z + sigma1 * zdot
    return force


def main(plain, program):
    print(f"asperity {asp.__version__}, {asp._core.lanes()} lanes\n{'':<58} {'ratio':>8}   asked for")
    n = 1_000_000
    v = 1e-2 * np.sin(1e-2 * np.arange(n))
    cpp = [float(x) for x in subprocess.run([plain, "follow", str(n)], capture_output=True, text=True, check=True).stdout.split()]
    for law, seconds in ((asp.laws["single_state"](), cpp[0]), (asp.laws["lugre"](), cpp[1])):
        own = best_of(7, lambda: law.follow(velocity=v, dt=1e-3))
        say(f"follow, 1e6 samples, {law.law}: Python over C++", own / seconds, "<= 1.2", f"{1e9 * own / n:.2f} ns a sample")
    lugre, short = asp.laws["lugre"](), v[:20_000]
    own = best_of(5, lambda: lugre.follow(velocity=short, dt=1e-3))
    loop = best_of(1, lambda: lugre_loop(short, 1e-3, 1.0, 1.5, 1e-3, 1e5, 300.0, 2.0))
    say("a loop in numpy over follow, lugre", loop / own, "say it", f"{1e9 * loop / len(short):.0f} ns a sample")
    friction = asp.laws["single_state"]()
    many = np.ascontiguousarray(np.broadcast_to(v[:10_000], (256, 10_000)))
    alone = best_of(3, lambda: [friction.follow(velocity=row, dt=1e-3) for row in many])
    own = best_of(3, lambda: friction.follow(velocity=many, dt=1e-3))
    say("follow, 256 systems: one by one over lanes", alone / own, "", f"{1e9 * own / many.size:.2f} ns a sample")

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "block.toml"
        file.write_text(BLOCK)
        scene = asp.Scene(file)
        own = best_of(7, lambda: scene.run(progress=False))
        cpp = float(subprocess.run([plain, "run", file], capture_output=True, text=True, check=True).stdout)
        say("one second of a block, 2e4 steps: Python over C++", own / cpp, "<= 1.1", f"{1e3 * own:.1f} ms")

        small = Path(folder) / "small.toml"
        small.write_text(BLOCK.replace("duration = 1.0", "duration = 1e-3"))
        calls = best_of(3, lambda: [subprocess.run([program, "run", small, "--quiet", "-o", f"{folder}/out"], capture_output=True) for _ in range(20)], time.perf_counter) / 20
        tiny = asp.Scene(small)
        own = best_of(3, lambda: [tiny.run(progress=False) for _ in range(1000)], time.perf_counter) / 1000
        say("a small scene: a call of the program over scene.run", calls / own, ">= 100", f"{1e6 * own:.0f} us, {1e3 * calls:.1f} ms")
        changed = best_of(3, lambda: [tiny.run(progress=False, duration=1e-3) for _ in range(300)], time.perf_counter) / 300
        say("  the same, read anew each time with other values", calls / changed, "", f"{1e6 * changed:.0f} us")

    work = asp.Scene(BLOCK)
    one = best_of(3, lambda: [work.run(progress=False) for _ in range(8)], time.perf_counter)
    with ThreadPoolExecutor(8) as pool:
        threads = best_of(3, lambda: list(pool.map(lambda _: work.run(progress=False), range(8))), time.perf_counter)
    import os

    say("8 runs one after the other over 8 in threads", one / threads, "> 1", f"{os.cpu_count()} processors")
    with work.start(step=5e-5, record=False) as sim:
        own = best_of(3, lambda: [(sim.push("block", force=0.1), sim.step(), sim["block.position"]) for _ in range(5000)]) / 5000
    say("one step with a push and a value, us", 1e6 * own, "", "")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
