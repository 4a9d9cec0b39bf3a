"""Processes that execute one run together, with the database and the artifact store alone.

Nothing starts or watches them but what the operator has: a shell, a cluster's queue, or workers.
"""

import time
from collections.abc import Callable

from winoplatform.processes import broker
from winoplatform.runs import kinds
from winoplatform.runs.models import Run
from winoplatform.runs.sharing import Share, share_of_steps

PAUSE_SECONDS = 0.5


def execute_together(
    run: Run, share: Share, *, tell: Callable[[Run], None] = lambda run: None
) -> None:
    """Execute the run or help the process that does, until it has ended.

    Every process may claim the run, so any of them may die: a survivor finishes it when the lease
    of the dead one ends. Steps, their sizes and their bytes do not depend on how many processes
    there are. A process computes the steps of its share first and then what others have left. A run
    without parts is executed by one of them, and the others wait.

    Parameters
    ----------
    share
        Which of how many processes this is.
    tell
        Called about twice a second while there is nothing to compute here.
    """
    label = run._meta.label_lower
    with broker.left_alone(), share_of_steps(share):
        while not run.has_ended:
            kinds.execute_run(label, run.pk)
            kinds.help_run(label, run.pk)
            run.refresh_from_db()
            if not run.has_ended:
                tell(run)
                time.sleep(PAUSE_SECONDS)
