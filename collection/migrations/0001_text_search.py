"""The trigram extension and the function that the tables' search indexes are built upon."""

from django.contrib.postgres.operations import TrigramExtension
from django.db import migrations

# Stems that one in a hundred of WinoGrande's twins holds or more, and that say little of what a
# sentence is about: verbs of every task, comparisons, the crowd's favourite names.
CONTENT_WORDS = """
CREATE FUNCTION collection_content_words(sentence text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT strip(ts_delete(to_tsvector('pg_catalog.english'::regconfig, sentence), ARRAY[
        'instead', 'use', 'want', 'sinc', 'could', 'like', 'get', 'jame', 'would', 'need', 'decid',
        'new', 'tri', 'small', 'put', 'didn', 'go', 'got', 'work', 'much', 'better', 'made', 'less',
        'time', 'went', 'lot', 'took', 'john', 'make', 'big', 'one', 'bought', 'fit', 'look',
        'chose', 'rather', 'prefer', 'alway', 'old', 'thought', 'easier', 'couldn', 'mari', 'found',
        'take', 'hard', 'short', 'long', 'help', 'good', 'larg', 'buy', 'weak', 'ask', 'move',
        'longer', 'start', 'day', 'strong', 'place', 'abl', 'bad', 'wors', 'gave', 'left', 'high',
        'still', 'never', 'see'
    ]))::text
$$
"""


class Migration(migrations.Migration):
    initial = True
    dependencies = []
    operations = [
        TrigramExtension(),
        migrations.RunSQL(CONTENT_WORDS, "DROP FUNCTION collection_content_words(text)"),
    ]
