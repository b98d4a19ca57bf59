"""inflint: what RLlib EnvRunners carry but never use, found from source alone."""

__version__ = "0.1.0"
