"""Verdicts to findings: one function a rule, a module a family. Nothing reads source here."""
