"""Addresses of the pages of help."""

from django.urls import path

from frontend.help import views

urlpatterns = [
    path("help/", views.help_index, name="help"),
    path("help/glossary/", views.glossary, name="glossary"),
    path("help/<slug:name>/", views.help_document, name="help-document"),
]
