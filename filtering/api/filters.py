from django_filters import rest_framework as filters

from winoplatform.api.filters import RunFilter, of_campaign


class FilterRunFilter(RunFilter):
    campaign = of_campaign("encoding__snapshot__campaign")


class AssessmentFilter(RunFilter):
    filter_run = filters.UUIDFilter(field_name="filter_run__public_id")
