"""Links and events as the platforms make them."""

from urllib.parse import parse_qsl, urlsplit

from collection.crowd import PROVIDERS, StudyFacts
from collection.crowd.generic import signed_link

NOW = 1_800_000_000
OURS = "https://wino.example"
PID, SID = "5f3a9c0d1e2b4a6978c0ffee", "6a7b8c9d0e1f2a3b4c5d6e7f"
STUDY = StudyFacts(
    id="0b6dd8b1-6b06-4f3c-8b70-2f4a2c54c001",
    secret="s" * 43,
    event_secret="from the platform",
    return_url="https://panel.example/done?cc={code}&s={session}",
)


def query_of(link: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(link).query, keep_blank_values=True))


def generic_query(**fields: str) -> dict[str, str]:
    """The parameters of a link that the study's secret has signed."""
    signed = {"participant": "p-1", "session": "s-1", "expires": str(NOW + 60)} | fields
    return query_of(signed_link(STUDY, origin=OURS, fields=signed))


def setup_query(provider: str) -> dict[str, str]:
    """The parameters that the study's own link of a provider brings."""
    setup = PROVIDERS[provider].setup(
        STUDY, origin=OURS, min_approvals=None, min_approval_rate=None
    )
    return query_of(setup.link)


def prolific_query(**fields: str) -> dict[str, str]:
    ids = {"PROLIFIC_PID": PID, "SESSION_ID": SID, "STUDY_ID": "0" * 24}
    return setup_query("prolific") | ids | fields


def mturk_query(**fields: str) -> dict[str, str]:
    ids = {
        "workerId": "A1B2C3D4E5F6G7",
        "assignmentId": "3ABCDEF0123456789",
        "hitId": "3HIT",
        "turkSubmitTo": "https://www.mturk.com",
    }
    return setup_query("mturk") | ids | fields
