"""`python -m dy2st` is the command line."""

from .cli import main

raise SystemExit(main())
