"""Meaning: what names resolve to, what construction builds, what inference reads, the verdict.

:mod:`universe` resolves names across files; :mod:`statements` completes the abstract
machine that runs facts; :mod:`components`, :mod:`demand` and :mod:`names` ask it for what a
class builds, touches and lists; :mod:`verdict` subtracts one from the other.
"""
