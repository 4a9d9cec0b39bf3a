"""Move human evaluations to the tables of panels; votes keep their ids, which the ledger names."""

from django.db import migrations

PANELS = """
INSERT INTO panels_panel (
    public_id, campaign_id, purpose, title, mode, release_id, snapshot_id, reference_set_id, split,
    votes_per_item, reward, pay_kind, n_items, n_groups, seed, data_sha256, status, created_by_id,
    created_at
)
SELECT e.public_id, e.campaign_id, '', '', 'queue', e.release_id, e.snapshot_id,
    e.reference_set_id, e.split, e.votes_per_item, e.reward, 'evaluation',
    (SELECT count(*) FROM evaluation_humanitem i WHERE i.evaluation_id = e.id), e.n_groups,
    e.seed, e.data_sha256, e.status, e.created_by_id, e.created_at
FROM evaluation_humanevaluation e ORDER BY e.id
"""
ITEMS = """
INSERT INTO panels_panelitem (panel_id, number, source_id, line, question_id)
SELECT p.id, i.number, i.source_id, i.line, i.question_id
FROM evaluation_humanitem i
JOIN evaluation_humanevaluation e ON e.id = i.evaluation_id
JOIN panels_panel p ON p.public_id = e.public_id
ORDER BY i.id
"""
MOVED = """
WITH moved AS (
    SELECT old.id AS was, new.id, new.panel_id
    FROM evaluation_humanitem old
    JOIN evaluation_humanevaluation e ON e.id = old.evaluation_id
    JOIN panels_panel p ON p.public_id = e.public_id
    JOIN panels_panelitem new ON new.panel_id = p.id AND new.number = old.number
)
"""
SEATS = f"""{MOVED}
INSERT INTO panels_panelseat (
    public_id, panel_id, item_id, number, place, worker_id, claimed_at, leased_until, reward,
    answered_at, group_key, twin_id, author_id, "order", option, fails, spare, excluded_at,
    exclusion_reason, excluded_by_id
)
SELECT s.public_id, moved.panel_id, moved.id, s.number, s.place, s.worker_id, s.claimed_at,
    s.leased_until, s.reward, s.answered_at, s.group_key, s.twin_id, s.author_id, s."order",
    s.option, '', s.spare, s.excluded_at, s.exclusion_reason, s.excluded_by_id
FROM evaluation_humanseat s JOIN moved ON moved.was = s.item_id
ORDER BY s.id
"""
SHOWN = f"""{MOVED}
INSERT INTO panels_shownitem (worker_id, item_id, group_key, passed_id)
SELECT o.worker_id, moved.id, o.group_key, o.passed_id
FROM evaluation_shownitem o JOIN moved ON moved.was = o.item_id
ORDER BY o.id
"""
EVENTS = """
INSERT INTO panels_panelvoteevent (seat_id, action, by_id, reason, created_at)
SELECT new.id, v.action, v.by_id, v.reason, v.created_at
FROM evaluation_humanvoteevent v
JOIN evaluation_humanseat old ON old.id = v.seat_id
JOIN panels_panelseat new ON new.public_id = old.public_id
ORDER BY v.id
"""
# Else the tables could not be dropped in this transaction.
CHECKED = ("SET CONSTRAINTS ALL IMMEDIATE", "SET CONSTRAINTS ALL DEFERRED")


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0003_one_evaluation"),
        ("panels", "0001_initial"),
    ]

    operations = [
        migrations.RunSQL(
            [PANELS, ITEMS, SEATS, SHOWN, EVENTS, *CHECKED], migrations.RunSQL.noop, elidable=True
        ),
        migrations.DeleteModel(name="ShownItem"),
        migrations.DeleteModel(name="HumanVoteEvent"),
        migrations.DeleteModel(name="HumanSeat"),
        migrations.DeleteModel(name="HumanItem"),
        migrations.DeleteModel(name="HumanEvaluation"),
    ]
