"""What the linear models see of an item, as kernels between rows of contrasts."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.preprocessing import normalize

from corpora.core.items import BLANK, Item
from corpora.core.transformations.mentions import mentions
from evaluation.core.artifacts.contrasts import Contrasts

Floats = NDArray[np.float64]
Spans = list[tuple[int, int]]

# Words with an apostrophe inside, and digits; one-letter words count.
WORD = r"\w+(?:['’]\w+)*"
_WORD = re.compile(WORD)
# N-grams of a single row tell nothing about another one.
LEAST_ROWS = 2
# Contrasts of equal features are zero apart from rounding errors of this size.
NOTHING = 1e-9


def text_kernels(items: Sequence[Item], contrasts: Contrasts) -> list[Floats]:
    """Return four views of items, each of which can be the only one with a leak.

    Parameters
    ----------
    items : sequence of Item
        Of the form 'blank', with the sentence that the detector may see.
    contrasts : Contrasts
        Of the items' numbers of options.

    Returns
    -------
    list of float (n_rows, n_rows)
        1. The words and pairs of words of the sentence filled with each option: the option, and the
        words beside it. 2. Pairs of a word of the option and one of the sentence. 3. The words and
        pairs of words of the sentence, for the option that is mentioned first (listed first, where
        the sentence does not mention all). 4. An option's length, first letter and mentions.
    """
    spans = [[mentions(option, item.sentence) for option in item.options] for item in items]
    return [
        _filled(items, contrasts),
        _associations(items, contrasts),
        _order(items, spans, contrasts),
        encoding_kernel(_surface(items, spans), contrasts),
    ]


def encoding_kernel(options: Floats, contrasts: Contrasts) -> Floats:
    """Return the kernel of given features (n_options, d), all scaled alike: (n_rows, n_rows)."""
    rows = contrasts.matrix @ options
    sizes = np.sqrt((rows**2).mean(axis=0))
    differs = sizes > NOTHING * np.abs(options).max(axis=0, initial=0)
    return _gram(rows[:, differs] / sizes[differs])


def _gram(rows: Floats) -> Floats:
    return np.asarray(rows @ rows.T, dtype=np.float64)


def _filled(items: Sequence[Item], contrasts: Contrasts) -> Floats:
    texts = [text for item in items for text in item.filled]
    return _term_kernel(texts, contrasts, ngram_range=(1, 2), token_pattern=WORD)


def _associations(items: Sequence[Item], contrasts: Contrasts) -> Floats:
    pairs = [
        " ".join(f"{word}|{other}" for word in _words(option) for other in around)
        for item in items
        for around in [set(_words(item.sentence)) - {BLANK}]
        for option in item.options
    ]
    return _term_kernel(pairs, contrasts, token_pattern=r"\S+")


def _term_kernel(texts: Sequence[str], contrasts: Contrasts, **options: object) -> Floats:
    """Return the kernel of terms that a text has or has not, all rows of the same length."""
    try:
        counts = CountVectorizer(binary=True, min_df=LEAST_ROWS, **options).fit_transform(texts)
    except ValueError:  # no term is in two texts
        return np.zeros((contrasts.matrix.shape[0],) * 2)
    rows = contrasts.matrix @ csr_matrix(counts, dtype=np.float64)
    rows.data[np.abs(rows.data) < NOTHING] = 0
    rows = normalize(rows)
    return np.asarray((rows @ rows.T).toarray())


def _order(items: Sequence[Item], spans: Sequence[Sequence[Spans]], contrasts: Contrasts) -> Floats:
    """Return the kernel of the sentence's terms, signed by which option is first.

    Terms are centred, so that the order alone (one option is first in every item) is not part of
    it: held-out folds of a set that is balanced in order would otherwise be below chance.
    """
    texts = [item.sentence for item in items]
    try:
        terms = TfidfVectorizer(ngram_range=(1, 2), min_df=LEAST_ROWS, token_pattern=WORD)
        shares = terms.fit_transform(texts).toarray()
    except ValueError:
        return np.zeros((contrasts.matrix.shape[0],) * 2)
    similar = _gram(shares - shares.mean(axis=0))
    first = np.concatenate([_is_first(places) for places in spans])
    signs = contrasts.matrix @ first  # (n_rows,)
    of_row = contrasts.item_of_row
    return np.asarray(signs[:, None] * similar[np.ix_(of_row, of_row)] * signs)


def _is_first(places: Sequence[Spans]) -> Floats:
    """Return 1 for the option mentioned first, or listed first if one is not mentioned: (k,)."""
    first = 0
    if all(places):
        first = min(range(len(places)), key=lambda option: places[option][0])
    return np.asarray(np.arange(len(places)) == first, dtype=np.float64)


def _surface(items: Sequence[Item], found: Sequence[Sequence[Spans]]) -> Floats:
    return np.array(
        [
            [
                len(option),
                len(option.split()),
                option[:1].isupper(),
                len(spans),
                all(places) and is_first,
            ]
            for item, places in zip(items, found, strict=True)
            for option, spans, is_first in zip(item.options, places, _is_first(places), strict=True)
        ],
        dtype=np.float64,
    )


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
