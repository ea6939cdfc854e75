#!/usr/bin/env python3
"""Measured motion with known friction: data sets for `asperity identify`, made by code that shares nothing with it.

    python3 benchmarks/identify/generate.py FOLDER [--sets 200] [--seed 1]

A mass is moved along a sum of sines by a controller against friction; the force of the motor and the position of an encoder are
recorded. Laws, excitations, noises (0.1 to 10 um, white or of a quantised encoder) and sampling rates (100 Hz to 20 kHz) are drawn.
Every set is NNN.csv; truth.json has the law, its numbers and what was drawn. All sets are integrated side by side (Heun, 20 us).
"""

import argparse
import json
import pathlib

import numpy as np

DURATION = 6.0  # s
STEP = 2e-5  # s, of the integration: 50 kHz
RATES = [100, 200, 500, 1000, 2000, 5000, 10000]  # Hz; all divide 50 kHz. 20 kHz does not: sets of it are read at 25 kHz
LAWS = ["dahl", "single_state", "single_state_stribeck", "lugre"]
NOISES = [0.1e-6, 0.3e-6, 1e-6, 3e-6, 10e-6]  # m


def drawn(count, seed):
    rng = np.random.default_rng(seed)
    sets = []
    for i in range(count):
        law = LAWS[i % len(LAWS)]
        fast = rng.random() < 0.15
        truth = {
            "law": law,
            "rate": 25000 if fast else int(rng.choice(RATES)),
            "noise": float(NOISES[(i // len(LAWS)) % len(NOISES)]),
            "encoder": "quantised" if rng.random() < 0.5 else "white",
            "force_noise": 0.02,
            "M": float(rng.uniform(1, 4)),
            "Fv": float(rng.uniform(2, 10)),
            "offset": float(rng.uniform(-0.5, 0.5)),
            "F": float(rng.uniform(2, 8)),
            "K": float(10 ** rng.uniform(4.3, 5.3)),
            "beta": float(10 ** rng.uniform(-2.7, -2.0)),
            "rise": float(rng.uniform(0.3, 0.8)) if law in ("single_state_stribeck", "lugre") else 0.0,
            "v_s": float(10 ** rng.uniform(-2.3, -1.3)),
            "tones": [[float(rng.uniform(2e-3, 8e-3)), float(rng.uniform(*band)), float(rng.uniform(0, 2 * np.pi))]
                      for band in ((0.4, 0.8), (0.9, 1.8), (2.0, 4.0))],
        }
        sets.append(truth)
    return sets


class Plant:
    """All sets as columns of arrays. The state is position, velocity and deflection."""

    def __init__(self, sets):
        column = lambda name: np.array([one[name] for one in sets])
        self.M, self.Fv, self.offset, self.F, self.K = map(column, ("M", "Fv", "offset", "F", "K"))
        self.beta, self.rise, self.v_s = column("beta"), column("rise"), column("v_s")
        self.law = column("law")
        self.tones = np.array([one["tones"] for one in sets])
        self.bristle = np.isin(self.law, ("dahl", "lugre"))
        self.B = np.where(self.law == "lugre", self.K * self.beta * 0.3, 0.0)
        self.Kp, self.Kd = self.M * 40.0**2, self.M * 2 * 0.8 * 40.0

    def reference(self, t):
        a, w, p = self.tones[:, :, 0], 2 * np.pi * self.tones[:, :, 1], self.tones[:, :, 2]
        phase = w * t + p
        return ((a * np.sin(phase)).sum(1), (a * w * np.cos(phase)).sum(1), (-a * w * w * np.sin(phase)).sum(1))

    def friction(self, v, z):
        limit = self.F * (1 + self.rise * np.exp(-((v / self.v_s) ** 2)))
        zdot_bristle = v - np.abs(v) * self.K * z / limit
        f_bristle = self.K * z + self.B * zdot_bristle
        f_slider = np.clip(self.K * (z + self.beta * v), -limit, limit)
        zdot_slider = (f_slider / self.K - z) / self.beta
        return np.where(self.bristle, f_bristle, f_slider), np.where(self.bristle, zdot_bristle, zdot_slider)

    def rates(self, t, x, v, z):
        r, rdot, rddot = self.reference(t)
        motor = self.Kp * (r - x) + self.Kd * (rdot - v) + self.M * rddot
        f, zdot = self.friction(v, z)
        return (motor - f - self.Fv * v - self.offset) / self.M, zdot, motor

    def run(self):
        count = round(DURATION / STEP) + 1
        n = len(self.M)
        positions, motors = np.empty((count, n)), np.empty((count, n))
        x, v, _ = self.reference(0.0)
        z = np.zeros(n)
        for k in range(count):
            t = k * STEP
            a, zdot, motor = self.rates(t, x, v, z)
            positions[k], motors[k] = x, motor
            x1, v1, z1 = x + STEP * v, v + STEP * a, z + STEP * zdot
            a1, zdot1, _ = self.rates(t + STEP, x1, v1, z1)
            x, v, z = x + STEP / 2 * (v + v1), v + STEP / 2 * (a + a1), z + STEP / 2 * (zdot + zdot1)
        return positions, motors


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--sets", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    wish = parser.parse_args()
    wish.folder.mkdir(parents=True, exist_ok=True)
    sets = drawn(wish.sets, wish.seed)
    plant = Plant(sets)
    positions, motors = plant.run()
    rng = np.random.default_rng(wish.seed + 1000)
    for i, one in enumerate(sets):
        every = round(1 / STEP / one["rate"])
        x, f = positions[::every, i], motors[::every, i]
        t = np.arange(len(x)) * every * STEP
        if one["encoder"] == "quantised":
            x = np.round(x / one["noise"]) * one["noise"]  # the noise is the resolution
        else:
            x = x + one["noise"] * rng.standard_normal(len(x))
        f = f + one["force_noise"] * rng.standard_normal(len(f))
        one["file"] = f"{i:03d}.csv"
        one["B"] = float(plant.B[i])
        np.savetxt(wish.folder / one["file"], np.column_stack([t, x, f]), delimiter=",", header="t,x,F", comments="", fmt="%.9g")
    (wish.folder / "truth.json").write_text(json.dumps(sets, indent=1))
    print(f"{len(sets)} sets in {wish.folder}")


if __name__ == "__main__":
    main()
