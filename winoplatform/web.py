"""The web application as the platform's own server runs it: its processes end with their parent.

``wsgi.py`` is the same application for any other server.
"""

import gc

from winoplatform.processes import die_with_main_process
from winoplatform.wsgi import application

__all__ = ["application"]

# Were the server's main process killed outright, its workers would answer on unseen, beside those
# of the one that is started in its place.
die_with_main_process()

# What is loaded now stays: the collector need not look through it again and again, and requests
# leave little that counting references does not clear.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 20)
