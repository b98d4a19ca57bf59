"""The colour of each severity on a terminal."""

COLOURS = {"error": "red", "warning": "yellow", "info": "cyan"}
