"""The web application for any WSGI server (such as ``gunicorn winoplatform.wsgi``)."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from winoplatform.artifacts import bucket
from winoplatform.db import budget, connections, versions
from winoplatform.http.cookies import limited
from winoplatform.metrics import counting

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "winoplatform.settings")
application = limited(get_wsgi_application())
connections.limit()
bucket.limit()
versions.watch()
budget.reserve(settings.DATABASE_POOL_SIZE)
budget.refuse_excess(settings.DATABASE_POOL_SIZE)
counting.start()
