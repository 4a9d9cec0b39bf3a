from django.apps import AppConfig


class FilteringConfig(AppConfig):
    name = "filtering"
