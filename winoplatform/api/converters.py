"""URL converters; a path that does not match is not found."""

from django.urls import register_converter
from django.urls.converters import StringConverter


class FileNameConverter(StringConverter):
    regex = r"(?=.{1,60}$)[A-Za-z0-9][A-Za-z0-9._-]*(?:/[A-Za-z0-9][A-Za-z0-9._-]*)*"


register_converter(FileNameConverter, "file")
