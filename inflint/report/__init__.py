"""Findings and verdicts as text or JSON: one module a format, and no rule is known here."""
