"""The web application for the platform's own server: its processes end with their parent.

``wsgi.py`` is the same application for any other server.
"""

import gc

from winoplatform.processes import die_with_main_process
from winoplatform.wsgi import application

__all__ = ["application"]

# If the server's main process is killed, its workers must not keep answering beside those of the
# server that replaces it.
die_with_main_process()

# Loaded modules stay in memory, so the collector need not scan them repeatedly; requests leave
# little garbage that reference counting does not free.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 20)
