"""The URL of the bare request, followed by all URLs of the platform."""

import secrets
from datetime import timedelta

from django.contrib.sessions.models import Session
from django.http import HttpRequest, JsonResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from winoplatform import urls
from workers.models import User


@csrf_exempt
def bare(request: HttpRequest) -> JsonResponse:
    """Read an account by its name and insert a session row."""
    user = User.objects.get(username=request.GET["name"])
    ends = timezone.now() + timedelta(hours=1)
    row = Session.objects.create(
        session_key=secrets.token_hex(20), session_data="bare", expire_date=ends
    )
    return JsonResponse({"account": user.pk, "session": row.pk})


urlpatterns = [path("bare/", bare), *urls.urlpatterns]
handler400, handler404, handler500 = urls.handler400, urls.handler404, urls.handler500
