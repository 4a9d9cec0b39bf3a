"""A language model on a server, scored like a local one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from modeling.remote.alignment import ScoredText, align
from modeling.remote.client import Client
from modeling.scoring import Cloze
from modeling.specs import ModelUnavailable

Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]
PARTS = ("tokens", "token_logprobs", "text_offset")


class Cache(Protocol):
    """Stores a server's answers between runs; called from the caller's thread only."""

    def get(self, key: str, /) -> str | None:
        """Return the answer stored under a key of 64 hexadecimal digits, or None."""

    def put(self, key: str, answer: str, /) -> None:
        """Store an answer, which is JSON."""


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """A language model on a server with the API of OpenAI's ``/v1/completions``.

    The server must support ``echo`` with ``logprobs``, as vLLM does: the log-probability of each
    token of the prompt.

    Parameters
    ----------
    base_url : str
        For example ``http://127.0.0.1:8000/v1``; ``/completions`` is appended. The server is not
        followed to another address.
    model : str
        The name that the server gives to the model.
    api_key : str, optional
        Sent to this address only, and never part of a message.
    timeout : float
        Seconds, above 0, to connect and to wait for each part of a response.
    max_retries : int
        How often a request is repeated after the status 408, 429, 500, 502, 503 or 504, a timeout
        or a broken connection. The first repetition follows at once, the next ones after half a
        second, doubled each time; or as the server's ``Retry-After`` says, up to a minute.
    concurrency : int
        Requests at a time, at least 1.
    start : str
        Put before each text and not scored, for example ``<|endoftext|>``; see `causal_scores`.
    cache : Cache, optional
        Holds answers by address, model and text. Use another one when the server gives the name to
        other weights.

    Raises
    ------
    ValueError
        When an argument is outside its range, or ``base_url`` is not an address of http or https
        without user, query and fragment.
    """

    base_url: str
    model: str
    api_key: str | None = field(default=None, repr=False)
    timeout: float = 60.0
    max_retries: int = 5
    concurrency: int = 4
    start: str = ""
    cache: Cache | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.concurrency < 1:
            raise ValueError(f"concurrency must be at least 1, got {self.concurrency!r}")
        self._client().close()  # checks the other arguments

    def causal_scores(
        self,
        clozes: Sequence[Cloze],
        *,
        partial: bool = False,
        mean: bool = False,
        progress: Progress | None = None,
    ) -> list[Floats]:
        """Score options by the log-probability of the resulting text.

        Parameters
        ----------
        clozes : sequence of Cloze
        partial, mean : bool
            As in `modeling.scoring.causal_scores`.
        progress : callable (done, total), optional
            Called after each answer with the number of distinct texts done; may raise to stop.

        Returns
        -------
        list of float64 (k,)
            For each cloze the log-probability, in nats, of each option.

        Raises
        ------
        ModelUnavailable
            When the server cannot be reached, refuses, redirects, or answers with anything but the
            log-probabilities of the tokens of the text.
        ValueError
            When there is no token to score.

        Notes
        -----
        The first token of a prompt has no log-probability. If the server puts a start token before
        the text, that is the first one, and the scores are those of
        `modeling.scoring.causal_scores` with the same weights. For other servers, set ``start`` to
        the token that separates documents. With neither, the first token of a text is not counted,
        the others lack a start token before them, and scores differ from local ones.
        """
        texts = list(dict.fromkeys(text for cloze in clozes for text in cloze.filled))
        logprobs: dict[str, ScoredText] = {}
        with closing(self._answers(texts)) as answers:
            for answer in answers:
                logprobs[answer.text] = answer
                if progress is not None:
                    progress(len(logprobs), len(texts))

        def score(cloze: Cloze, option: str) -> float:
            since = len(cloze.before) + len(option) if partial else 0
            return logprobs[cloze.before + option + cloze.after].score(since=since, mean=mean)

        return [np.array([score(cloze, option) for option in cloze.options]) for cloze in clozes]

    def _answers(self, texts: Sequence[str]) -> Generator[ScoredText]:
        """Yield each text with its scored tokens: first from the cache, then from the server."""
        cache = self.cache
        missing = []
        for text in texts:
            stored = None if cache is None else cache.get(self._key(text))
            if stored is None:
                missing.append(text)
            else:
                yield self._aligned(text, json.loads(stored))
        with closing(self._client()) as client, closing(self._replies(client, missing)) as replies:
            for text, answer in replies:
                aligned = self._aligned(text, answer)
                if cache is not None:
                    cache.put(self._key(text), json.dumps(answer))
                yield aligned

    def _replies(
        self, client: Client, texts: Sequence[str]
    ) -> Generator[tuple[str, dict[str, Any]]]:
        """Yield texts with the server's answers, as they arrive."""
        pool = ThreadPoolExecutor(self.concurrency)
        try:
            futures = {pool.submit(client.post, self._request(text)): text for text in texts}
            for future in as_completed(futures):
                yield futures[future], self._logprobs(future.result())
        finally:
            pool.shutdown(cancel_futures=True)

    def _client(self) -> Client:
        return Client(
            f"{self.base_url.rstrip('/')}/completions",
            api_key=self.api_key,
            timeout=self.timeout,
            max_retries=self.max_retries,
            concurrency=self.concurrency,
        )

    def _key(self, text: str) -> str:
        request = json.dumps([self.base_url.rstrip("/"), self._request(text)], sort_keys=True)
        return hashlib.sha256(request.encode()).hexdigest()

    def _request(self, text: str) -> dict[str, Any]:
        return {
            "model": self.model,
            "prompt": self.start + text,
            "echo": True,
            "logprobs": 1,
            "max_tokens": 1,  # some servers refuse 0; the token generated is not read
            "temperature": 0,
        }

    def _logprobs(self, body: bytes) -> dict[str, Any]:
        try:
            logprobs = json.loads(body)["choices"][0]["logprobs"]
            return {name: list(logprobs[name]) for name in PARTS}
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise ModelUnavailable(
                f"The server at {self.base_url} answers without the log-probabilities of the "
                "prompt; it must support “echo” together with “logprobs”."
            ) from error

    def _aligned(self, text: str, answer: dict[str, Any]) -> ScoredText:
        try:
            return align(text, start=self.start, **answer)
        except ValueError as error:
            raise ModelUnavailable(
                f"The server at {self.base_url} gives an unusable answer for {text[:80]!r}: "
                f"{error}."
            ) from error
