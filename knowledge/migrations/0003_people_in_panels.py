"""Move validations of sets to the tables of panels; answers keep their ids, which the ledger names."""

import hashlib
import json

import django.db.models.deletion
from django.db import migrations, models

ENROLMENTS = """
INSERT INTO panels_enrolment (public_id, panel_id, number, worker_id, enrolled_at, ended_at)
SELECT e.public_id, p.id, e.number, e.worker_id, e.enrolled_at, e.ended_at
FROM knowledge_enrolment e
JOIN knowledge_setvalidation v ON v.id = e.validation_id
JOIN panels_panel p ON p.public_id = v.public_id
ORDER BY e.id
"""
SEATS = """
INSERT INTO panels_panelseat (
    public_id, panel_id, item_id, number, place, worker_id, claimed_at, leased_until, reward,
    answered_at, group_key, author_id, other_author_id, "order", option, fails, spare,
    exclusion_reason
)
SELECT s.public_id, p.id, i.id, s.number, s.place, s.worker_id, s.claimed_at, s.leased_until,
    s.reward, s.answered_at,
    encode(sha256(convert_to(p.public_id || '/' || i.source_id, 'UTF8')), 'hex'),
    s.author_id, s.formula_author_id, '{1,2}', CASE s.yes WHEN true THEN 1 WHEN false THEN 2 END,
    s.fails, false, ''
FROM knowledge_sentenceseat s
JOIN knowledge_setvalidation v ON v.id = s.validation_id
JOIN panels_panel p ON p.public_id = v.public_id
JOIN knowledge_sentence o ON o.id = s.sentence_id
JOIN panels_panelitem i ON i.panel_id = p.id AND i.source_id = o.public_id::text
ORDER BY s.id
"""
SHARED = ("public_id", "campaign_id", "needed", "whole_set", "reward", "seed", "status")


def copy(apps, schema_editor):
    """Copy the validation of each set, with a statement for each of its sentences."""
    panel, item = (apps.get_model("panels", name) for name in ("Panel", "PanelItem"))
    for row in apps.get_model("knowledge", "SetValidation").objects.order_by("pk"):
        of = row.knowledge_set
        lines = {one.public_id: _line(one) for one in of.sentences.order_by("public_id")}
        made = panel.objects.create(
            **{name: getattr(row, name) for name in (*SHARED, "created_by_id", "created_at")},
            purpose="knowledge",
            title=of.name,
            mode="enrolments",
            split="all",
            votes_per_item=row.annotators,
            pay_kind="knowledge",
            n_items=row.n_problems,
            data_sha256=_sha256(lines.values()),
        )
        item.objects.bulk_create(
            item(panel=made, number=number, source_id=str(id), line=_text(line))
            for number, (id, line) in enumerate(lines.items(), 1)
        )
        of.panel = made
        of.save(update_fields=["panel"])
    # The constraints are checked at once: else the tables could not be altered in this transaction.
    for sql in (ENROLMENTS, SEATS, "SET CONSTRAINTS ALL IMMEDIATE", "SET CONSTRAINTS ALL DEFERRED"):
        schema_editor.execute(sql)


def _line(sentence):
    return {
        "id": str(sentence.public_id),
        "group": str(sentence.of_id or sentence.pk),
        "sentence": sentence.problem,
        "options": ["yes", "no"],
        "answer": 1 if sentence.kind == "true" else 2,
        "form": "statement",
    }


def _text(line):
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def _sha256(lines):
    asked = ({name: value for name, value in line.items() if name != "answer"} for line in lines)
    return hashlib.sha256("".join(f"{_text(line)}\n" for line in asked).encode()).hexdigest()


class Migration(migrations.Migration):
    dependencies = [
        ("knowledge", "0002_people"),
        ("panels", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="knowledgeset",
            name="panel",
            field=models.OneToOneField(
                blank=True,
                editable=False,
                help_text="Annotators who validate the sentences, which no longer change.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="knowledge_set",
                to="panels.panel",
            ),
        ),
        migrations.RunPython(copy, migrations.RunPython.noop, elidable=True),
        migrations.DeleteModel(name="SentenceSeat"),
        migrations.DeleteModel(name="Enrolment"),
        migrations.DeleteModel(name="SetValidation"),
        migrations.RemoveField(model_name="sentence", name="problem"),
    ]
