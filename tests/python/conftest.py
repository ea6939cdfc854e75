"""What the tests share: where the program and the scenes are."""
import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("asperity", deadline=None, derandomize=True, max_examples=40)
settings.load_profile("asperity")

TOP = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program():
    return os.environ["ASPERITY_PROGRAM"]


@pytest.fixture(scope="session")
def scenes():
    return TOP / "scenes"
