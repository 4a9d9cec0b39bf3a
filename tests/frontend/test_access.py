"""Every page, for everybody: who may open it is decided here, page by page."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, reverse

from collection.models import Campaign
from frontend.urls import urlpatterns
from tests.factories import (
    TwinFactory,
    UserFactory,
)
from tests.frontend.page_addresses import addresses_of
from workers.models import User

SIGN_IN, OK, TO, NO, HIDDEN, BAD = "in", 200, 302, 403, 404, 400
# page: (GET by nobody, by the worker it is about, by another worker, by a curator)
GETS = {
    "home": (SIGN_IN, OK, OK, OK),
    "starter": (OK, OK, OK, OK),  # the sign-in page shows it too
    "sign-in": (OK, TO, TO, TO),
    "sign-out": (405, 405, 405, 405),
    # Alice comes from a crowd platform: her link is no way to a token.
    "account": (SIGN_IN, NO, OK, OK),
    "revoke-token": (SIGN_IN, 405, 405, 405),
    "change-password": (SIGN_IN, NO, OK, OK),
    "new-password": (OK, OK, OK, OK),  # who forgot the password cannot sign in
    "password-links": (SIGN_IN, NO, NO, OK),
    "revoke-password-link": (SIGN_IN, NO, NO, 405),
    "invitation": (OK, OK, OK, OK),  # an invited person has no account yet
    "invitations": (SIGN_IN, NO, NO, OK),
    "invite-list": (SIGN_IN, NO, NO, OK),
    "revoke-invitation": (SIGN_IN, NO, NO, 405),
    "my-work": (SIGN_IN, OK, OK, OK),
    "my-pay": (SIGN_IN, OK, OK, OK),
    "my-pay-file": (SIGN_IN, OK, OK, OK),
    "campaign-pay": (SIGN_IN, NO, NO, OK),
    "pay-check": (SIGN_IN, NO, NO, OK),
    "approve-pay": (SIGN_IN, NO, NO, 405),
    "new-payout": (SIGN_IN, NO, NO, 405),
    "worker-pay": (SIGN_IN, NO, NO, OK),
    "give-extra": (SIGN_IN, NO, NO, 405),
    "void-entry": (SIGN_IN, NO, NO, 405),
    "payout": (SIGN_IN, NO, NO, OK),
    "payout-paid": (SIGN_IN, NO, NO, 405),
    "cancel-payout": (SIGN_IN, NO, NO, 405),
    "payout-file": (SIGN_IN, NO, NO, OK),
    "campaign": (SIGN_IN, NO, NO, OK),
    "change-status": (SIGN_IN, NO, NO, 405),
    "start-pipeline": (SIGN_IN, NO, NO, 405),
    "take-snapshot": (SIGN_IN, NO, NO, 405),
    "join": (SIGN_IN, OK, OK, OK),
    "join-validate": (SIGN_IN, OK, OK, NO),
    "train": (SIGN_IN, 405, 405, 405),
    "accept-guidelines": (SIGN_IN, 405, 405, 405),
    "submit-exercise": (SIGN_IN, 405, 405, 405),
    "new-campaign": (SIGN_IN, NO, NO, OK),
    "campaign-setup": (SIGN_IN, NO, NO, OK),
    "campaign-articles": (SIGN_IN, NO, NO, OK),
    "import-articles": (SIGN_IN, NO, NO, 405),
    "campaign-preview": (SIGN_IN, NO, NO, OK),
    "campaign-settings": (SIGN_IN, NO, NO, OK),
    "campaign-guidelines": (SIGN_IN, NO, NO, OK),
    "campaign-exercise": (SIGN_IN, NO, NO, OK),
    "campaign-attributes": (SIGN_IN, NO, NO, OK),
    "progress": (SIGN_IN, NO, NO, OK),
    "quality": (SIGN_IN, NO, NO, OK),
    "renew-quality": (SIGN_IN, NO, NO, 405),
    "what-if": (SIGN_IN, NO, NO, OK),
    "what-if-file": (SIGN_IN, NO, NO, HIDDEN),  # without a policy
    "votes-file": (SIGN_IN, NO, NO, OK),
    "people": (SIGN_IN, NO, NO, OK),
    "person": (SIGN_IN, NO, NO, OK),
    "pause-worker": (SIGN_IN, NO, NO, 405),
    "resume-worker": (SIGN_IN, NO, NO, 405),
    "author": (SIGN_IN, OK, OK, OK),
    "submit-twin": (SIGN_IN, TO, HIDDEN, HIDDEN),
    "check-twin": (SIGN_IN, 405, 405, 405),
    "return-assignment": (SIGN_IN, 405, 405, 405),
    "draft": (401, OK, HIDDEN, HIDDEN),
    "advise-twin": (SIGN_IN, 405, 405, 405),
    "receipt": (SIGN_IN, OK, HIDDEN, HIDDEN),
    "withdraw-twin": (SIGN_IN, 405, 405, 405),
    "revise-twin": (SIGN_IN, OK, HIDDEN, HIDDEN),
    "validate": (SIGN_IN, OK, OK, NO),
    "validate-ahead": (SIGN_IN, 405, 405, NO),
    "validate-undo": (SIGN_IN, OK, OK, NO),
    "see-notice": (SIGN_IN, 405, 405, NO),
    "see-news": (SIGN_IN, 405, 405, 405),
    "beat": (SIGN_IN, 405, 405, NO),
    "amend-vote": (SIGN_IN, 405, 405, NO),
    "answer-local": (SIGN_IN, 405, 405, NO),
    "cast-vote": (SIGN_IN, 405, 405, NO),
    "return-seat": (SIGN_IN, 405, 405, NO),
    "data": (SIGN_IN, NO, NO, OK),
    "data-file": (SIGN_IN, NO, NO, OK),
    "data-question": (SIGN_IN, NO, NO, OK),
    "new-data-action": (SIGN_IN, NO, NO, 405),
    "data-action": (SIGN_IN, NO, NO, HIDDEN),  # of another curator
    "review-queue": (SIGN_IN, NO, NO, OK),
    "review-question": (SIGN_IN, NO, NO, OK),
    "exclude-vote": (SIGN_IN, NO, NO, 405),
    "restore-vote": (SIGN_IN, NO, NO, 405),
    "exclude-work": (SIGN_IN, NO, NO, OK),
    "golds": (SIGN_IN, NO, NO, OK),
    "retire-gold": (SIGN_IN, NO, NO, 405),
    "appeals": (SIGN_IN, NO, NO, OK),
    "answer-appeal": (SIGN_IN, NO, NO, 405),
    "my-appeals": (SIGN_IN, OK, OK, OK),
    "make-appeal": (SIGN_IN, OK, HIDDEN, HIDDEN),
    "filter-run": (SIGN_IN, NO, NO, OK),
    "clone-filter-run": (SIGN_IN, NO, NO, OK),
    "start-seeds": (SIGN_IN, NO, NO, 405),
    "evidence": (SIGN_IN, NO, NO, OK),
    "evidence-points": (SIGN_IN, NO, NO, HIDDEN),
    "evidence-report": (SIGN_IN, NO, NO, HIDDEN),  # nothing is assessed
    "assess": (SIGN_IN, NO, NO, 405),
    "start-controls": (SIGN_IN, NO, NO, 405),
    "new-filter-run": (SIGN_IN, NO, NO, OK),
    "compare-runs": (SIGN_IN, NO, NO, OK),
    "new-release": (SIGN_IN, NO, NO, OK),
    "release-preview": (SIGN_IN, NO, NO, OK),
    "tuning": (SIGN_IN, NO, NO, OK),
    "encode-tuned": (SIGN_IN, NO, NO, OK),
    "new-tuning": (SIGN_IN, NO, NO, OK),
    "new-encoding": (SIGN_IN, NO, NO, OK),
    "cancel-run": (SIGN_IN, NO, NO, 405),
    "jobs": (SIGN_IN, NO, NO, OK),
    "keep-run": (SIGN_IN, NO, NO, 405),
    "delete-run": (SIGN_IN, NO, NO, 405),
    "choose-run": (SIGN_IN, NO, NO, 405),
    "show-latest-release": (SIGN_IN, NO, NO, 405),
    "resume-run": (SIGN_IN, NO, NO, 405),
    "human-evaluations": (SIGN_IN, NO, NO, OK),
    "new-human-evaluation": (SIGN_IN, NO, NO, OK),
    "human-evaluation": (SIGN_IN, NO, NO, OK),
    "human-evaluation-status": (SIGN_IN, NO, NO, 405),
    "human-votes-file": (SIGN_IN, NO, NO, OK),
    "human-evaluation-person": (SIGN_IN, NO, NO, OK),
    "exclude-human-vote": (SIGN_IN, NO, NO, 405),
    "restore-human-vote": (SIGN_IN, NO, NO, 405),
    "answer-human": (SIGN_IN, OK, OK, NO),
    "cast-human-vote": (SIGN_IN, 405, 405, NO),
    "beat-human": (SIGN_IN, 405, 405, NO),
    "return-human": (SIGN_IN, 405, 405, NO),
    "release": (SIGN_IN, OK, OK, OK),
    "retract-release": (SIGN_IN, NO, NO, 405),
    "release-report": (SIGN_IN, OK, OK, OK),
    "leaderboard": (SIGN_IN, OK, OK, OK),
    "change-leaderboard": (SIGN_IN, NO, NO, 405),
    "release-file": (SIGN_IN, OK, OK, OK),
    "reference-sets": (SIGN_IN, OK, OK, OK),
    "new-reference-set": (SIGN_IN, NO, NO, OK),
    "reference-set": (SIGN_IN, OK, OK, OK),  # it is public; see test_reference_sets.py
    "change-reference-set": (SIGN_IN, NO, NO, 405),
    "delete-reference-set": (SIGN_IN, NO, NO, 405),
    "detect-in-reference-set": (SIGN_IN, NO, NO, OK),
    "detect-in-release": (SIGN_IN, NO, NO, OK),
    "detect-in-snapshot": (SIGN_IN, NO, NO, OK),
    "detection": (SIGN_IN, NO, NO, OK),
    "evaluations": (SIGN_IN, OK, OK, OK),
    "fine-tunings": (SIGN_IN, OK, OK, OK),
    "new-grid": (SIGN_IN, NO, NO, OK),
    "measure-grid": (SIGN_IN, NO, NO, 405),
    # Of a public set; see test_fine_tunings.py for the others.
    "grid": (SIGN_IN, OK, OK, OK),
    "curve-file": (SIGN_IN, OK, OK, OK),
    "fine-tuning": (SIGN_IN, OK, OK, OK),
    "map-file": (SIGN_IN, OK, OK, OK),
    "offer-label-errors": (SIGN_IN, NO, NO, 405),
    "paper-tables": (SIGN_IN, OK, OK, OK),
    "paper-table": (SIGN_IN, OK, OK, OK),
    "paper-table-file": (SIGN_IN, OK, OK, OK),
    "attach-paper-table": (SIGN_IN, NO, NO, 405),
    "new-evaluations": (SIGN_IN, NO, NO, OK),
    "measure-evaluations": (SIGN_IN, NO, NO, 405),
    "new-predictions": (SIGN_IN, NO, NO, OK),
    "store-predictions": (SIGN_IN, NO, NO, 405),
    "new-ensemble": (SIGN_IN, NO, NO, OK),
    # Of a public set; see test_evaluations.py for the others.
    "evaluation": (SIGN_IN, OK, OK, OK),
    "comparison": (SIGN_IN, OK, OK, OK),
    "comparison-file": (SIGN_IN, OK, OK, OK),
    "knowledge-sets": (SIGN_IN, OK, OK, OK),
    "new-knowledge-set": (SIGN_IN, NO, NO, OK),
    # Of a set that pays nobody for formalising; see test_knowledge.py for one that does.
    "knowledge-set": (SIGN_IN, HIDDEN, HIDDEN, OK),
    "start-sweep": (SIGN_IN, NO, NO, 405),
    "knowledge-question": (SIGN_IN, HIDDEN, HIDDEN, OK),
    "check-knowledge": (SIGN_IN, 405, 405, 405),
    "prove-knowledge": (SIGN_IN, 405, 405, 405),
    "prove-knowledge-pair": (SIGN_IN, 405, 405, 405),
    "knowledge-exercise": (SIGN_IN, HIDDEN, HIDDEN, NO),
    "knowledge-attempt": (SIGN_IN, HIDDEN, HIDDEN, NO),
    "take-question": (SIGN_IN, 405, 405, 405),
    "return-question": (SIGN_IN, 405, 405, 405),
    "knowledge-formulas": (SIGN_IN, HIDDEN, HIDDEN, OK),
    "put-words": (SIGN_IN, NO, NO, 405),
    "knowledge-sentences": (SIGN_IN, NO, NO, OK),
    "write-sentence": (SIGN_IN, NO, NO, OK),
    "preview-sentence": (SIGN_IN, NO, NO, 405),
    "knowledge-sentence": (SIGN_IN, NO, NO, OK),
    "false-versions": (SIGN_IN, NO, NO, OK),
    "delete-sentence": (SIGN_IN, NO, NO, 405),
    "knowledge-validation": (SIGN_IN, NO, NO, OK),
    "knowledge-pay": (SIGN_IN, NO, NO, OK),
    "knowledge-validation-status": (SIGN_IN, NO, NO, 405),
    "end-enrolment": (SIGN_IN, NO, NO, 405),
    "answer-knowledge": (SIGN_IN, OK, OK, NO),
    "enrol-knowledge": (SIGN_IN, 405, 405, NO),
    "give-knowledge-answer": (SIGN_IN, 405, 405, NO),
    "beat-knowledge": (SIGN_IN, 405, 405, NO),
    "return-knowledge": (SIGN_IN, 405, 405, NO),
    "knowledge-releases": (SIGN_IN, NO, NO, OK),
    "knowledge-release": (SIGN_IN, HIDDEN, HIDDEN, OK),
    "evaluate-knowledge": (SIGN_IN, NO, NO, 405),
    "retract-knowledge": (SIGN_IN, NO, NO, 405),
    "knowledge-release-file": (SIGN_IN, HIDDEN, HIDDEN, OK),
    "reasons": (SIGN_IN, NO, NO, OK),
    "reason-figures": (SIGN_IN, NO, NO, OK),
    "arrive": (NO, NO, NO, NO),  # without what its link says; see test_crowd.py
    "crowd-session": (SIGN_IN, OK, HIDDEN, HIDDEN),
    "finish-session": (SIGN_IN, 405, 405, 405),
    "stop-session": (SIGN_IN, 405, 405, 405),
    "studies": (SIGN_IN, NO, NO, OK),
    "study": (SIGN_IN, NO, NO, OK),
    "study-links": (SIGN_IN, NO, NO, 405),
    "change-study": (SIGN_IN, NO, NO, OK),
    "close-study": (SIGN_IN, NO, NO, 405),
    "reopen-study": (SIGN_IN, NO, NO, 405),
    "sessions-file": (SIGN_IN, NO, NO, OK),
}
# page: POST without any field, by the same
POSTS = {
    "home": (SIGN_IN, 405, 405, 405),
    "starter": (405, 405, 405, 405),
    "sign-in": (OK, TO, TO, TO),
    "sign-out": (TO, TO, TO, TO),
    "account": (SIGN_IN, NO, BAD, BAD),
    "revoke-token": (SIGN_IN, TO, HIDDEN, HIDDEN),
    "change-password": (SIGN_IN, NO, BAD, BAD),
    "new-password": (BAD, OK, OK, OK),
    "password-links": (SIGN_IN, NO, NO, BAD),
    "revoke-password-link": (SIGN_IN, NO, NO, TO),
    "invitation": (BAD, OK, OK, OK),
    "invitations": (SIGN_IN, NO, NO, BAD),
    "invite-list": (SIGN_IN, NO, NO, BAD),
    "revoke-invitation": (SIGN_IN, NO, NO, TO),
    "my-work": (SIGN_IN, 405, 405, 405),
    "my-pay": (SIGN_IN, 405, 405, 405),
    "my-pay-file": (SIGN_IN, 405, 405, 405),
    "campaign-pay": (SIGN_IN, NO, NO, 405),
    "pay-check": (SIGN_IN, NO, NO, 405),
    "approve-pay": (SIGN_IN, NO, NO, TO),
    "new-payout": (SIGN_IN, NO, NO, BAD),
    "worker-pay": (SIGN_IN, NO, NO, 405),
    "give-extra": (SIGN_IN, NO, NO, BAD),
    "void-entry": (SIGN_IN, NO, NO, BAD),
    "payout": (SIGN_IN, NO, NO, 405),
    "payout-paid": (SIGN_IN, NO, NO, TO),
    "cancel-payout": (SIGN_IN, NO, NO, TO),
    "payout-file": (SIGN_IN, NO, NO, 405),
    "campaign": (SIGN_IN, NO, NO, 405),
    "change-status": (SIGN_IN, NO, NO, BAD),
    "start-pipeline": (SIGN_IN, NO, NO, BAD),
    "take-snapshot": (SIGN_IN, NO, NO, 409),  # nothing is valid
    "join": (SIGN_IN, 405, 405, 405),
    "join-validate": (SIGN_IN, 405, 405, NO),
    "train": (SIGN_IN, 409, 409, 409),
    "accept-guidelines": (SIGN_IN, 409, 409, 409),
    "submit-exercise": (SIGN_IN, BAD, BAD, BAD),
    "new-campaign": (SIGN_IN, NO, NO, BAD),
    "campaign-setup": (SIGN_IN, NO, NO, 405),
    "campaign-articles": (SIGN_IN, NO, NO, BAD),
    "import-articles": (SIGN_IN, NO, NO, TO),
    "campaign-preview": (SIGN_IN, NO, NO, 405),
    "campaign-settings": (SIGN_IN, NO, NO, BAD),
    "campaign-guidelines": (SIGN_IN, NO, NO, BAD),
    "campaign-exercise": (SIGN_IN, NO, NO, BAD),
    "campaign-attributes": (SIGN_IN, NO, NO, BAD),
    "progress": (SIGN_IN, NO, NO, 405),
    "quality": (SIGN_IN, NO, NO, 405),
    "renew-quality": (SIGN_IN, NO, NO, TO),
    "what-if": (SIGN_IN, NO, NO, 405),
    "what-if-file": (SIGN_IN, NO, NO, 405),
    "votes-file": (SIGN_IN, NO, NO, 405),
    "people": (SIGN_IN, NO, NO, 405),
    "person": (SIGN_IN, NO, NO, 405),
    "pause-worker": (SIGN_IN, NO, NO, BAD),
    "resume-worker": (SIGN_IN, NO, NO, 409),
    "author": (SIGN_IN, TO, 409, 409),
    "submit-twin": (SIGN_IN, BAD, HIDDEN, HIDDEN),
    "check-twin": (SIGN_IN, OK, HIDDEN, HIDDEN),
    "return-assignment": (SIGN_IN, TO, HIDDEN, HIDDEN),
    "draft": (401, BAD, BAD, BAD),
    "advise-twin": (SIGN_IN, OK, HIDDEN, HIDDEN),
    "receipt": (SIGN_IN, 405, 405, 405),
    "withdraw-twin": (SIGN_IN, TO, HIDDEN, HIDDEN),
    "revise-twin": (SIGN_IN, BAD, HIDDEN, HIDDEN),
    "validate": (SIGN_IN, TO, OK, NO),
    "validate-ahead": (SIGN_IN, 204, 204, NO),
    "validate-undo": (SIGN_IN, 405, 405, NO),
    "see-notice": (SIGN_IN, TO, TO, NO),
    "see-news": (SIGN_IN, TO, TO, TO),
    "beat": (SIGN_IN, OK, HIDDEN, NO),
    "amend-vote": (SIGN_IN, BAD, BAD, NO),
    "answer-local": (SIGN_IN, BAD, BAD, NO),
    "cast-vote": (SIGN_IN, BAD, BAD, NO),
    "return-seat": (SIGN_IN, OK, HIDDEN, NO),
    "data": (SIGN_IN, NO, NO, 405),
    "data-file": (SIGN_IN, NO, NO, BAD),
    "data-question": (SIGN_IN, NO, NO, 405),
    "new-data-action": (SIGN_IN, NO, NO, BAD),
    "data-action": (SIGN_IN, NO, NO, HIDDEN),
    "review-queue": (SIGN_IN, NO, NO, TO),
    "review-question": (SIGN_IN, NO, NO, BAD),
    "exclude-vote": (SIGN_IN, NO, NO, TO),
    "restore-vote": (SIGN_IN, NO, NO, TO),
    "exclude-work": (SIGN_IN, NO, NO, BAD),
    "golds": (SIGN_IN, NO, NO, BAD),
    "retire-gold": (SIGN_IN, NO, NO, TO),
    "appeals": (SIGN_IN, NO, NO, 405),
    "answer-appeal": (SIGN_IN, NO, NO, TO),
    "my-appeals": (SIGN_IN, 405, 405, 405),
    "make-appeal": (SIGN_IN, BAD, HIDDEN, HIDDEN),
    "filter-run": (SIGN_IN, NO, NO, 405),
    "clone-filter-run": (SIGN_IN, NO, NO, BAD),
    "start-seeds": (SIGN_IN, NO, NO, BAD),
    "evidence": (SIGN_IN, NO, NO, 405),
    "evidence-points": (SIGN_IN, NO, NO, 405),
    "evidence-report": (SIGN_IN, NO, NO, 405),
    "assess": (SIGN_IN, NO, NO, TO),
    "start-controls": (SIGN_IN, NO, NO, TO),
    "new-filter-run": (SIGN_IN, NO, NO, BAD),
    "compare-runs": (SIGN_IN, NO, NO, 405),
    "new-release": (SIGN_IN, NO, NO, BAD),
    "release-preview": (SIGN_IN, NO, NO, BAD),
    "tuning": (SIGN_IN, NO, NO, 405),
    "encode-tuned": (SIGN_IN, NO, NO, BAD),
    "new-tuning": (SIGN_IN, NO, NO, BAD),
    "new-encoding": (SIGN_IN, NO, NO, BAD),
    "cancel-run": (SIGN_IN, NO, NO, TO),
    "jobs": (SIGN_IN, NO, NO, 405),
    "keep-run": (SIGN_IN, NO, NO, TO),
    "delete-run": (SIGN_IN, NO, NO, TO),
    "choose-run": (SIGN_IN, NO, NO, TO),
    "show-latest-release": (SIGN_IN, NO, NO, TO),
    "resume-run": (SIGN_IN, NO, NO, TO),
    "human-evaluations": (SIGN_IN, NO, NO, 405),
    "new-human-evaluation": (SIGN_IN, NO, NO, BAD),
    "human-evaluation": (SIGN_IN, NO, NO, 405),
    "human-evaluation-status": (SIGN_IN, NO, NO, BAD),
    "human-votes-file": (SIGN_IN, NO, NO, 405),
    "human-evaluation-person": (SIGN_IN, NO, NO, BAD),
    "exclude-human-vote": (SIGN_IN, NO, NO, TO),
    "restore-human-vote": (SIGN_IN, NO, NO, TO),
    # Alice comes from a crowd platform for writing; Carol is given the next question.
    "answer-human": (SIGN_IN, TO, TO, NO),
    "cast-human-vote": (SIGN_IN, BAD, BAD, NO),
    "beat-human": (SIGN_IN, OK, HIDDEN, NO),
    "return-human": (SIGN_IN, TO, TO, NO),
    "release": (405, 405, 405, 405),
    "retract-release": (SIGN_IN, NO, NO, BAD),
    "release-report": (405, 405, 405, 405),
    "leaderboard": (SIGN_IN, BAD, BAD, BAD),
    "change-leaderboard": (SIGN_IN, NO, NO, BAD),
    "release-file": (405, 405, 405, 405),
    "reference-sets": (SIGN_IN, 405, 405, 405),
    "new-reference-set": (SIGN_IN, NO, NO, BAD),
    "reference-set": (SIGN_IN, 405, 405, 405),
    "change-reference-set": (SIGN_IN, NO, NO, BAD),
    "delete-reference-set": (SIGN_IN, NO, NO, TO),
    "detect-in-reference-set": (SIGN_IN, NO, NO, BAD),
    "detect-in-release": (SIGN_IN, NO, NO, BAD),
    "detect-in-snapshot": (SIGN_IN, NO, NO, BAD),
    "detection": (SIGN_IN, NO, NO, 405),
    "evaluations": (SIGN_IN, 405, 405, 405),
    "fine-tunings": (SIGN_IN, 405, 405, 405),
    "new-grid": (SIGN_IN, NO, NO, BAD),
    "measure-grid": (SIGN_IN, NO, NO, BAD),
    "grid": (SIGN_IN, 405, 405, 405),
    "curve-file": (SIGN_IN, 405, 405, 405),
    "fine-tuning": (SIGN_IN, 405, 405, 405),
    "map-file": (SIGN_IN, 405, 405, 405),
    "offer-label-errors": (SIGN_IN, NO, NO, TO),
    "paper-tables": (SIGN_IN, 405, 405, 405),
    "paper-table": (SIGN_IN, 405, 405, 405),
    "paper-table-file": (SIGN_IN, 405, 405, 405),
    "attach-paper-table": (SIGN_IN, NO, NO, BAD),
    "new-evaluations": (SIGN_IN, NO, NO, BAD),
    "measure-evaluations": (SIGN_IN, NO, NO, BAD),
    "new-predictions": (SIGN_IN, NO, NO, BAD),
    "store-predictions": (SIGN_IN, NO, NO, TO),
    "new-ensemble": (SIGN_IN, NO, NO, BAD),
    "evaluation": (SIGN_IN, 405, 405, 405),
    "comparison": (SIGN_IN, 405, 405, 405),
    "comparison-file": (SIGN_IN, 405, 405, 405),
    "knowledge-sets": (SIGN_IN, 405, 405, 405),
    "new-knowledge-set": (SIGN_IN, NO, NO, BAD),
    "knowledge-set": (SIGN_IN, 405, 405, 405),
    "start-sweep": (SIGN_IN, NO, NO, TO),
    "knowledge-question": (SIGN_IN, HIDDEN, HIDDEN, BAD),
    "check-knowledge": (SIGN_IN, HIDDEN, HIDDEN, OK),
    "prove-knowledge": (SIGN_IN, HIDDEN, HIDDEN, TO),
    "prove-knowledge-pair": (SIGN_IN, HIDDEN, HIDDEN, OK),
    "knowledge-exercise": (SIGN_IN, 405, 405, NO),
    "knowledge-attempt": (SIGN_IN, HIDDEN, HIDDEN, NO),
    "take-question": (SIGN_IN, HIDDEN, HIDDEN, 409),  # curators work without pay
    "return-question": (SIGN_IN, HIDDEN, HIDDEN, TO),
    "knowledge-formulas": (SIGN_IN, HIDDEN, HIDDEN, BAD),
    "put-words": (SIGN_IN, NO, NO, BAD),
    "knowledge-sentences": (SIGN_IN, NO, NO, 405),
    "knowledge-pay": (SIGN_IN, NO, NO, 405),
    "write-sentence": (SIGN_IN, NO, NO, 409),  # people answer about its sentences already
    "preview-sentence": (SIGN_IN, NO, NO, OK),
    "knowledge-sentence": (SIGN_IN, NO, NO, BAD),
    "false-versions": (SIGN_IN, NO, NO, 405),
    "delete-sentence": (SIGN_IN, NO, NO, TO),
    "knowledge-validation": (SIGN_IN, NO, NO, BAD),
    "knowledge-validation-status": (SIGN_IN, NO, NO, BAD),
    "end-enrolment": (SIGN_IN, NO, NO, TO),
    "answer-knowledge": (SIGN_IN, TO, 409, NO),  # Carol has not enrolled
    "enrol-knowledge": (SIGN_IN, TO, TO, NO),
    "give-knowledge-answer": (SIGN_IN, BAD, BAD, NO),
    "beat-knowledge": (SIGN_IN, OK, HIDDEN, NO),
    "return-knowledge": (SIGN_IN, TO, TO, NO),
    "knowledge-releases": (SIGN_IN, NO, NO, BAD),
    "knowledge-release": (SIGN_IN, 405, 405, 405),
    "evaluate-knowledge": (SIGN_IN, NO, NO, BAD),
    "retract-knowledge": (SIGN_IN, NO, NO, BAD),
    "knowledge-release-file": (SIGN_IN, 405, 405, 405),
    "reasons": (SIGN_IN, NO, NO, 405),
    "reason-figures": (SIGN_IN, NO, NO, 405),
    "arrive": (NO, NO, NO, NO),
    "crowd-session": (SIGN_IN, 405, 405, 405),
    "finish-session": (SIGN_IN, 409, HIDDEN, HIDDEN),
    "stop-session": (SIGN_IN, TO, HIDDEN, HIDDEN),
    "studies": (SIGN_IN, NO, NO, BAD),
    "study": (SIGN_IN, NO, NO, 405),
    "study-links": (SIGN_IN, NO, NO, BAD),
    "change-study": (SIGN_IN, NO, NO, BAD),
    "close-study": (SIGN_IN, NO, NO, TO),
    "reopen-study": (SIGN_IN, NO, NO, TO),
    "sessions-file": (SIGN_IN, NO, NO, 405),
}


@pytest.fixture
def addresses(alice: User, campaign: Campaign) -> dict[str, list[Any]]:
    return addresses_of(alice, campaign)


def test_every_page_is_decided() -> None:
    names = {pattern.name for pattern in urlpatterns if isinstance(pattern, URLPattern)}
    assert names == set(GETS) == set(POSTS)


def verdict(response: Any) -> int | str:
    to_sign_in = response.status_code == 302 and "/sign-in/?next=" in response["Location"]
    return SIGN_IN if to_sign_in else response.status_code


PEOPLE = ["nobody", "alice", "carol", "dana"]


@contextmanager
def undone() -> Iterator[None]:
    """Let what happens meanwhile not have happened: the rows of all pages are made once."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.parametrize("who", PEOPLE)
def test_who_may_open_each_page(
    who: str,
    addresses: dict[str, list[Any]],
    alice: User,
    carol: User,
    dana: User,
    browse: Callable[[User], Client],
) -> None:
    people, place = {"alice": alice, "carol": carol, "dana": dana}, PEOPLE.index(who)
    found = {}
    for name in GETS:
        path = reverse(name, args=addresses.get(name, []))
        with undone():
            client = browse(people[who]) if who in people else Client()
            # Alice may end what she holds when the campaign pauses; others get no article then.
            if name == "author" and who in ("carol", "dana"):
                Campaign.objects.update(status=Campaign.Status.PAUSED)
            found[name] = (verdict(client.get(path)), verdict(client.post(path)))
    assert found == {name: (GETS[name][place], POSTS[name][place]) for name in GETS}


def test_a_draft_campaign_is_not_there_for_workers(
    carol: User, campaign: Campaign, browse: Callable[[User], Client]
) -> None:
    Campaign.objects.update(status=Campaign.Status.DRAFT)
    for page in ("author", "validate"):
        assert browse(carol).get(reverse(page, args=["kitchen"])).status_code == 404


def test_another_writers_twin_shows_nothing_of_itself(
    carol: User, browse: Callable[[User], Client]
) -> None:
    twin = TwinFactory()
    response = browse(carol).get(reverse("receipt", args=[twin.public_id]))
    assert response.status_code == 404
    assert "trophy" not in response.content.decode()


def test_a_form_sent_after_the_session_ended_leads_back_to_its_page(campaign: Campaign) -> None:
    response = Client().post(
        reverse("validate", args=["kitchen"]), headers={"referer": "http://testserver/x/y/"}
    )
    assert response["Location"] == "/sign-in/?next=/x/y/"
    elsewhere = Client().post(
        reverse("validate", args=["kitchen"]), headers={"referer": "http://evil.example/x/"}
    )
    assert elsewhere["Location"] == "/sign-in/?next=/"


def test_a_part_asked_for_after_the_session_ended_leaves_the_page_and_what_is_typed(
    db: None,
) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/campaigns/x/validate/"}
    response = Client().get("/", headers=headers)
    assert response.status_code == 401
    assert response["HX-Reswap"] == "none"
    assert "signed-out" in response["HX-Trigger"]


def test_a_worker_made_curator_sees_at_once_what_curators_see(
    campaign: Campaign, browse: Callable[[User], Client]
) -> None:
    user = UserFactory()
    client = browse(user)
    assert client.get(reverse("campaign", args=["kitchen"])).status_code == 403
    User.objects.filter(pk=user.pk).update(role=User.Role.CURATOR)
    assert client.get(reverse("campaign", args=["kitchen"])).status_code == 200
