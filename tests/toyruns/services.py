"""What curators can ask of toys."""

from tests.toyruns.models import Toy
from winoplatform.runs.start import start
from workers.models import User


def start_toy(*, size: int, by: User | None) -> Toy:
    toy = Toy(size=size, created_by=by)
    start(toy)
    return toy
