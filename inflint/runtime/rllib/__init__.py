"""The only place that knows RLlib: its specs, its modules, and what its releases really do."""
