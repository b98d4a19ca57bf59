from pkg_reexported.models._impl import _PolicyBase as PolicyBase

__all__ = ["PolicyBase"]
