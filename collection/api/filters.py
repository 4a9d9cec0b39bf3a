from django_filters import rest_framework as filters

from collection.models import Article, Assignment, Campaign, CrowdSession, Study
from workers.models import Payout


class CampaignFilter(filters.FilterSet):
    status = filters.ChoiceFilter(choices=Campaign.Status.choices)

    class Meta:
        model = Campaign
        fields = ()


class ArticleFilter(filters.FilterSet):
    category = filters.CharFilter()

    class Meta:
        model = Article
        fields = ()


class AssignmentFilter(filters.FilterSet):
    campaign = filters.CharFilter(field_name="campaign__slug", help_text="Slug of the campaign.")
    status = filters.ChoiceFilter(choices=Assignment.Status.choices)

    class Meta:
        model = Assignment
        fields = ()


class StudyFilter(filters.FilterSet):
    campaign = filters.CharFilter(field_name="campaign__slug", help_text="Slug of the campaign.")
    provider = filters.ChoiceFilter(choices=Study.Provider.choices)
    is_open = filters.BooleanFilter()

    class Meta:
        model = Study
        fields = ()


class SessionFilter(filters.FilterSet):
    status = filters.ChoiceFilter(choices=CrowdSession.Status.choices)

    class Meta:
        model = CrowdSession
        fields = ()


class PayoutFilter(filters.FilterSet):
    campaign = filters.UUIDFilter(field_name="budget", help_text="Id of the campaign that pays.")
    status = filters.ChoiceFilter(choices=Payout.Status.choices)
    provider = filters.ChoiceFilter(choices=Payout.Provider.choices)

    class Meta:
        model = Payout
        fields = ()
