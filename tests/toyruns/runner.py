"""What carries toys."""

from tests.toyruns.models import Square, Toy
from winoplatform.runs import kinds
from winoplatform.runs.attempts import Attempt, steps_done


def squares(attempt: Attempt[Toy]) -> None:
    run = attempt.run
    for number in range(len(steps_done(run.steps.all())) + 1, run.size + 1):
        square = Square(run=run, number=number, seconds=0, value=number**2)
        attempt.record(square, done=number)
    attempt.finish(sum=sum(run.steps.values_list("value", flat=True)), total=run.size)


kinds.register(Toy, squares)
