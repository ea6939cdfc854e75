#!/usr/bin/env python3
"""What web/ takes from npm: exact versions, a lock file with hashes and without hosts, and in the pages the very bytes of web/uplot.sha256.

usage: packages_test.py ASPERITY PROJECT CMAKE
"""
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

asperity, project, cmake = (pathlib.Path(argument) for argument in sys.argv[1:4])
web = project / "web"
remedy = "; see 'How a page is made' in docs/guides/reports.md"
pinned = {path: digest for digest, path in (line.split() for line in (web / "uplot.sha256").read_text().splitlines())}


def sha256(data):
    return hashlib.sha256(data).hexdigest()


class Packages(unittest.TestCase):
    def test_versions_are_exact(self):
        package = json.loads((web / "package.json").read_text())
        for name, version in {**package["dependencies"], **package["devDependencies"]}.items():
            self.assertRegex(version, r"^\d+\.\d+\.\d+$", f"{name} in web/package.json is a range, not a version")

    def test_the_lock_has_hashes_and_no_hosts(self):
        text = (web / "package-lock.json").read_text()
        package, lock = json.loads((web / "package.json").read_text()), json.loads(text)["packages"]
        for part in ("dependencies", "devDependencies"):
            self.assertEqual(lock[""][part], package[part], "web/package-lock.json is not that of web/package.json: run npm install in web/")
        for name, entry in lock.items():
            if name:
                self.assertRegex(entry["integrity"], r"^sha512-.{86}==$", name)
                self.assertNotIn("resolved", entry, f"{name} names a host; web/.npmrc has omit-lockfile-registry-resolved=true")
        self.assertNotRegex(text, r"https?://")

    def test_pages_hold_the_pinned_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            data, page = pathlib.Path(folder, "data.csv"), pathlib.Path(folder, "page.html")
            data.write_text("time [s],x [m]\n0,0\n1,1\n2,4\n")
            subprocess.run([asperity, "plot", data, "--x", "time", "--y", "x", "-o", page], check=True, stdout=subprocess.DEVNULL)
            text = page.read_bytes()
        found = re.search(rb"<script>\n/\*\n(.*?)\*/\n(/\*! https://github.com/leeoniya/uPlot.*?)</script>\n", text, re.DOTALL)
        if not found:
            self.assertIn(b'"interactive":false', text)
            self.skipTest("the program was built without uPlot; tools/install-deps build fetches it, then build again")
        for name, data in (("LICENSE", found[1]), ("dist/uPlot.iife.min.js", found[2])):
            self.assertEqual(sha256(data), pinned[f"node_modules/uplot/{name}"], f"the page's {name} is not that of web/uplot.sha256{remedy}")

    def test_other_bytes_are_not_embedded(self):
        with tempfile.TemporaryDirectory() as folder:
            copy, out = pathlib.Path(folder, "web"), pathlib.Path(folder, "embedded.cpp")
            shutil.copytree(web, copy, ignore=shutil.ignore_patterns("node_modules"))
            uplot = copy / "node_modules/uplot"
            (uplot / "dist").mkdir(parents=True)
            command = [cmake, f"-DWEB={copy}", f"-DUPLOT={uplot}", "-DMODULES=main.js", f"-DOUT={out}", "-P", project / "cmake/embed.cmake"]
            self.assertEqual(subprocess.run(command).returncode, 0, "without uPlot the build goes on")
            out.unlink()
            (uplot / "dist/uPlot.iife.min.js").write_text("/* not uPlot */")
            refused = subprocess.run(command, stderr=subprocess.PIPE, text=True)
            self.assertNotEqual(refused.returncode, 0)
            message = " ".join(refused.stderr.split())
            for words in (sha256(b"/* not uPlot */"), pinned["node_modules/uplot/dist/uPlot.iife.min.js"], "tools/install-deps build"):
                self.assertIn(words, message)
            self.assertFalse(out.exists(), "nothing half-written")


unittest.main(argv=sys.argv[:1])
