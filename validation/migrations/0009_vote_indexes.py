"""Indexes of the few votes that were set aside, and of answers to gold questions."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('collection', '0006_budget_bounds'),
        ('validation', '0008_reported_returns'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name='vote',
            index=models.Index(condition=models.Q(('set_aside_at__isnull', False)), fields=['id'], name='validation_vote_aside'),
        ),
        migrations.AddIndex(
            model_name='vote',
            index=models.Index(condition=models.Q(('set_aside_at__isnull', False)), fields=['worker', 'id'], name='validation_vote_workers_aside'),
        ),
        migrations.AddIndex(
            model_name='vote',
            index=models.Index(condition=models.Q(('is_gold', True)), fields=['worker', 'id'], name='validation_vote_workers_gold'),
        ),
    ]
