"""The runtime half: the inference-only contract for torch modules, and its proof by running.

Needs torch (the extra ``inflint[verify]``). Ray is needed for RLlib's own targets alone.
"""
