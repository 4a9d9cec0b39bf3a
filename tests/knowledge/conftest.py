"""One prover for all tests of knowledge in a process: starting Z3 costs most of a proof."""

from collections.abc import Iterator

import pytest

from knowledge.prover.process import Prover


@pytest.fixture(scope="session")
def prover() -> Iterator[Prover]:
    with Prover() as child:
        yield child
