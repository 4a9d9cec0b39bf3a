"""Tables for asking people about items: panels, items, seats, enrolments."""

from panels.models.enrolments import Enrolment, EnrolmentQuerySet
from panels.models.panels import MOST_VOTES, Panel, PanelItem, PanelQuerySet
from panels.models.seats import PanelSeat, PanelSeatQuerySet, PanelVoteEvent, ShownItem
