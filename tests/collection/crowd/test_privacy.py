"""What is frozen, and so all that is published, knows nothing of platforms and their people."""

from corpora import services as corpora
from tests.factories import CrowdSessionFactory, TwinFactory, VerdictFactory
from tests.filtering.stages import assert_done, read
from winoplatform.runs.kinds import execute_here


def test_no_id_of_a_platform_is_frozen() -> None:
    session = CrowdSessionFactory(
        participant__external_id="secret-person", external_id="secret-session"
    )
    campaign, author = session.study.campaign, session.participant.worker
    questions = list(TwinFactory(campaign=campaign, author=author).questions.all())
    for question in questions:
        VerdictFactory(question=question)
    taken = corpora.take_snapshot(campaign=campaign, by=None)
    execute_here(taken)
    assert_done(taken)
    text = read(taken.questions)
    assert all(question.public_id in text for question in questions)
    theirs = ("secret-person", "secret-session", author.username, author.public_id)
    assert not [secret for secret in (*theirs, session.study.name) if secret in text]
