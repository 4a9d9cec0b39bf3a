"""The web application for any WSGI server (such as ``gunicorn winoplatform.wsgi``)."""

import os

from django.core.wsgi import get_wsgi_application

from winoplatform import connections

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "winoplatform.settings")
application = get_wsgi_application()
connections.limit()
