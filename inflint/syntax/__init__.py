"""One file's text to its facts: headers first, function bodies only on demand.

A *header* (:mod:`inflint.syntax.headers`) is the tree of a file's scopes: what each
binds, where it stands. A *body* (:mod:`inflint.syntax.facts`) is one function or
statement lowered from LibCST. Nothing here knows another file, or RLlib.
"""
