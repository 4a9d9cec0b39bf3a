"""The bound of a campaign's cost is deleted when what it was computed from changes."""

from django.db import migrations

BUDGET_BOUND = """
CREATE FUNCTION collection_campaign_forget_bound() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM collection_budgetbound WHERE campaign_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER collection_campaign_forgets_bound
    AFTER UPDATE OF reward_twin, reward_vote, votes_per_question, budget_cap, status
    ON collection_campaign FOR EACH ROW
    WHEN ((OLD.reward_twin, OLD.reward_vote, OLD.votes_per_question, OLD.budget_cap, OLD.status)
        IS DISTINCT FROM
        (NEW.reward_twin, NEW.reward_vote, NEW.votes_per_question, NEW.budget_cap, NEW.status))
    EXECUTE FUNCTION collection_campaign_forget_bound();
"""
DROP_BUDGET_BOUND = """
DROP TRIGGER collection_campaign_forgets_bound ON collection_campaign;
DROP FUNCTION collection_campaign_forget_bound();
"""


class Migration(migrations.Migration):
    dependencies = [("collection", "0002_initial")]
    operations = [
        migrations.RunSQL(BUDGET_BOUND, DROP_BUDGET_BOUND),
    ]
