"""The history of verdicts loses texts by and about people who were erased, and nothing else.

See the migration of `workers` of the same name.
"""

from django.db import migrations

FORGET = """
CREATE FUNCTION validation_without_texts(facts jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN jsonb_typeof(facts) = 'object' AND facts ? 'comment' THEN
        jsonb_set(jsonb_set(facts, '{comment}', '""', false), '{exclusion_reason}', '""', false)
    ELSE facts END
$$;
CREATE FUNCTION validation_verdictevent_is_of(event validation_verdictevent, person bigint)
RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT event.by_id = person
        OR EXISTS (
            SELECT FROM collection_question q JOIN collection_twin t ON t.id = q.twin_id
            WHERE q.id = event.question_id AND t.author_id = person)
        OR EXISTS (
            SELECT FROM validation_vote v
            WHERE v.question_id = event.question_id AND v.worker_id = person
              AND v.public_id::text IN (event.before ->> 'vote', event.after ->> 'vote'))
$$;
CREATE OR REPLACE FUNCTION validation_verdictevent_refuse_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF to_jsonb(NEW) = to_jsonb(OLD) || jsonb_build_object(
            'reason', '', 'before', validation_without_texts(OLD.before),
            'after', validation_without_texts(OLD.after)
        ) AND EXISTS (
            SELECT FROM workers_user u
            WHERE erased_at IS NOT NULL AND validation_verdictevent_is_of(OLD, u.id)
        ) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'The audit log of verdicts is append-only.'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE FUNCTION validation_verdictevent_forget(person bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    changed bigint;
BEGIN
    UPDATE validation_verdictevent e
    SET reason = '', before = validation_without_texts(e.before),
        after = validation_without_texts(e.after)
    WHERE e.id IN (
        SELECT id FROM validation_verdictevent WHERE by_id = person
        UNION ALL SELECT w.id FROM validation_verdictevent w
            JOIN collection_question q ON q.id = w.question_id
            JOIN collection_twin t ON t.id = q.twin_id WHERE t.author_id = person
        UNION ALL SELECT w.id FROM validation_vote v
            JOIN validation_verdictevent w ON w.question_id = v.question_id
            WHERE v.worker_id = person
              AND v.public_id::text IN (w.before ->> 'vote', w.after ->> 'vote')
    ) AND (e.reason <> '' OR e.before IS DISTINCT FROM validation_without_texts(e.before)
        OR e.after IS DISTINCT FROM validation_without_texts(e.after));
    GET DIAGNOSTICS changed = ROW_COUNT;
    RETURN changed;
END $$;
DO $do$
BEGIN
    EXECUTE format('ALTER FUNCTION validation_verdictevent_forget(bigint)'
        ' SET search_path = %I, pg_temp', current_schema());
END $do$;
"""
BEFORE = """
DROP FUNCTION validation_verdictevent_forget(bigint);
CREATE OR REPLACE FUNCTION validation_verdictevent_refuse_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The audit log of verdicts is append-only.'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
DROP FUNCTION validation_verdictevent_is_of(validation_verdictevent, bigint);
DROP FUNCTION validation_without_texts(jsonb);
"""


class Migration(migrations.Migration):
    dependencies = [
        ("validation", "0008_campaign_of_appeals"),
        ("workers", "0011_erasure"),
    ]
    operations = [migrations.RunSQL(FORGET, BEFORE)]
