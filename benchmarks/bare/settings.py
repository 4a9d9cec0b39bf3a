"""The platform's settings, with an additional URL for the bare request."""

from winoplatform.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.bare.urls"
