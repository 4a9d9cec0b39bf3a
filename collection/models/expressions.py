"""Text functions that the database computes."""

from collections.abc import Collection

from django.db import connection
from django.db.models import BooleanField, Func, TextField


class ContentWords(Func):
    """The stems of a text's content words, in alphabetical order, without the most common ones.

    A migration creates the database function ``collection_content_words``. Near-duplicates are
    looked up by trigrams of these, not of the sentence: function words are in every sentence, so
    the index would have to scan most of its entries, and they carry no information.
    """

    function = "collection_content_words"
    output_field = TextField()


class SentenceKey(Func):
    """What all ways of typing a sentence have in common: its letters and digits, in lower case.

    Letters are taken in Unicode's compatibility decomposition (NFKD), so that "é" in one or two
    characters and the ligature "ﬁ" make no difference. Accents do not count, nor do gaps,
    punctuation and invisible characters.
    """

    template = (
        "md5(regexp_replace(lower(normalize(%(expressions)s, NFKD)), '[^[:alnum:]]+', '', 'g'))"
    )
    output_field = TextField()


def sentence_keys(sentences: Collection[str]) -> set[str]:
    """Return the `SentenceKey` of each of *sentences*."""
    return set(key_of_each(sentences).values())


def key_of_each(sentences: Collection[str]) -> dict[str, str]:
    """Return the `SentenceKey` of *sentences*, by sentence."""
    with connection.cursor() as cursor:
        key = SentenceKey.template % {"expressions": "text"}
        cursor.execute(
            f"SELECT DISTINCT text, {key} FROM unnest(%s::text[]) AS given (text)",
            [list(sentences)],
        )
        return dict(cursor.fetchall())


class FairCoin(Func):
    """True or false with equal probability, drawn per row by PostgreSQL's cryptographic generator.

    Not ``random()``: its next values can be computed from enough earlier ones.
    """

    template = "(get_byte(uuid_send(gen_random_uuid()), 0) < 128)"
    output_field = BooleanField()
