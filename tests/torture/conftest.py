"""The slow suite of kills and full disks runs on its own: make torture."""

import os

collect_ignore_glob = [] if os.environ.get("AIFGRAPH_TORTURE") else ["test_*.py"]
