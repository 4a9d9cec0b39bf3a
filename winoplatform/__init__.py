"""Settings, URLs, the Celery app, long jobs, artifacts and embedded services."""

from winoplatform.celery import app as celery_app

__all__ = ["celery_app"]
