"""``python -m inflint``."""

from inflint.start import main

if __name__ == "__main__":
    main()
