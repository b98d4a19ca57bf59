"""``python -m inflint``."""

from inflint.cli import main

if __name__ == "__main__":
    main()
