from django_filters import rest_framework as filters

from workers.models import LedgerEntry


class LedgerFilter(filters.FilterSet):
    kind = filters.ChoiceFilter(choices=LedgerEntry.Kind.choices)
    campaign = filters.UUIDFilter(field_name="budget", help_text="Id of the campaign that pays.")
    worker = filters.CharFilter(
        field_name="worker__public_id", help_text="Public id of who is paid."
    )

    class Meta:
        model = LedgerEntry
        fields = ()
