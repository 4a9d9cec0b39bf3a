"""The commitment to the splits of one drawing transaction."""

import hashlib

from corpora import drawing
from corpora.models import Draw, DrawTable
from corpora.selectors import draw_table_lines
from tests.api.calls import API, assert_error, client_of, ok
from tests.factories import CampaignFactory, TwinFactory, UserFactory


def draw(count: int) -> DrawTable:
    campaign = CampaignFactory(dev_share="0.3", test_share="0.3")
    twins = [
        TwinFactory(campaign=campaign, published=True, sentences=(f"{n} a _.", f"{n} b _."))
        for n in range(count)
    ]
    drawing.splits_of_twins(campaign, {str(twin.public_id): 2 for twin in twins})
    return DrawTable.objects.latest("pk")


def test_a_draw_commits_to_its_table_and_a_later_one_to_its_own() -> None:
    first, second = draw(20), draw(5)
    assert (first.n_twins, second.n_twins) == (20, 5)
    for table in (first, second):
        lines = draw_table_lines(table)
        assert hashlib.sha256(b"".join(lines)).hexdigest() == table.sha256
    assert Draw.objects.filter(table=first).count() == 20


def test_another_split_has_another_hash() -> None:
    table = draw(20)
    rows = dict(table.draws.values_list("twin__public_id", "split"))
    twin, split = next(iter(rows.items()))
    rows[twin] = "train" if split == "test" else "test"
    changed = table.lines((str(twin), split) for twin, split in rows.items())
    assert hashlib.sha256(b"".join(changed)).hexdigest() != table.sha256


def test_the_hash_is_told_at_once_and_the_table_to_curators_alone() -> None:
    table, carol = draw(8), client_of(UserFactory())
    (told,) = ok(carol.get(f"{API}draw-tables/"))["results"]
    assert (told["sha256"], told["n_twins"]) == (table.sha256, 8)
    assert table.salt not in str(told)
    address = f"{API}draw-tables/{table.public_id}/lines/"
    assert_error(carol.get(address), 403, "permission_denied")
    opened = client_of(UserFactory(curator=True)).get(address).content
    assert hashlib.sha256(opened).hexdigest() == table.sha256
    assert table.salt.encode() not in opened


def test_nothing_new_to_draw_commits_to_nothing() -> None:
    table = draw(3)
    twins = {str(row.twin.public_id): 2 for row in table.draws.select_related("twin")}
    drawing.splits_of_twins(table.draws.first().twin.campaign, twins)
    assert DrawTable.objects.count() == 1
