"""URL converters; a path that does not match is not found."""

from django.urls import register_converter
from django.urls.converters import StringConverter


class FileNameConverter(StringConverter):
    regex = r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}"


register_converter(FileNameConverter, "file")
