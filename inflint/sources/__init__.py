"""Which files, what text they hold, and which of them can matter. Nothing here parses."""
