#!/usr/bin/env python3
"""How often the 95 % intervals of `asperity identify` hold the truth, over the sets of generate.py.

    python3 benchmarks/identify/coverage.py PROGRAM FOLDER [--limit N] [--jobs 2] [-- OPTIONS of identify]
"""

import argparse
import collections
import concurrent.futures
import json
import math
import pathlib
import subprocess


def truth_of(one):
    law, F = one["law"], one["F"]
    known = {"M": one["M"], "offset": one["offset"], "K": one["K"]}
    if law in ("dahl", "single_state"):
        known["F"] = F
    else:
        known.update({"F_c": F, "F_s": F * (1 + one["rise"]), "v_s": one["v_s"]})
    if law.startswith("single_state"):
        known["beta"] = one["beta"]
    known["D" if law == "lugre" else "Fv"] = one["Fv"]
    if law == "lugre":
        known["B"] = one["B"]
    return known


def identified(program, folder, one, options):
    command = [program, "identify", str(folder / one["file"]), "--law", one["law"], "--map", "time=t, position=x, force=F",
               "--mass", "free", "--viscous", "free", "--offset", "free", "--train", ":", "--test", ":", "--json", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    return (json.loads(done.stdout) if done.returncode == 0 else None), done.stderr


def chance(hits, n, p=0.95):
    """Two-sided binomial test."""
    weigh = lambda k: math.comb(n, k) * p**k * (1 - p) ** (n - k)
    own = weigh(hits) * (1 + 1e-9)
    return sum(weigh(k) for k in range(n + 1) if weigh(k) <= own)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--limit", type=int, default=10**9)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="every interval that does not hold")
    parser.add_argument("options", nargs="*")
    wish = parser.parse_args()
    sets = json.loads((wish.folder / "truth.json").read_text())[: wish.limit]
    hits, given, off = collections.Counter(), collections.Counter(), collections.defaultdict(list)
    refused = 0
    with concurrent.futures.ThreadPoolExecutor(wish.jobs) as pool:
        answers = list(pool.map(lambda one: identified(wish.program, wish.folder, one, wish.options), sets))
    for one, (facts, err) in zip(sets, answers):
        if facts is None:
            refused += 1
            if wish.list:
                print("refused", one["file"], one["law"], one["rate"], one["noise"], err.strip().splitlines()[:1])
            continue
        law = facts["laws"][0]
        found = {p["name"]: p for p in law["parameters"]}
        for name, value in truth_of(one).items():
            p = found.get(name)
            if p is None:
                continue
            off[name].append(abs(p["value"] / value - 1) if name != "offset" else abs(p["value"] - value))
            if p["low"] is None:
                continue
            given[name] += 1
            held = p["low"] <= value <= p["high"]
            hits[name] += held
            if wish.list and not held:
                print(f"{one['file']} {one['law']:22} {one['rate']:6} Hz {one['noise'] * 1e6:5.1f} um {one['encoder']:9} {name}: "
                      f"{value:.5g} not in {p['low']:.5g} .. {p['high']:.5g}; noise of a {law['noise_of_acceleration']:.2g}")
    print(f"{len(sets)} sets, {refused} refused")
    print("| number | intervals | hold the truth | | chance | median error |\n|---|---|---|---|---|---|")
    for name in sorted(given):
        n, h = given[name], hits[name]
        middle = sorted(off[name])[len(off[name]) // 2]
        print(f"| {name} | {n} | {h} | {100 * h / n:.1f} % | {chance(h, n):.2g} | {middle:.2g} |")


if __name__ == "__main__":
    main()
