"""Loads what a method works with: a model, a server, a corpus or a file of predictions."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, cast

from django.conf import settings
from django.db.models import QuerySet

from collection.models import Article, Campaign
from corpora.core.items import Item
from corpora.loading import permitted
from evaluation.core.corpus import sentences
from evaluation.core.predictions import Predictions, read_predictions
from evaluation.models import (
    Evaluation,
    ServerAnswer,
)
from modeling.encoders import load_encoder
from modeling.loaded import Dtype, LoadedModel, Use
from modeling.loading import load_model
from modeling.remote import RemoteModel
from modeling.specs import ModelUnavailable
from winoplatform.artifacts import store

NO_SERVER = (
    "The operator of this platform has set no server for models (setting REMOTE_MODEL_URL), so "
    "this method cannot be used."
)

NO_CORPUS = (
    "There is no corpus: import articles into the campaign, or ask the operator to set CORPUS_FILE."
)


def load(run: Evaluation, use: Use) -> LoadedModel:
    """Load an evaluation's model; refuse one that differs from the recorded one."""
    spec, weights = permitted(run.model), run.weights_sha256 or None
    config, dtype = run.config_sha256 or None, cast(Dtype, run.dtype)
    if use == "pooled":
        return load_encoder(
            spec, expected_sha256=weights, expected_config_sha256=config, dtype=dtype
        )
    return load_model(
        spec, use, expected_sha256=weights, expected_config_sha256=config, dtype=dtype
    )


class AnswerCache:
    """A server's answers in the database; another revision of its models has its own."""

    def get(self, key: str, /) -> str | None:
        rows = ServerAnswer.objects.filter(key=self._key(key))
        return rows.values_list("answer", flat=True).first()

    def put(self, key: str, answer: str, /) -> None:
        row = ServerAnswer(key=self._key(key), answer=answer)
        ServerAnswer.objects.bulk_create([row], ignore_conflicts=True)

    def _key(self, key: str) -> str:
        return hashlib.sha256(f"{settings.REMOTE_MODEL_REVISION}\n{key}".encode()).hexdigest()


def server(model: str) -> RemoteModel:
    """Return a model on the operator's server, whose answers are stored.

    Raises
    ------
    ModelUnavailable
        When the operator has set no server.
    ValueError
        When a setting is outside its range; the message has no key.
    """
    if not settings.REMOTE_MODEL_URL:
        raise ModelUnavailable(NO_SERVER)
    return RemoteModel(
        base_url=settings.REMOTE_MODEL_URL,
        model=model,
        api_key=settings.REMOTE_MODEL_KEY or None,
        timeout=settings.REMOTE_MODEL_SECONDS,
        max_retries=settings.REMOTE_MODEL_RETRIES,
        concurrency=settings.REMOTE_MODEL_CONCURRENCY,
        start=settings.REMOTE_MODEL_START,
        cache=AnswerCache(),
    )


def server_sha256() -> str:
    """Return a hash of the server's address and start token."""
    settled = json.dumps([settings.REMOTE_MODEL_URL, settings.REMOTE_MODEL_START])
    return hashlib.sha256(settled.encode()).hexdigest()


def has_corpus(campaign: Campaign | None) -> bool:
    """Return whether there is a file or an article to read."""
    return bool(settings.CORPUS_FILE) or _articles(campaign).exists()


def corpus(campaign: Campaign | None) -> list[str]:
    """Return the distinct sentences of the operator's file, else of articles.

    Parameters
    ----------
    campaign : Campaign, optional
        Whose articles; None for those of all campaigns.

    Raises
    ------
    ValueError
        When the file cannot be read, or there is no sentence.
    """
    texts = _of_file(settings.CORPUS_FILE) if settings.CORPUS_FILE else _of_articles(campaign)
    sentence_list = list(dict.fromkeys(sentence for text in texts for sentence in sentences(text)))
    if not sentence_list:
        raise ValueError(NO_CORPUS)
    return sentence_list


def _of_file(path: str) -> Iterator[str]:
    try:
        with Path(path).open(encoding="utf-8") as lines:
            yield from lines
    except (OSError, UnicodeDecodeError) as error:
        # Without the error's text, which contains a path of this machine.
        raise ValueError(
            f"The corpus (setting CORPUS_FILE) cannot be read: {type(error).__name__}."
        ) from error


def _articles(campaign: Campaign | None) -> "QuerySet[Article]":
    return (campaign.articles if campaign else Article.objects).current()


def _of_articles(campaign: Campaign | None) -> Iterator[str]:
    ordered = _articles(campaign).order_by("campaign_id", "source_id")
    return ordered.values_list("text", flat=True).iterator()


def corpus_sha256(corpus: Sequence[str]) -> str:
    """Return the SHA-256 of sentences, one per line."""
    digest = hashlib.sha256()
    for sentence in corpus:
        digest.update(f"{sentence}\n".encode())
    return digest.hexdigest()


def predictions(file: IO[bytes], items: Sequence[Item], **how: str) -> Predictions:
    """Read a file of predictions made elsewhere.

    Raises
    ------
    ValueError
        When it cannot be read, with the reason.
    """
    with file:
        return read_predictions(file, items, **how)


def uploaded(run: Evaluation, items: Sequence[Item]) -> Predictions:
    """Read the file of predictions of an evaluation, as it was read when it was stored."""
    assert run.upload is not None
    return predictions(store.open_artifact(run.upload), items, **(run.report or {})["read_as"])
