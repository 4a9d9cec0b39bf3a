"""Backups of an installation in a folder, and restoring one into an empty installation.

A folder holds any number of backups and, once for all of them, the artifacts that they name::

    artifacts/ab/ab12…               by SHA-256, as in the artifact store
    2026-11-28T04-00-00Z/database    what pg_dump wrote
    2026-11-28T04-00-00Z/manifest.json

The manifest is written last: a folder without one is left by a backup that was killed.
"""
