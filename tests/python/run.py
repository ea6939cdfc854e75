"""Runs the tests of one file with pytest; says which packages are missing, by exit code 77."""
import importlib.util
import sys

NEEDED = {"numpy": "python3-numpy", "pytest": "python3-pytest", "hypothesis": "python3-hypothesis"}

# Processes that a test starts import this file again: they must not begin the tests anew.
if __name__ == "__main__":
    missing = [package for module, package in NEEDED.items() if importlib.util.find_spec(module) is None]
    if missing:
        print(f"left out: {' '.join(missing)} missing; tools/install-deps python python-test fetches them")
        sys.exit(77)

    import pytest

    sys.exit(pytest.main(["-x", "-rs", "-p", "no:cacheprovider", *sys.argv[1:]]))
