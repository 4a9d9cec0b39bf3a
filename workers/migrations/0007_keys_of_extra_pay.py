"""A client key of extra pay is used once, whoever the worker is."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("workers", "0006_settlements_keep_to_their_arrows")]

    operations = [
        migrations.AlterModelOptions(
            name="ledgerentry",
            options={"ordering": ["-pk"], "verbose_name_plural": "ledger entries"},
        ),
        migrations.AddConstraint(
            model_name="ledgerentry",
            constraint=models.UniqueConstraint(condition=models.Q(("kind", "bonus"), models.Q(("kind", "adjustment"), ("unit__startswith", "adjustment:")), _connector="OR"), fields=("unit",), name="workers_ledgerentry_key_of_extra_pay_is_used_once", violation_error_message="This client key belongs to another entry."),
        ),
    ]
