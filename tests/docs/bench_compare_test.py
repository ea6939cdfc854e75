#!/usr/bin/env python3
"""tools/bench-compare on numbers that are made up: what it finds, what it leaves alone, and how often it is wrong.

usage: bench_compare_test.py TOOL
"""
import importlib.machinery
import importlib.util
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
TOOL = pathlib.Path(sys.argv.pop(1))
loader = importlib.machinery.SourceFileLoader("bench_compare", str(TOOL))
tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench_compare", loader))
loader.exec_module(tool)


def made_up(seed, rows, rounds, noise, change=None, slow_rounds=()):
    """Times with noise to one side, as a busy machine makes it; change: {row: factor} of the new build."""
    draw = random.Random(seed)
    old, new = {}, {}
    for row in range(rows):
        base = math.exp(draw.uniform(0, 8))
        for table, factor in ((old, 1), (new, (change or {}).get(row, 1))):
            table[f"row {row}"] = [base * factor * (3 if i in slow_rounds else 1) * (1 + noise * draw.expovariate(1)) for i in range(rounds)]
    return old, new


def verdicts(old, new, least=0.03):
    return {row: verdict for row, *_, verdict in tool.judge(old, new, least) if verdict}


class Statistics(unittest.TestCase):
    def test_the_interval_is_that_of_the_sign_test(self):
        # Of n ratios all lie on one side of their median with 2/2^n.
        for rounds in range(2, 40):
            for rows in (1, 10, 70):
                cut = tool.reach(rounds, rows)
                if cut is None:
                    self.assertGreater(2 / 2**rounds, tool.CHANCE / rows)
                    continue
                missed = lambda c: 2 * sum(math.comb(rounds, i) for i in range(c + 1)) / 2**rounds
                self.assertLessEqual(missed(cut), tool.CHANCE / rows)
                if cut + 1 < rounds // 2:
                    self.assertGreater(missed(cut + 1), tool.CHANCE / rows)

    def test_the_default_is_enough_rounds(self):
        for rows in (1, 2, 7, 70, 500):
            self.assertIsNotNone(tool.reach(tool.rounds_for(rows), rows))
            self.assertIsNone(tool.reach(tool.rounds_for(rows) - 1, rows))

    def test_noise_is_no_change(self):
        # 200 comparisons of a build with itself, 20 rows each, and any change counts: at most 1 % have an alarm; 8 of 200 has a chance of 1e-3.
        alarms = sum(bool(verdicts(*made_up(seed, 20, 14, 0.3), least=0)) for seed in range(200))
        self.assertLess(alarms, 8)

    def test_finds_what_got_slower_and_faster(self):
        for seed in range(20):
            old, new = made_up(seed, 20, 16, 0.02, {3: 1.15, 7: 1 / 1.15})
            self.assertEqual(verdicts(old, new), {"row 3": "slower", "row 7": "faster"}, seed)

    def test_a_small_change_is_left_alone(self):
        old, new = made_up(1, 20, 20, 0.001, {3: 1.02})
        self.assertEqual(verdicts(old, new), {})
        self.assertEqual(verdicts(old, new, least=0.01), {"row 3": "slower"})

    def test_a_machine_that_slows_down_slows_both(self):
        old, new = made_up(2, 20, 16, 0.02, {5: 1.2}, slow_rounds=range(6, 12))
        self.assertEqual(verdicts(old, new), {"row 5": "slower"})

    def test_too_few_rounds_judge_nothing(self):
        old, new = made_up(3, 20, 5, 0.0, {5: 2})
        self.assertEqual(verdicts(old, new), {})


class Program(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def program(self, name, rows, status=0):
        path = pathlib.Path(self.folder.name) / name
        facts = {"contests": [{"name": row, "contender": "library", "ns": ns, "ratio": 1} for row, ns in rows.items()], "step_ns": []}
        path.write_text(f"#!/bin/sh\necho '{json.dumps(facts)}'\nexit {status}\n")
        path.chmod(0o755)
        return str(path)

    def run_tool(self, *arguments):
        return subprocess.run([sys.executable, str(TOOL), *arguments], capture_output=True, text=True)

    def test_says_what_got_slower(self):
        done = self.run_tool(self.program("old", {"a": 10, "b": 20, "gone": 1}), self.program("new", {"a": 10, "b": 25}))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"b: library .* 1\.250 .* slower")
        self.assertIn("only in one of them: gone: library", done.stdout)
        self.assertIn("2 rows, 9 rounds: 1 slower, 0 faster, 1 the same", done.stdout)

    def test_the_same_is_the_same(self):
        done = self.run_tool(self.program("old", {"a": 10}), self.program("new", {"a": 10}))
        self.assertEqual(done.returncode, 0)

    def test_json(self):
        done = self.run_tool(self.program("old", {"a": 10}), self.program("new", {"a": 5}), "--json")
        self.assertEqual(json.loads(done.stdout)["rows"][0]["verdict"], "faster")
        self.assertEqual(done.returncode, 0)

    def test_bad_input(self):
        good = self.program("good", {"a": 10})
        for arguments, text in (
            ((good, "/nowhere"), "/nowhere: cannot be run"),
            ((good, self.program("broken", {}, status=3)), "ended with 3"),
            ((good, "/bin/echo"), "not the output of a benchmark"),
            ((good, self.program("other", {"b": 1})), "no row in common"),
            ((good, good, "--least", "-1"), "--least -1.0: must be >= 0"),
        ):
            done = self.run_tool(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
