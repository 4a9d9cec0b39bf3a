"""What carries toys."""

from tests.toyruns.models import Square, Toy
from winoplatform.runs import kinds
from winoplatform.runs.frame import Carrier, steps_done


def squares(carrier: Carrier[Toy]) -> None:
    run = carrier.run
    for number in range(len(steps_done(run.steps.all())) + 1, run.size + 1):
        square = Square(run=run, number=number, seconds=0, value=number**2)
        carrier.record(square, done=number)
    carrier.finish(sum=sum(run.steps.values_list("value", flat=True)), total=run.size)


kinds.register(Toy, squares)
