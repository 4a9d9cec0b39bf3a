"""The address of the figures for Prometheus, beside the health checks."""

from django.urls import path

from validation.api.views.metrics import metrics

urlpatterns = [path("", metrics)]
