from django.db import migrations


class Migration(migrations.Migration):
    """Name the campaign of each appeal about a vote of a panel."""

    dependencies = [
        ("panels", "0001_initial"),
        ("validation", "0008_campaign_of_appeals"),
    ]

    operations = [
        migrations.RunSQL(
            """
            UPDATE validation_appeal a SET campaign_id = p.campaign_id
            FROM panels_panelseat s JOIN panels_panel p ON p.id = s.panel_id
            WHERE a.subject = 'vote' AND s.public_id::text = a.unit
            """,
            migrations.RunSQL.noop,
            elidable=True,
        ),
    ]
