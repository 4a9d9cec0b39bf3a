"""Why a file of an export is refused."""

from winoplatform.errors import DomainError


class Refused(DomainError):
    """A file that is not an export, or not one of a consistent campaign; nothing is stored."""

    def __init__(self, file: str, line: int | None, sentence: str) -> None:
        place = f"{file}, line {line:,}" if line else file
        details = {"file": file, "line": line}
        super().__init__("import_refused", f"{place}: {sentence}", details=details)
