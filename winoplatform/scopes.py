"""The scopes of tokens, and the refusal of a token that lacks one."""

from typing import Any

from winoplatform.errors import DomainError

READ, WORK, CURATE, PAY = "read", "work", "curate", "pay"


def refuse_without(token: Any, scope: str | None) -> None:
    """Refuse what *token* may not be used for; a session, which has no token, may do all.

    Raises
    ------
    DomainError
        ``scope_missing`` (403).
    """
    if token is not None and scope is not None and scope not in token.scopes:
        said = f"This token lacks the scope “{scope}”. Make a token that has it."
        raise DomainError("scope_missing", said, status=403, details={"scope": scope})
