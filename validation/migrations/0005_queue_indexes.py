"""Indexes of what a claim and the placing of a new twin look up; gold seats by their question."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('collection', '0005_judging_and_money'),
        ('validation', '0004_fill_quality'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='seat',
            name='validation_seat_taken',
        ),
        migrations.RemoveIndex(
            model_name='seat',
            name='validation_seat_furthest',
        ),
        migrations.AlterField(
            model_name='seat',
            name='gold',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='validation.goldquestion'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('voted_at', None), ('worker__isnull', False)), fields=['worker', 'campaign'], name='validation_seat_taken'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('voted_at__isnull', False)), fields=['worker', 'campaign', 'place'], name='validation_seat_furthest'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('voted_at__isnull', False)), fields=['worker', 'campaign', 'voted_at'], name='validation_seat_latest'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('number', 1)), fields=['author', 'campaign', 'place'], name='validation_seat_authors_last'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('number', 1), ('voted_at__isnull', False)), fields=['campaign', 'place'], name='validation_seat_begun'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('gold__isnull', False)), fields=['gold'], name='validation_seat_gold'),
        ),
    ]
