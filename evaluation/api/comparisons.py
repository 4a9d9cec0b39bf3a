"""Comparisons of evaluations, as JSON and as files; what a user sees here is on the pages too."""

from typing import Any

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from evaluation.core.comparison_files import ComparisonRow
from evaluation.exports.comparisons import FORMATS, comparison_rows
from evaluation.selectors import Compared, beside_people, compared, evaluations_of, find_comparable
from winoplatform.api.results import ResultSerializer
from winoplatform.api.schema import File
from winoplatform.api.views import AnyAccept, ApiView, validated_query
from winoplatform.errors import DomainError
from workers.api.callers import caller

TAG = "evaluation"


class WhichQuestionsSerializer(serializers.Serializer[Any]):
    transformation = serializers.SlugField(
        max_length=50,
        allow_blank=True,
        default="",
        help_text="Applied to the questions first; empty for none.",
    )
    subset = serializers.CharField(
        max_length=200,
        allow_blank=True,
        default="",
        help_text="Only the questions with a metadata entry, such as associative=true.",
    )
    data_sha256 = serializers.CharField(
        max_length=64,
        allow_blank=True,
        default="",
        help_text="The SHA-256 of the questions, if a transformation has made several versions; "
        "the one evaluated last if empty.",
    )


class ComparedSystemSerializer(ResultSerializer):
    """A system; shares are from 0 to 1, and p is corrected for all pairs of systems."""

    class Meta:
        of = ComparisonRow


class ComparedSystemsSerializer(serializers.Serializer[Any]):
    """Systems on the same questions, the most accurate first."""

    subsets = serializers.ListField(
        child=serializers.CharField(), help_text="Values of the parameter subset."
    )
    rows = ComparedSystemSerializer(many=True)


class Comparison(ApiView):
    query = WhichQuestionsSerializer
    gives: Any = ComparedSystemsSerializer

    def get(self, request: Request, kind: str, name: str, split: str) -> Any:
        """Compare the finished evaluations of a split of a release or reference set, or a snapshot.

        The kind is release, reference-set or snapshot; a snapshot is named by its id, and its split
        is all. Users who are not curators see public reference sets and splits that are not blind.
        """
        found, rows = _compared(request, kind, name, split)
        subsets = [subset.name for subset in found.subsets]
        return {"subsets": subsets, "rows": rows}


class ComparisonFile(ApiView):
    content_negotiation_class = AnyAccept
    query = WhichQuestionsSerializer
    gives = File("application/octet-stream", "The file: csv, jsonl or tex.")

    def get(self, request: Request, kind: str, name: str, split: str, ending: str) -> HttpResponse:
        """Download a comparison as csv, jsonl or tex, a LaTeX table for booktabs."""
        if ending not in FORMATS:
            raise DomainError("not_found", "A comparison is csv, jsonl or tex.", status=404)
        write, media_type = FORMATS[ending]
        _, rows = _compared(request, kind, name, split)
        return HttpResponse(write(rows), content_type=media_type)


def _compared(
    request: Request, kind: str, name: str, split: str
) -> tuple[Compared, list[ComparisonRow]]:
    asked = validated_query(WhichQuestionsSerializer, request)
    subset, version = asked.pop("subset"), asked.pop("data_sha256")
    user = caller(request)
    data, _ = find_comparable(user, kind, name, split, data=version, **asked)
    found = compared(list(evaluations_of(user, data)), subset=subset)
    return found, comparison_rows(data, found, beside_people(user, data, found))
