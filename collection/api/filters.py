from django.db.models import QuerySet
from django_filters import rest_framework as filters

from collection.models import Assignment, Campaign, CrowdSession, Study
from winoplatform.api.filters import of_budget, of_campaign
from workers.models import Payout


class CampaignFilter(filters.FilterSet):
    status = filters.ChoiceFilter(choices=Campaign.Status.choices)


class ArticleFilter(filters.FilterSet):
    category = filters.CharFilter()


class AssignmentFilter(filters.FilterSet):
    campaign = of_campaign("campaign")
    status = filters.ChoiceFilter(choices=Assignment.Status.choices)


class StudyFilter(filters.FilterSet):
    campaign = of_campaign("campaign")
    provider = filters.ChoiceFilter(choices=Study.Provider.choices)
    is_open = filters.BooleanFilter()


class SessionFilter(filters.FilterSet):
    status = filters.ChoiceFilter(choices=CrowdSession.Status.choices)
    reported = filters.ChoiceFilter(choices=CrowdSession.Reported.choices)


class PayoutFilter(filters.FilterSet):
    campaign = of_budget()
    status = filters.ChoiceFilter(choices=Payout.Status.choices)
    provider = filters.ChoiceFilter(choices=Payout.Provider.choices)
    awaits_second_approval = filters.BooleanFilter(
        method="awaiting", help_text="Only payouts that wait for a second curator, or only others."
    )

    def awaiting(self, rows: QuerySet[Payout], name: str, value: bool) -> QuerySet[Payout]:
        waiting = Payout.objects.all().awaiting_second_approval().values("pk")
        return rows.filter(pk__in=waiting) if value else rows.exclude(pk__in=waiting)
