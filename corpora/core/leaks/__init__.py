"""Search for leaks: whether anything published beside the sentences tells the answer."""

from corpora.core.clues import Tested
from corpora.core.leaks.files import PublishedFile
from corpora.core.leaks.report import leak_report
from corpora.core.leaks.results import LeakReport, Section
