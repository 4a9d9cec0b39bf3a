"""Serve the sandbox over a campaign: ``python -m tests.sandbox CAMPAIGN``."""

import os
import sys

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "winoplatform.settings")
    django.setup()
    from tests.sandbox.command import Command

    Command().run_from_argv([sys.executable, "tests.sandbox", *sys.argv[1:]])
