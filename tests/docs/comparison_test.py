#!/usr/bin/env python3
"""docs/comparison.md is what benchmarks/peers/results.json gives; and the closed forms that the page quotes are what small steps of the plain equations give."""
import copy
import json
import math
import pathlib
import re
import sys
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "benchmarks" / "peers"))
import page

RESULTS = json.loads((ROOT / "benchmarks" / "peers" / "results.json").read_text())
FAMILIES = {family["name"]: family for family in RESULTS["families"]}
G = 9.81


def quoted(family, pattern):
    """A number in the sentence that says what is exact."""
    return float(re.search(pattern, FAMILIES[family]["exact"]).group(1))


class ThePage(unittest.TestCase):
    def test_is_what_the_results_give(self):
        for path, content in page.files(RESULTS).items():
            self.assertEqual(path.read_text(), content, f"{path.relative_to(ROOT)}: run benchmarks/peers/page.py")

    def test_would_notice_another_figure(self):
        for family in RESULTS["families"]:
            changed = copy.deepcopy(RESULTS)
            measure = family["measures"][0]
            cell = next(each for each in changed["families"] if each["name"] == family["name"])["values"]["Asperity"]["best"]["5 ms"]
            cell[measure["key"]] = 0.0123
            self.assertNotEqual(page.page(changed), page.page(RESULTS), family["name"])

    def test_names_every_engine_and_setting(self):
        made = page.page(RESULTS)
        for engine in RESULTS["engines"]:
            self.assertIn(f"{engine['name']} {engine['version']}", made)
            for setting in engine["settings"]:
                self.assertIn(setting["text"], made)

    def test_every_engine_has_every_case(self):
        for family in RESULTS["families"]:
            names = ["Asperity"] if family.get("needs") else [engine["name"] for engine in RESULTS["engines"]]
            self.assertEqual(list(family["values"]), names, family["name"])
            for by_setting in family["values"].values():
                for cells in by_setting.values():
                    self.assertEqual(list(cells), RESULTS["steps"])

    def test_our_best_settings_give_numbers(self):
        for family in RESULTS["families"]:
            for cell in family["values"]["Asperity"]["best"].values():
                for measure in family["measures"]:
                    self.assertIsNotNone(cell[measure["key"]], family["name"])
                    self.assertTrue(math.isfinite(page.size(cell, measure)), family["name"])


class ClosedForms(unittest.TestCase):
    """By small steps of the equations of motion, without the closed form."""

    def test_slide(self):
        x, v, h = 0.0, 2.0, 1e-6
        while v > 0:
            x, v = x + h * v, v - h * 0.5 * G
        self.assertAlmostEqual(quoted("slide", r"= ([\d.]+) m"), x, delta=3e-6)

    def test_roll(self):
        x, v, w, h, mu, R = 0.0, 2.0, 0.0, 1e-6, 0.2, 0.1
        for _ in range(2_000_000):
            slip = v - w * R
            f = mu * G if slip > 0 else 0.0
            v, w = v - h * f, w + h * f * R / (0.4 * R * R)
            x += h * v
        self.assertAlmostEqual(quoted("roll", r"([\d.]+) m far"), x, delta=1e-5)

    def test_spin(self):
        # Forces of the four corners, each against its own velocity, summed as vectors.
        corners = [(sx * 0.1, sy * 0.1) for sx in (-1, 1) for sy in (-1, 1)]
        inertia = (0.2**2 + 0.2**2) / 12
        angle, w, h = 0.0, 30.0, 1e-5
        while w > 0:
            moment = 0.0
            for x, y in corners:
                vx, vy = -w * y, w * x
                speed = math.hypot(vx, vy)
                fx, fy = -0.2 * G / 4 * vx / speed, -0.2 * G / 4 * vy / speed
                moment += x * fy - y * fx
            angle, w = angle + h * w, w + h * moment / inertia
        self.assertAlmostEqual(quoted("spin", r"= ([\d.]+) rad"), angle, delta=1e-3)

    def test_swing(self):
        # theta'' = cos theta - 0.2 sign(theta') in units of the weight's moment; the angle of rest depends on no other number.
        angle, w, h = 0.0, 0.0, 1e-5
        while True:
            push = math.cos(angle)
            if w == 0:
                if abs(push) <= 0.2:
                    break
                w = math.copysign(1e-300, push)
            before = w
            w += h * (push - 0.2 * math.copysign(1, w))
            if before * w < 0 and abs(before) > 1e-290:
                w = 0.0
            angle += h * w
        self.assertAlmostEqual(quoted("joint-swing", r"([\d.]+) degrees"), math.degrees(angle), delta=0.01)

    def test_stick_slip(self):
        k, v, F_s, F_c, h = 100.0, 0.1, 1.5, 1.0, 1e-6
        x, u, sticks, torn = 0.0, v, True, []
        t = 0.0
        while len(torn) < 3:
            t += h
            if sticks:
                x += h * v
                if k * x >= F_s:
                    sticks = False
                    torn.append(t)
                    u = v - 1e-12
            else:
                u += h * (F_c - k * x)
                x += h * u
                if u >= v:
                    sticks, u = True, v
        self.assertAlmostEqual(quoted("stick-slip", r": ([\d.]+) s"), torn[2] - torn[1], delta=2e-5)

    def test_presliding(self):
        elements = [[1e4 * (i + 1), 0.1, 0.0] for i in range(10)]  # stiffness, limit, force
        # Driven to +A, then once to -A and back, in small steps; the work of the last two strokes.
        A, n, work, x = 4e-6, 4000, 0.0, 0.0
        most = None
        for start, end, counts in ((0, A, False), (A, -A, True), (-A, A, True)):
            for i in range(n):
                step = (end - start) / n
                before = sum(force for _, _, force in elements)
                for element in elements:
                    element[2] = max(-element[1], min(element[1], element[2] + element[0] * step))
                if counts:
                    work += (before + sum(force for _, _, force in elements)) / 2 * step
            most = most or sum(force for _, _, force in elements)
        self.assertAlmostEqual(quoted("presliding", r"slip: ([\d.]+) uJ"), work * 1e6, delta=2e-3)
        self.assertIn(f"{most:.2f} N", FAMILIES["presliding"]["text"])


if __name__ == "__main__":
    unittest.main()
