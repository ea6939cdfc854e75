"""The classes of the laws, by the names that users write; _catalogue.pyi lists them for editors and type checkers."""
from ._laws import laws

__all__ = [one.__name__ for one in laws.values()]
globals().update({one.__name__: one for one in laws.values()})
