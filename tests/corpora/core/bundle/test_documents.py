"""The documents: pure functions of the manifest, and no text in it is read as markup."""

import json
import re
from dataclasses import replace

import jsonschema_rs
import pytest
import yaml
from markdown_it import MarkdownIt

from corpora.core.bundle.card import few_pairs, limits
from corpora.core.bundle.collection import writing
from corpora.core.bundle.documents import documents
from corpora.core.bundle.facts import Figure, HumanPerformance, PeopleFigure
from corpora.core.bundle.manifest import Changes, EarlierRelease, LeakSummary, SplitChanges
from tests.corpora.core.bundle.releases import (
    COLLECTION,
    DECIDED,
    RULES,
    manifest_of,
    small_release,
)

SCHEMA = json.loads(
    (__import__("pathlib").Path(__file__).parent / "cff-1.2.0.schema.json").read_text()
)
HOSTILE = (
    "---\nlicense: evil\n---\n# Head\r\n<script>alert(1)</script> | [x](javascript:y) `c` ![i](h) "
    "\"q\" 'q' {{7*7}} *b* & $x$ https://e.example a@b.example\u2028\u202e\x00 1. no 😀 : #"
)
HTML = MarkdownIt("commonmark", {"html": True}).enable("table")
PLAIN = manifest_of(small_release())
NOBODY = PeopleFigure(value=None, low=None, high=None, n=0)


def written_by(text):
    """Return a manifest with this text wherever people can write one."""
    facts = replace(
        COLLECTION, guidelines={"writing": {text: 1}, "validating": {text: 1}}, currency=text,
        rules=(replace(RULES, verdict_policy=text),), decided=(replace(DECIDED, policy=text),),
    )  # fmt: skip
    splits = {stem: replace(one, domains={text: 1}) for stem, one in PLAIN.splits.items()}
    one = SplitChanges(added=1, removed=0, changed=0)
    earlier = EarlierRelease(
        name="a", version="0.1.0", built_at="2026-01-01", retracted=text,
        changes=Changes(since="0.0.1", splits={text: one}),
    )  # fmt: skip
    return replace(
        PLAIN, title=text, authors=(text, "=== no"), licence=text, campaign=text,
        collection=facts, splits=splits, warnings=(text,), limits=(text,), earlier=(earlier,),
        left_out={text: 1}, software={text: text}, selection={"filter": {text: text}},
        leaks=LeakSummary(tests=1, alpha=0.01, detectable=None, found=(text,)),
        agreement={text: Figure(value=0.5, low=None, high=None, n=1)},
    )  # fmt: skip


def front_matter(text):
    _, front, rest = re.split(r"(?m)^---\n", text, maxsplit=2)
    return yaml.safe_load(front), rest


def body(text):
    return front_matter(text)[1] if text.startswith("---") else text


def structure(text):
    """Return the HTML that a text makes, without what stands between its tags."""
    return re.findall(r"<[^>]*>", HTML.render(text))


def test_equal_manifests_make_equal_documents():
    assert documents(PLAIN) == documents(manifest_of(small_release()))


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md"])
def test_no_text_of_people_becomes_markup(name):
    hostile, plain = (body(documents(written_by(text))[name]) for text in (HOSTILE, "plain"))
    assert structure(hostile) == structure(plain)
    assert "&lt;script&gt;" in HTML.render(hostile)
    assert not set("\u202e\x00\u2028") & set(hostile)


def test_the_front_matter_holds_hostile_texts_as_values():
    about, _ = front_matter(documents(written_by(HOSTILE))["README.md"])
    assert about["license"] == "other"
    assert about["pretty_name"].startswith("--- license: evil --- # Head <script>")
    assert about["configs"] == front_matter(documents(PLAIN)["README.md"])[0]["configs"]


@pytest.mark.parametrize(
    "text", ["no", "1.0", "0o17", "~", "null", "2026-01-01", "a: b", "# c", "-"]
)
def test_yaml_keeps_texts_as_texts(text):
    documents_of = documents(replace(PLAIN, title=text, authors=(text,)))
    assert yaml.safe_load(documents_of["CITATION.cff"])["title"] == text
    assert front_matter(documents_of["README.md"])[0]["pretty_name"] == text


@pytest.mark.parametrize(
    "manifest",
    [
        PLAIN,
        written_by(HOSTILE),
        replace(PLAIN, authors=()),
        replace(PLAIN, authors=("A", "A"), licence="cc0-1.0"),
    ],
)
def test_the_citation_follows_its_schema(manifest):
    found = yaml.load(documents(manifest)["CITATION.cff"], Loader=yaml.BaseLoader)
    jsonschema_rs.validate(SCHEMA, found)


def test_a_licence_has_the_names_of_each_catalogue():
    found = documents(replace(PLAIN, licence="CC-BY-4.0"))
    assert front_matter(found["README.md"])[0]["license"] == "cc-by-4.0"
    assert yaml.safe_load(found["CITATION.cff"])["license"] == "CC-BY-4.0"
    url = "https://creativecommons.org/licenses/by/4.0/"
    assert json.loads(found["croissant.json"])["license"] == url


def test_what_no_fact_tells_is_said_to_be_unknown():
    bare = replace(
        COLLECTION, first_written=None, last_written=None, pay={"writing": {"": 2}}, hourly_pay={},
        guidelines={"writing": {"": 520}},
    )  # fmt: skip
    text = documents(replace(PLAIN, collection=bare, authors=(), leaks=None))["README.md"]
    for line in (
        "Authors: Unknown.",
        "- Guidelines that the writers had accepted: not known (520 questions).",
        "- Pay for a pair: not recorded (2 questions).",
        "- Pay per hour of writing: not known.",
        "- Pay per hour of validating: not known.",
        "Agreement: unknown.",
        "Unknown: no evaluation by people had all its fresh votes when this was built.",
        "Unknown: no leak report was made.",
    ):
        assert line in text.splitlines()


@pytest.mark.parametrize(
    ("name", "said", "true_of_others"),
    [
        ("no votes", "Nobody gave a vote on these questions here.", "Validators"),
        ("no pairs", "in the form of WinoGrande, each without its twin", "Pairs of sentences"),
        ("no blind questions", "## Verify", "They are committed, not checked"),
    ],
)
def test_nothing_is_said_of_what_a_release_does_not_have(name, said, true_of_others):
    alone = {"train_xl": small_release()["dev"][::2], "dev": [], "test": []}
    changed = {
        "no votes": {"collection": replace(COLLECTION, votes=0, votes_excluded=0, pay={})},
        "no pairs": {"splits": manifest_of(alone).splits},
        "no blind questions": {"commitments": 0},
    }
    whole = documents(replace(PLAIN, commitments=10))
    lacking = documents(replace(PLAIN, **({"commitments": 10} | changed[name])))
    assert true_of_others in whole["README.md"]
    assert true_of_others not in lacking["README.md"]
    assert said in lacking["README.md"]
    assert true_of_others not in lacking["croissant.json"]


def test_imported_questions_have_no_pay_and_no_rules_of_writing():
    imported = replace(COLLECTION, written=0, writers=0, rules=(), first_written=None)
    assert writing(imported) == (
        "The 523 questions of training and dev were imported from a published set.",
    )
    assert writing(replace(imported, questions=0)) == ("Training and dev have no questions.",)


def test_the_card_does_not_say_what_no_fact_holds():
    human = HumanPerformance(
        split="dev", release="small-0", questions=1, people=1, votes=1, individual=NOBODY,
        majority=NOBODY, group=None,
    )  # fmt: skip
    text = documents(replace(PLAIN, human=(human,)))["README.md"]
    assert "None: no question was left out because models can guess it." in text
    assert "On 1 question of `dev` of the release `small-0`: 1 fresh vote of 1 person." in text
    assert "- Not for decisions about people.\n" in text
    whole = documents(replace(PLAIN, human=(replace(human, split="all", release=""),)))
    assert "On 1 question of the snapshot: 1 fresh vote" in whole["README.md"]


@pytest.mark.parametrize(
    ("selection", "said"),
    [
        (None, "The training set is not filtered"),
        ({"filter": {"method": "aflite"}}, "The filter removes what a linear model"),
        ({"filter": {"method": "random"}}, "is a baseline that removes questions at random"),
        ({"filter": {"method": "pmi"}}, "is a baseline that removes questions whose words"),
    ],
)
def test_the_limits_are_those_of_the_filter_that_was_used(selection, said):
    splits = {name: {"pairs": 30, "unpaired": 0} for name in ("train_xl", "dev", "test")}
    found = limits(splits, near_duplicate=0.6, selection=selection)
    assert sum("filter" in one for one in found) == 1
    assert any(said in one for one in found)


def test_a_split_without_questions_has_no_uncertain_figures():
    splits = {name: {"questions": 8, "pairs": 4} for name in ("train_xl", "dev")}
    splits["test"] = {"questions": 0, "pairs": 0}
    assert few_pairs(splits, min_pairs=4) == ["test has no questions."]
    assert [one.split(" has ")[0] for one in few_pairs(splits, min_pairs=5)] == [
        "train_xl", "dev", "test",
    ]  # fmt: skip


def test_the_card_tells_the_facts():
    figure = PeopleFigure(
        value=0.94, low=0.9, high=0.97, n=200, people_low=0.88, people_high=0.98, n_people=12
    )
    human = HumanPerformance(
        split="test", questions=200, people=12, votes=600, individual=figure, majority=figure,
        group=None,
    )  # fmt: skip
    fresh = {
        "before": {"direction": "above", "n": 340, "detectable": 0.586},
        "after": {"direction": "none", "n": 323, "detectable": 0.588},
    }
    selection = {"filter": {"tau": 0.75, "fresh_models": fresh}}
    text = documents(replace(PLAIN, human=(human,), selection=selection))["README.md"]
    assert "Median pay per hour of writing these questions: 11.20 USD (4 people)." in text
    assert "On 200 questions of `test`: 600 fresh votes of 12 people." in text
    assert "| right majorities | 0.940 | 0.900 to 0.970 | 200 | 0.880 to 0.980 |" in text
    assert "Fresh linear models before: above one half (340 questions)." in text
    assert (
        "after: neither above nor below one half was found; an accuracy of 0.588 or more, or of "
        "0.412 or less, would have been found with a probability of at least 80 % (323 questions)."
    ) in text
    assert "| `filter.tau` | 0.75 |" in text
    assert "| `test` | 10 | 5 | 0 | secret |" in text


def test_the_changelog_tells_what_changed_and_what_was_retracted():
    changes = Changes(since="1.0.0", splits={
        "dev": SplitChanges(added=3, removed=0, changed=1),
        "test": SplitChanges(added=0, removed=0, changed=0),
    })  # fmt: skip
    first = EarlierRelease(name="small-0", version="1.0.0", built_at="2025-01-01T00:00:00+00:00",
                           changes=None, retracted="The labels of dev were wrong.")  # fmt: skip
    text = documents(replace(PLAIN, version="2.0.0", changes=changes, earlier=(first,)))[
        "CHANGELOG.md"
    ]
    assert text.index("## 2.0.0 (2026-11-23)") < text.index("## 1.0.0 (2025-01-01)")
    assert "| `dev` | 3 | 0 | 1 |" in text
    assert "`test`" not in text
    assert "**Retracted**: The labels of dev were wrong." in text


def test_no_document_names_a_secret_file_s_hash_or_label_count():
    text = "".join(documents(PLAIN).values())
    assert json.loads(documents(PLAIN)["manifest.json"])["splits"]["test"]["label_1"] is None
    assert "test-labels.lst" not in text.replace(documents(PLAIN)["score.py"], "")
