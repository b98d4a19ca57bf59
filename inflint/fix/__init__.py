"""Findings to edits: the smallest text that puts a class right, spliced into the file's bytes.

Each fixer turns one finding into a :class:`~inflint.fix.edits.Fix` or says why it cannot.
Nothing here decides what is wrong; :mod:`inflint.fix.passes` only keeps what a second check
agrees with.
"""
