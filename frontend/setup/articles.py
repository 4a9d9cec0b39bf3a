"""A campaign's articles: files are examined and shown first, and imported on confirmation."""

import uuid
from typing import Any

from django.contrib import messages
from django.core import signing
from django.forms import model_to_dict
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from collection import services
from collection.imports.uploads import (
    MOST_BYTES,
    examine_copies,
    examine_kept,
    examine_uploads,
    first_articles,
    import_examined,
)
from collection.models import Article, Campaign
from frontend.http import MANAGE, PageRequest, curators_only
from frontend.lookups import campaign_for
from frontend.setup.forms import ArticleForm, ArticlesForm
from frontend.setup.reads import listed_articles, one_article
from winoplatform.errors import DomainError
from winoplatform.http.bodies import SkipLarge, accept_files
from winoplatform.models import Artifact

SALT = "examined articles"
# Files that no row refers to are kept for an hour.
EXAMINED_SECONDS = 50 * 60


@csrf_exempt  # `_examine` checks the token, after it is known who may send files
@curators_only("GET", "POST", needs=MANAGE)
def articles(request: PageRequest, slug: str) -> HttpResponse:
    """Show the articles; POST examines files and shows what would be imported."""
    return _examine(request, campaign_for(request.user, slug), accept_files(request))


@csrf_protect
def _examine(request: PageRequest, campaign: Campaign, limit: SkipLarge) -> HttpResponse:
    is_sent = request.method == "POST"
    sent = (request.POST, request.FILES) if is_sent else (None, None)
    form = ArticlesForm(*sent, campaign=campaign, too_large=bool(limit.skipped))
    context: dict[str, Any] = {"campaign": campaign, "form": form}
    if is_sent and form.is_valid():
        context |= _examined(request, campaign, form)
    if is_sent and "report" not in context:
        context |= _pending(request, campaign)
    context |= {
        **listed_articles(request, campaign),
        "upload_megabytes": MOST_BYTES >> 20,
    }
    status = 400 if is_sent and form.errors else 200
    return render(request, "frontend/setup/articles.html", context, status=status)


@curators_only("GET", "POST", needs=MANAGE)
def article(request: PageRequest, slug: str, id: uuid.UUID) -> HttpResponse:
    """Show one version of an article; POST stores a correction as the next one."""
    campaign, shown = _article(request, slug, id)
    form = ArticleForm(request.POST or None, initial=model_to_dict(shown))
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            corrected = services.correct_article(article=shown, **form.cleaned_data)
        except DomainError as refusal:
            form.add_error(None, refusal.message)
            status = refusal.status
        else:
            messages.success(request, _("Version %d is stored.") % corrected.version)
            return redirect("campaign-article", slug, corrected.public_id)
    elif request.method == "POST":
        status = 400
    context = {"campaign": campaign, "form": form, **one_article(shown)}
    return render(request, "frontend/setup/article.html", context, status=status)


@curators_only("POST", needs=MANAGE)
def withdraw_article(request: PageRequest, slug: str, id: uuid.UUID) -> HttpResponse:
    """Give an article to no more writers, or again."""
    _campaign, shown = _article(request, slug, id)
    is_withdrawn = request.POST.get("again") != "1"
    try:
        services.withdraw_article(article=shown, is_withdrawn=is_withdrawn)
    except DomainError as refusal:
        messages.error(request, refusal.message)
    else:
        gone = _("Writers get this article no longer.")
        messages.success(request, gone if is_withdrawn else _("Writers get it again."))
    return redirect("campaign-article", slug, id)


def _article(request: PageRequest, slug: str, id: uuid.UUID) -> tuple[Campaign, Article]:
    campaign = campaign_for(request.user, slug)
    return campaign, get_object_or_404(campaign.articles, public_id=id)


def _examined(request: PageRequest, campaign: Campaign, form: ArticlesForm) -> dict[str, Any]:
    """Return the report on the form's files; a refusal is added to the form."""
    source = form.cleaned_data["source"]
    try:
        if source:
            report, kept = examine_copies(campaign=campaign, source=source)
        else:
            report, kept = examine_uploads(campaign=campaign, files=form.cleaned_data["file"])
    except DomainError as refusal:
        form.add_error("source" if source else "file", refusal.message)
        return {}
    if kept is None:
        return {"report": report}
    token = {"sha256": kept.sha256, "campaign": campaign.pk, "by": request.user.pk}
    examined = signing.dumps(token, salt=SALT)
    return {"report": report, "examined": examined, "articles_read": first_articles(kept)}


def _pending(request: PageRequest, campaign: Campaign) -> dict[str, Any]:
    """Return the report on files examined before, which a form without new ones leaves there."""
    try:
        artifact = _artifact(request, campaign)
        report = examine_kept(campaign=campaign, artifact=artifact)
        first = first_articles(artifact)
    except (signing.BadSignature, FileNotFoundError, KeyError):
        return {}
    # The same token, as the file is not kept for longer.
    return {"report": report, "examined": request.POST["examined"], "articles_read": first}


@curators_only("POST", needs=MANAGE)
def import_articles(request: PageRequest, slug: str) -> HttpResponse:
    """Import the articles that were shown."""
    campaign = campaign_for(request.user, slug)
    try:
        report = import_examined(campaign=campaign, artifact=_artifact(request, campaign))
    except (signing.BadSignature, FileNotFoundError, KeyError):
        messages.warning(request, _("The files are not kept any longer. Please choose them again."))
    else:
        stored = ngettext("%d article was imported.", "%d articles were imported.", report.imported)
        messages.success(request, stored % report.imported)
    return redirect("campaign-articles", slug)


def _artifact(request: PageRequest, campaign: Campaign) -> Artifact:
    examined = request.POST.get("examined", "")
    token = signing.loads(examined, salt=SALT, max_age=EXAMINED_SECONDS)
    if (token["by"], token["campaign"]) != (request.user.pk, campaign.pk):
        raise signing.BadSignature
    return Artifact(sha256=token["sha256"])
