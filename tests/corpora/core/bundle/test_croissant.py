"""croissant.json: the venue's fields in every release, each sentence true for the very release."""

import json
from dataclasses import replace

import pytest
from rdflib import RDF, Graph, Namespace, URIRef

from collection.core.people import People
from corpora.core.bundle.canary import guid_of
from corpora.core.bundle.croissant import croissant, with_addresses
from corpora.core.bundle.documents import documents
from corpora.core.bundle.facts import BackgroundCounts, HumanPerformance, PeopleFigure, Statements
from corpora.core.bundle.manifest import LeakSummary
from corpora.core.bundle.responsible import REQUIRED
from tests.corpora.core.bundle.releases import COLLECTION, manifest_of, small_release

PROV = Namespace("http://www.w3.org/ns/prov#")
SIMULATED = People(origins=("simulated",), writers=("simulated",), validators=("simulated",))
CROWD = People(
    origins=("invited", "crowd"), platforms=("Prolific",), writers=("crowd",),
    validators=("invited", "crowd"),
)  # fmt: skip
IMPORTED = replace(
    COLLECTION, written=0, writers=0, validators=0, votes=0, votes_excluded=0, rules=(), decided=(),
    first_written=None, last_written=None, guidelines={}, pay={}, hourly_pay={},
)  # fmt: skip
EMPTY = replace(IMPORTED, questions=0)
FRESH = {
    "before": {"direction": "above", "n": 340, "detectable": 0.586},
    "after": {"direction": "none", "n": 323, "detectable": 0.588},
}
SELECTION = {
    "encoding": {"encoder": "MiniLM", "weights_sha256": "a" * 64},
    "filter": {"method": "aflite", "tau": 0.75, "fresh_models": FRESH},
}
LEAKS = LeakSummary(tests=40, alpha=0.01, detectable=0.7, found=("dev: the ids tell.",))
PLAIN = manifest_of(small_release())
NO_ROWS = {stem: [] for stem in small_release()}
MANIFESTS = {
    "plain": PLAIN,
    "demonstration": replace(PLAIN, people=SIMULATED, title="Small (demonstration)"),
    "crowd": replace(PLAIN, people=CROWD),
    "imported": replace(PLAIN, collection=IMPORTED, people=People(origins=("imported",))),
    "no rows": manifest_of(NO_ROWS, collection=EMPTY),
    "filtered": replace(PLAIN, selection=SELECTION, warnings=("After it: a leak.",), leaks=LEAKS),
    "filtered at random": replace(PLAIN, selection={"filter": {"method": "random"}}),
    "stated": replace(PLAIN, statements=Statements(population="Students", social_impact="Helps.")),
}


def described(manifest):
    return json.loads(croissant(manifest))


def said(manifest, name):
    value = described(manifest)[name]
    return value if isinstance(value, str) else " ".join(map(str, value))


@pytest.mark.parametrize("of", MANIFESTS)
def test_every_release_has_all_eight_fields_and_none_is_empty(of):
    about = described(MANIFESTS[of])
    assert [name for name in REQUIRED if about.get(name) in (None, "", [])] == []
    assert all(all(text.strip() for text in about[name]) for name in REQUIRED[:4])
    activities = about["prov:wasGeneratedBy"]
    assert [one["prov:label"] for one in activities if not one["description"].strip()] == []


def test_every_text_of_lists_and_documents_is_a_sentence():
    about = described(MANIFESTS["filtered"])
    for name in REQUIRED[:4]:
        assert [text for text in about[name] if not text.endswith((".", ":"))] == []


@pytest.mark.parametrize(
    ("of", "value"),
    [("demonstration", True), ("crowd", "Not recorded: people did the work"),
     ("imported", "Not known. People did"),
     ("plain", "Not known. It is not recorded who worked on it.")],
)  # fmt: skip
def test_synthetic_data_is_true_or_said_not_to_be_known(of, value):
    found = described(MANIFESTS[of])["rai:hasSyntheticData"]
    assert found.startswith(value) if isinstance(value, str) else found is value


@pytest.mark.parametrize(
    ("field", "text", "releases"),
    [
        ("rai:dataUseCases", "This release is a demonstration", {"demonstration"}),
        ("rai:dataUseCases", "test is empty", {"no rows"}),
        ("description", "are secret", MANIFESTS.keys() - {"no rows"}),
        ("rai:dataBiases", "No filter run", MANIFESTS.keys() - {"filtered", "filtered at random"}),
        ("rai:dataBiases", "before the filter: above one half", {"filtered"}),
        ("rai:dataBiases", "before the filter: unknown", {"filtered at random"}),
        ("rai:dataBiases", "Found: dev: the ids tell.", {"filtered"}),
        ("rai:dataBiases", "Domains of the questions: not known", {"no rows"}),
        ("rai:dataBiases", "Population of the people: not stated", MANIFESTS.keys() - {"stated"}),
        ("rai:dataLimitations", "help of a language model", {"crowd", "imported"}),
        ("rai:personalSensitiveInformation", "have pseudonyms",
         MANIFESTS.keys() - {"imported", "no rows"}),
        ("rai:dataSocialImpact", "Not stated.", MANIFESTS.keys() - {"stated"}),
        ("rai:dataSocialImpact", "Helps.", {"stated"}),
        ("prov:wasGeneratedBy", "'Filter'", {"filtered", "filtered at random"}),
        ("prov:wasGeneratedBy", "'Writing'", MANIFESTS.keys() - {"imported", "no rows"}),
        ("prov:wasGeneratedBy", "'Validation'", MANIFESTS.keys() - {"no rows"}),
        ("prov:wasGeneratedBy", "crowd workers (Prolific)", {"crowd"}),
        ("prov:wasGeneratedBy", "blind test came to be", MANIFESTS.keys() - {"no rows"}),
        ("prov:wasDerivedFrom", "Published set", MANIFESTS.keys() - {"no rows"}),
    ],
)  # fmt: skip
def test_a_sentence_stands_in_the_releases_for_which_it_is_true(field, text, releases):
    assert {of for of, manifest in MANIFESTS.items() if text in said(manifest, field)} == {
        *releases
    }


def test_a_warning_about_size_is_a_limitation_and_not_a_bias():
    few = "dev has 3 complete pairs, fewer than 25: figures on it are uncertain."
    manifest = replace(PLAIN, warnings=(few, "After it: a leak."))
    assert few in said(manifest, "rai:dataLimitations")
    assert few not in said(manifest, "rai:dataBiases")
    assert "After it: a leak." in said(manifest, "rai:dataBiases")


def test_answers_about_people_stand_where_there_are_any_as_counts():
    counts = BackgroundCounts(
        text="How old are you?", many=False, people=20, least=5, lines={"18 to 24": 10}, rest=10
    )
    found = said(replace(PLAIN, background=(counts,)), "rai:personalSensitiveInformation")
    assert "How old are you? 18 to 24: 10; other or no answer: 10 (20 people" in found
    assert "no answers of people" not in found
    assert "no answers of people" in said(PLAIN, "rai:personalSensitiveInformation")


def test_people_s_performance_is_a_use_s_evidence_or_said_not_to_be_measured():
    figure = PeopleFigure(value=0.94, low=0.9, high=0.97, n=200, n_people=12)
    human = HumanPerformance(
        split="dev", questions=200, people=12, votes=600, individual=figure, majority=figure,
        group=None, who=CROWD,
    )  # fmt: skip
    found = said(replace(PLAIN, human=(human,)), "rai:dataUseCases")
    assert "right majorities 0.940, 95 % interval 0.900 to 0.970, from 600 fresh votes" in found
    assert "not measured" not in found
    assert "not measured with fresh votes" in said(PLAIN, "rai:dataUseCases")


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated")
def test_the_lineage_is_provenance_to_readers_of_json_ld():
    graph = Graph().parse(data=croissant(MANIFESTS["filtered"]), format="json-ld")
    (release,) = set(graph.subjects(PROV.wasGeneratedBy))
    labels = {
        str(label)
        for activity in graph.objects(release, PROV.wasGeneratedBy)
        if (activity, RDF.type, PROV.Activity) in graph
        for label in graph.objects(activity, PROV.label)
    }
    assert labels == {"Writing", "Validation", "Filter", "Release"}
    assert URIRef("urn:sha256:" + "0" * 64) in set(graph.objects(release, PROV.wasDerivedFrom))
    (encoder,) = graph.objects(predicate=PROV.used)
    assert encoder == URIRef("urn:sha256:" + "a" * 64)


def test_a_split_without_questions_has_a_file_and_no_record_set():
    about = described(manifest_of(small_release(test=[])))
    assert {one["name"] for one in about["recordSet"]} == small_release().keys() - {"test"}


def test_addresses_are_added_to_every_file_and_to_nothing_else():
    about = described(MANIFESTS["plain"]) | {"distribution": [{"contentUrl": "data/dev.parquet"}]}
    found = with_addresses(about, "https://example.org/files/", page="https://example.org/small-1")
    assert found["distribution"] == [{"contentUrl": "https://example.org/files/data/dev.parquet"}]
    assert found["url"] == "https://example.org/small-1"
    rest = found.keys() - {"distribution", "url"}
    assert {key: found[key] for key in rest} == {key: about[key] for key in rest}


@pytest.mark.parametrize(
    "address", ["", "files", "ftp://a", "https://", "https://a/?b", "http://a#b"]
)
def test_what_is_no_address_is_refused(address):
    with pytest.raises(ValueError, match="base_url must be"):
        with_addresses({"distribution": []}, address)


def test_the_canary_string_stands_in_card_and_description_of_a_release_that_has_one():
    guid = guid_of(PLAIN.name, PLAIN.built_at)
    found = documents(replace(PLAIN, canary=guid))
    said_in = {name for name, text in found.items() if f"canary GUID {guid}" in text}
    assert said_in == {"README.md", "croissant.json"}
    assert json.loads(found["manifest.json"])["canary"] == guid
    assert not [name for name, text in documents(PLAIN).items() if "canary" in text]


def test_each_release_has_its_own_canary_and_no_other_is_taken():
    first, second = guid_of("a", "2026-01-01"), guid_of("b", "2026-01-01")
    assert first != second
    with pytest.raises(ValueError, match="canary must be"):
        replace(PLAIN, canary=first)
