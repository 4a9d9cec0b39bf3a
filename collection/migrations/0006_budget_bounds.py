"""A bound of what each campaign has committed, thrown away when what it was reckoned by changes."""

import django.db.models.deletion
from django.db import migrations, models

FORGET = """
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
KEEP = """
DROP TRIGGER collection_campaign_forgets_bound ON collection_campaign;
DROP FUNCTION collection_campaign_forget_bound();
"""


class Migration(migrations.Migration):
    dependencies = [("collection", "0005_judging_and_money")]

    operations = [
        migrations.AlterModelOptions(
            name="study",
            options={"ordering": ["-pk"], "verbose_name_plural": "studies"},
        ),
        migrations.CreateModel(
            name="BudgetBound",
            fields=[
                ("campaign", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name="budget_bound", serialize=False, to="collection.campaign")),
                ("amount", models.DecimalField(decimal_places=2, max_digits=24)),
                ("counted_at", models.DateTimeField(help_text="When everything was last added up.")),
            ],
        ),
        migrations.RunSQL(FORGET, KEEP),
    ]
