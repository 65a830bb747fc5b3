"""``python -m bodyloop``."""

from bodyloop.cli.main import main

raise SystemExit(main())
