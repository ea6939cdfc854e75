# The extension, as python/src has it. Private: the classes of the package are what users see.
from typing import Any

def __getattr__(name: str) -> Any: ...
