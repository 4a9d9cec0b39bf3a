"""A model behind a server scores as the same model here, and bad answers are sentences."""

import os
import socket
import subprocess
import sys
import threading
from functools import partial

import numpy as np
import pytest

from modeling.loading import load_model
from modeling.remote import RemoteModel, client
from modeling.remote.alignment import align
from modeling.scoring import Cloze, causal_scores
from modeling.specs import SMOLLM2, ModelUnavailable
from tests.data_dir import ROOT
from tests.modeling.remote_server import Reply, completion, serving
from tests.modeling.test_scoring import CLOZES, log_probabilities
from tests.modeling.tiny import save_tiny

START = "<|endoftext|>"
VARIANTS = [(part, mean) for part in (False, True) for mean in (False, True)]
ONE = [Cloze("ann fit ", ("it", "joan"), " .")]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return load_model(save_tiny(tmp_path_factory.mktemp("causal"), "causal"), "causal")


def good(request):
    """An answer in which each word is a token of log-probability -1."""
    tokens = [f" {word}" for word in request["prompt"].split(" ")]
    tokens[0] = tokens[0][1:]
    offsets = [0, *np.cumsum([len(token) for token in tokens]).tolist()]
    logprobs = {
        "tokens": [*tokens, " end"],
        "token_logprobs": [None, *[-1.0] * len(tokens)],
        "text_offset": offsets,
    }
    return Reply(200, {"choices": [{"logprobs": logprobs}]})


@pytest.fixture(autouse=True)
def _quick_retries(monkeypatch):
    monkeypatch.setattr(client, "WAIT", 0.001)


@pytest.mark.parametrize(("part", "mean"), VARIANTS)
def test_scores_are_the_local_ones(tiny, part, mean):
    with serving(partial(completion, tiny, start=START)) as server:
        remote = RemoteModel(server.url, "tiny")
        found = remote.causal_scores(CLOZES, partial=part, mean=mean)
    local = causal_scores(tiny, CLOZES, partial=part, mean=mean)
    for one, other in zip(found, local, strict=True):
        assert one.dtype == np.float64
        np.testing.assert_allclose(one, other, atol=1e-4)


def test_without_a_start_token_the_first_token_is_not_counted(tiny):
    with serving(partial(completion, tiny)) as server:
        found = RemoteModel(server.url, "tiny").causal_scores(CLOZES)
    for cloze, scores in zip(CLOZES, found, strict=True):
        for text, score in zip(cloze.filled, scores, strict=True):
            ids = tiny.tokenizer(text)["input_ids"]
            said = log_probabilities(tiny, ids)
            expected = sum(said[place - 1, ids[place]] for place in range(1, len(ids)))
            assert score == pytest.approx(expected, abs=1e-4)


def test_each_distinct_text_is_asked_once_and_never_again_with_a_cache():
    class Stored(dict):
        threads = set()

        def put(self, key, answer):
            self.threads.add(threading.current_thread())
            self[key] = answer

    cache, done = Stored(), []
    with serving(good) as server:
        remote = RemoteModel(server.url, "m", cache=cache)
        twice = remote.causal_scores(ONE * 2, progress=lambda *counts: done.append(counts))
        assert len(server.asked) == 2
        again = remote.causal_scores(ONE, partial=True)
        assert len(server.asked) == 2
        RemoteModel(server.url, "other", cache=cache).causal_scores(ONE)
        assert len(server.asked) == 4
    assert done == [(1, 2), (2, 2)]
    np.testing.assert_array_equal(twice, [[-3, -3]] * 2)
    np.testing.assert_array_equal(again, [[-1, -1]])
    assert Stored.threads == {threading.current_thread()}


def test_the_start_and_the_key_are_sent():
    with serving(good) as server:
        remote = RemoteModel(server.url, "m", start="<s> ", api_key="secret-key")
        with pytest.raises(
            ModelUnavailable, match="the token ' ann' is partly of the start '<s> '"
        ):
            remote.causal_scores([Cloze("ann fit ", ("it",), " .")])
    assert [request["prompt"] for request in server.asked] == ["<s> ann fit it ."]
    assert server.keys == ["Bearer secret-key"]


def test_the_start_is_not_scored():
    found = align(
        "It fits",
        start="<s>",
        tokens=["<s>", "It", " fits", "."],
        token_logprobs=[None, -4, -2, -1],
        text_offset=[0, 3, 5, 10],
    )
    assert (found.begins, found.log_probabilities) == ((0, 2), (-4.0, -2.0))


@pytest.mark.long
@pytest.mark.parametrize("status", client.OVERLOADED)
def test_an_overloaded_server_is_asked_again(status):
    replies = iter([Reply(status, "busy"), Reply(status, "busy", {"Retry-After": "soon"})])
    with serving(lambda request: next(replies, None) or good(request)) as server:
        remote = RemoteModel(server.url, "m", concurrency=1)
        np.testing.assert_array_equal(remote.causal_scores(ONE), [[-3, -3]])
    assert len(server.asked) == 4


def test_an_overloaded_server_is_not_asked_for_ever():
    with serving(lambda request: Reply(503, "busy")) as server:
        remote = RemoteModel(server.url, "m", max_retries=2, concurrency=1)
        with pytest.raises(ModelUnavailable, match="still answers with status 503"):
            remote.causal_scores([Cloze("a ", ("b", "b"), " c")])
    assert len(server.asked) == 3


def test_a_timeout_and_a_broken_answer_are_asked_again():
    awake = threading.Event()

    def slow_then_short(request):
        if len(server.asked) == 1:
            awake.wait(5)
        if len(server.asked) == 2:
            return Reply(200, b"{", {"Content-Length": "100", "Connection": "close"})
        return good(request)

    with serving(slow_then_short) as server:
        remote = RemoteModel(server.url, "m", timeout=0.3, concurrency=1)
        np.testing.assert_array_equal(remote.causal_scores([Cloze("a ", ("b",), " c")]), [[-2]])
        awake.set()
    assert len(server.asked) == 3


def logprobs(**changed):
    tokens = ["ann", " fit", " it", " .", " x"]
    values = [None, -1.0, -1.0, -1.0, -1.0]
    found = {"tokens": tokens, "token_logprobs": values, "text_offset": [0, 3, 7, 10, 12]}
    return {"choices": [{"logprobs": found | changed}]}


REDIRECT = {"Location": "http://127.0.0.1:1/v1/completions"}


@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        (Reply(401, {"error": {"message": "wrong key secret-key"}}), "refuses the API key"),
        (Reply(404, {"error": {"message": "no model m"}}), r"\(status 404\): no model m\."),
        (Reply(400, {"error": "bad secret-key here."}), r"\(status 400\): bad … here\."),
        (Reply(400, b"\xff<html>"), r"refuses a request \(status 400\)\."),
        (Reply(307, "", REDIRECT), r"redirects to another address \(status 307\)"),
        (Reply(200, b" " * (client.MAX_BYTES + 1)), "answers with more than 4,194,304 bytes"),
        (Reply(200, b"<html>"), "without the log-probabilities of the prompt"),
        (Reply(200, {"choices": []}), "without the log-probabilities"),
        (Reply(200, {"choices": [{"logprobs": None}]}), "without the log-probabilities"),
        (Reply(200, logprobs(tokens=["ann"])), "differ in number"),
        (Reply(200, logprobs(tokens=[1, 2, 3, 4, 5])), "a token is not text"),
        (Reply(200, logprobs(text_offset=[0, 3, 7, 10, None])), "not a whole number"),
        (Reply(200, logprobs(token_logprobs=[None, -1, None, -1, -1])), "' it' is None"),
        (Reply(200, logprobs(token_logprobs=[None, -1, float("nan"), -1, -1])), "' it' is nan"),
        (Reply(200, logprobs(token_logprobs=[None, -1, 2.5, -1, -1])), "' it' is 2.5"),
        (Reply(200, logprobs(text_offset=[0, 3, 8, 10, 12])), "is at 8, and not at 7"),
        (Reply(200, logprobs(tokens=["ann", " fit", " IT", " .", ""])), "not in the text at 7"),
        (Reply(200, logprobs(text_offset=[0, 3, 7, 12, 14])), "do not end with the text, at 12"),
    ],
)
def test_an_answer_that_cannot_be_used_is_a_sentence_without_the_key(reply, sentence):
    with serving(lambda request: reply) as server:
        remote = RemoteModel(server.url, "m", api_key="secret-key")
        with pytest.raises(ModelUnavailable, match=sentence) as failure:
            remote.causal_scores([Cloze("ann fit ", ("it",), " .")])
    assert "secret-key" not in str(failure.value) + repr(remote)


def test_an_address_that_is_down_is_a_sentence():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        port = taken.getsockname()[1]
        remote = RemoteModel(f"http://127.0.0.1:{port}/v1", "m", max_retries=1)
        with pytest.raises(ModelUnavailable, match=r"cannot be reached .*; is it running"):
            remote.causal_scores(ONE)


def test_stopping_asks_no_more():
    def stop(done, total):
        raise KeyboardInterrupt

    with serving(good) as server:
        remote = RemoteModel(server.url, "m", concurrency=1)
        with pytest.raises(KeyboardInterrupt):
            remote.causal_scores([Cloze("a ", tuple("bcdefghijk"), " l")] * 9, progress=stop)
        asked = len(server.asked)
    assert asked < 10


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"base_url": "ftp://host/v1"}, "must be an address of http or https"),
        ({"base_url": "host"}, "must be an address of http or https"),
        ({"base_url": "http://user:word@host/v1"}, "must have no user"),
        ({"base_url": "http://host/v1?key=1"}, "must have no user, query"),
        ({"timeout": 0}, "timeout must be a number of seconds above 0, got 0"),
        ({"timeout": float("inf")}, "timeout must be"),
        ({"max_retries": -1}, "max_retries must be at least 0, got -1"),
        ({"concurrency": 0}, "concurrency must be at least 1, got 0"),
        ({"api_key": "a\nb"}, "api_key must be printable"),
    ],
)
def test_arguments_outside_their_range_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        RemoteModel(**({"base_url": "http://127.0.0.1/v1", "model": "m"} | arguments))


def test_nothing_asked_has_no_scores_and_nothing_left_is_refused():
    with serving(good) as server:
        remote = RemoteModel(server.url, "m")
        assert remote.causal_scores([]) == []
        with pytest.raises(ValueError, match="no token of 'ann fit it' is left to score"):
            remote.causal_scores([Cloze("ann fit ", ("it",), "")], partial=True)


@pytest.mark.parametrize("counted", [0, 3])
def test_a_start_token_of_the_server_gives_the_first_word_a_score(counted):
    """Servers differ in whether offsets count it."""
    found = align(
        "It fits",
        tokens=["<s>", "It", " fits", "."],
        token_logprobs=[None, -4, -2, -1],
        text_offset=[0, counted, counted + 2, counted + 7],
    )
    assert (found.begins, found.log_probabilities) == ((0, 2), (-4.0, -2.0))


def test_a_character_split_over_tokens_is_scored_where_the_rest_fits():
    parts = ["It", "\N{REPLACEMENT CHARACTER}", "\N{REPLACEMENT CHARACTER}", "s", " red"]
    values = [None, -1, -2, -3, -4]
    found = align("It’s red", tokens=parts, token_logprobs=values, text_offset=[0, 2, 2, 3, 4])
    assert found.score(since=3, mean=False) == -7
    with pytest.raises(ValueError, match="'s' is not in the text at 4"):
        align("It’s red", tokens=parts, token_logprobs=values, text_offset=[0, 2, 3, 4, 5])


@pytest.mark.long
def test_smollm2_in_another_process_scores_as_it_does_here():
    before = "The trophy doesn’t fit into the brown suitcase because "
    clozes = [
        Cloze(before, ("the trophy", "the suitcase"), f" is too {word}.")
        for word in ("large", "small", "naïve 🏆")
    ]
    command = [sys.executable, "-m", "tests.modeling.remote_server", SMOLLM2]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env={**os.environ}
    ) as process:
        try:
            url = process.stdout.readline().strip()
            remote = RemoteModel(url, "smollm2", start=START)
            found = [
                remote.causal_scores(clozes, partial=part, mean=mean) for part, mean in VARIANTS
            ]
        finally:
            process.terminate()
    local = load_model(SMOLLM2, "causal")
    for scores, (part, mean) in zip(found, VARIANTS, strict=True):
        expected = causal_scores(local, clozes, partial=part, mean=mean)
        np.testing.assert_allclose(scores, expected, atol=1e-4)
