"""Builds the extension with CMake, by the preset `python`; pyproject.toml has the rest."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

TOP = Path(__file__).resolve().parent
VERSION = re.search(r"project\(asperity VERSION ([0-9.]+)", (TOP / "CMakeLists.txt").read_text()).group(1)


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        built = TOP / "build" / "python-lib"
        jobs = os.environ.get("JOBS", str(os.cpu_count() or 1))
        subprocess.run(["cmake", "--preset", "python", f"-DPython3_EXECUTABLE={sys.executable}"], cwd=TOP, check=True)
        subprocess.run(["cmake", "--build", str(built), "-j", jobs, "--target", "asperity_python"], cwd=TOP, check=True)
        library, = (built / "python" / "asperity").glob("_core*.so")
        target = Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(library, target)


setup(
    version=VERSION,
    package_dir={"": "python"},
    packages=["asperity"],
    package_data={"asperity": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("asperity._core", [])],
    cmdclass={"build_ext": CMakeBuild},
    options={"build": {"build_base": "build/python-setup"}, "egg_info": {"egg_base": "build"}},
)
