import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Artifact',
            fields=[
                ('sha256', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('size', models.PositiveBigIntegerField()),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('put_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, help_text='When its content was last stored.')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('sha256__regex', '^[0-9a-f]{64}$')), name='winoplatform_artifact_sha256_is_hex', violation_error_message='An artifact is named by its SHA-256 in lower-case hex.')],
            },
        ),
    ]
