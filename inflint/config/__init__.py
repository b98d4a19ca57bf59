"""Configuration: which file counts for which directory, and what it says.

Nothing heavy is imported, and a TOML reader only where there is a file to read.
"""
