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
