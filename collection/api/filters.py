from django_filters import rest_framework as filters

from collection.models import Article, Assignment, Campaign


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
