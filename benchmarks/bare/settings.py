"""The platform's settings, with the bare request beside its addresses."""

from winoplatform.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.bare.urls"
