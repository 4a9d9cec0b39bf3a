"""The user documents as pages, and the glossary."""

from django.http import Http404, HttpResponse
from django.shortcuts import render

from frontend.glossary import in_order
from frontend.help.documents import SUBJECTS, document, names, title_of
from frontend.http import PageRequest, signed_in


@signed_in()
def help_index(request: PageRequest) -> HttpResponse:
    """List the documents by subject."""
    own = names(is_curator=request.user.is_curator)
    listed = {
        subject: [(name, title_of(name)) for name in every if name in own]
        for subject, every in SUBJECTS.items()
    }
    subjects = {subject: pages for subject, pages in listed.items() if pages}
    return render(request, "frontend/help/index.html", {"subjects": subjects})


@signed_in()
def help_document(request: PageRequest, name: str) -> HttpResponse:
    """Show one document; those for curators are not found by others."""
    if name not in names(is_curator=request.user.is_curator):
        raise Http404
    return render(request, "frontend/help/document.html", {"document": document(name)})


@signed_in()
def glossary(request: PageRequest) -> HttpResponse:
    """Show each word with its definition."""
    return render(request, "frontend/help/glossary.html", {"terms": list(in_order())})
