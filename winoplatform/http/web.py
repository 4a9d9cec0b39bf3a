"""The web application for the platform's own server: its processes end with their parent, or when
they are blocked.

``wsgi.py`` is the same application for any other server.
"""

import sys

from django.conf import settings
from django.urls import resolve

from winoplatform.processes.supervisor import (
    die_with_main_process,
    exempt_loaded_code,
    limit_sending,
)
from winoplatform.processes.watchdog import Watchdog

__all__ = ["application"]
SWITCH_SECONDS = 0.0005

# If the server's main process is killed, its workers must not keep answering beside those of the
# server that replaces it. First of all, since loading the application takes seconds.
die_with_main_process()
from winoplatform import wsgi  # noqa: E402

limit_sending(settings.SEND_SECONDS)
# A vote waits for the database twenty times and for the interpreter after each. Beside threads that
# compute, such as those that read a long text, it waits for one such interval each time.
sys.setswitchinterval(SWITCH_SECONDS)
# This imports the code of all pages, which the first visitor would wait for.
resolve("/")
exempt_loaded_code()
_watchdog = Watchdog()
_watchdog.start()
application = _watchdog.over(wsgi.application)
