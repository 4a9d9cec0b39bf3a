"""What pages say of each kind of run: a module for each app that has some."""

from frontend.run_kinds import corpora, evaluation, filtering
