"""The command that serves the sandbox over a campaign."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from collection.crowd import PROVIDERS, StudyFacts
from collection.models import Campaign, Study
from collection.models.crowd import new_secret
from collection.services.crowd.studies import create_study, facts
from tests.sandbox import COMPLETE, Sandbox
from tests.sandbox.http import HOST, Server
from winoplatform.db.tables import TablesCommand
from workers.models import Qualification

NAME = "sandbox"
PLACES = 1000
PORT = 8100


class Command(TablesCommand):
    help = "Serve a fake crowd platform on this machine, to try a campaign's studies by hand."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="slug of the campaign")
        parser.add_argument(
            "--units", type=int, default=1, help="twins or votes that complete a session"
        )
        parser.add_argument(
            "--skill", choices=Qualification.Skill.values, default=Qualification.Skill.WRITE
        )

    def handle(self, *args: Any, **options: Any) -> None:
        port = _port()
        campaign = Campaign.objects.filter(slug=options["campaign"]).first()
        if campaign is None:
            raise CommandError(f"There is no campaign “{options['campaign']}”.")
        studies = {name: _study(campaign, name, options) for name in PROVIDERS}
        server = Server(Sandbox(studies, ours=settings.PUBLIC_URL), port)
        self.stdout.write(f"The fake platform is at {server.sandbox.origin}; stop it with Ctrl+C.")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            self.stdout.write("")
        finally:
            server.server_close()


def _port() -> int:
    """Return the port at which the web process expects the sandbox."""
    expected = urlsplit(settings.CROWD_SANDBOX_URL)
    if expected.hostname != HOST or expected.port is None:
        address = f"http://{HOST}:{PORT}"
        raise CommandError(
            f"Set CROWD_SANDBOX_URL={address} for this command and for the web process: only then "
            "pages can be shown in the sandbox's frames and return work to it."
        )
    port: int = expected.port
    return port


def _study(campaign: Campaign, provider: str, options: dict[str, Any]) -> StudyFacts:
    """Return the campaign's sandbox study of a provider; it is created on first use."""
    what = {"provider": provider, "name": NAME, "units": options["units"]}
    what |= {"skill": options["skill"]}
    study: Study = campaign.studies.filter(is_open=True, **what).first() or create_study(
        campaign=campaign,
        **what,
        places=PLACES,
        event_secret=new_secret(),
        return_url=settings.CROWD_SANDBOX_URL + COMPLETE,
    )
    return facts(study)
