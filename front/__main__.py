"""Runs the command line: `python -m pagereel`."""

from pagereel.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
