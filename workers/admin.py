"""The admin site: accounts can be edited, records only read."""

from typing import Any, ClassVar

import allauth.account.admin
import allauth.mfa.admin
import allauth.socialaccount.admin
import allauth.usersessions.admin  # noqa: F401  (registered here, to be replaced below)
from allauth.account.decorators import secure_admin_login
from allauth.account.models import EmailAddress
from allauth.mfa.base.internal.flows import delete_dangling_recovery_codes
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, SetPasswordMixin
from django.contrib.auth.models import Group
from django.db.models import BooleanField, Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext_lazy as _

from winoplatform.http import step_up
from workers.forms import bounded
from workers.models import LedgerEntry, Pause, Payout, Proposal, Qualification, Settlement, User

# The pages' own sign-in, so that no second factor is left out.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.unregister(Group)  # permissions follow from the role
for unwanted in (EmailAddress, UserSession, SocialAccount, SocialApp, SocialToken, Authenticator):
    # Their owners change these; some of their columns are secrets.
    admin.site.unregister(unwanted)


class ReadOnlyAdmin(admin.ModelAdmin):
    """A read-only view of rows that services and runs write."""

    hidden: ClassVar[tuple[str, ...]] = ()
    also_read: ClassVar[tuple[str, ...]] = ()
    list_per_page = 50
    # Counting all rows for "1 of 100,000" would read the whole table.
    show_full_result_count = False
    actions = None

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        fields = self.model._meta.fields
        return [field.name for field in fields if field.name not in self.hidden]

    def get_list_select_related(self, request: HttpRequest) -> list[str]:
        """Select the related rows shown in columns with the list's own query."""
        named = [field.name for field in self.model._meta.fields if field.is_relation]
        return [*{*named} & {*self.list_display}, *self.also_read]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return self.get_fields(request, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def read_only(model: type[Model], *columns: str, **options: Any) -> None:
    """Show a table in these columns, filtered by the campaign and by those with few values."""
    few = [
        field.name
        for field in model._meta.fields
        if field.name in columns
        and (field.choices or field.name == "campaign" or isinstance(field, BooleanField))
    ]
    options = {"list_display": columns, "list_filter": few, **options}
    admin.site.register(model, ReadOnlyAdmin, **options)


class NewUserForm(AdminUserCreationForm):
    password1, password2 = map(bounded, SetPasswordMixin.create_password_fields())

    class Meta(AdminUserCreationForm.Meta):
        model = User


def _after_proof(request: HttpRequest) -> HttpResponse | None:
    """Ask for a proof before the form is shown: one with a password must not wait in a session."""
    if request.method == "POST" and not step_up.is_recent(request):
        return HttpResponseRedirect(request.get_full_path())
    step_up.ask(request)
    return None


@admin.register(User)
class UserAdmin(DjangoUserAdmin):
    add_form = NewUserForm
    list_display = ("username", "public_id", "role", "is_active", "date_joined")
    list_filter = ("role", "is_active")
    search_fields = ("username", "public_id")
    readonly_fields = ("public_id",)
    # Without Django's own permissions: the role determines them.
    fieldsets = (
        (None, {"fields": ("username", "password", "role", "is_active", "public_id")}),
        (_("Person"), {"fields": ("first_name", "last_name", "email")}),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )

    def changeform_view(self, request: HttpRequest, *args: Any, **options: Any) -> Any:
        return _after_proof(request) or super().changeform_view(request, *args, **options)

    def user_change_password(self, request: HttpRequest, *args: Any, **options: Any) -> Any:
        return _after_proof(request) or super().user_change_password(request, *args, **options)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # Work and pay refer to their worker permanently; deactivate an account instead.
        return False


@admin.register(Authenticator)
class SecondFactorAdmin(ReadOnlyAdmin):
    """Second factors, to be removed for people who have lost theirs."""

    hidden = ("data",)
    list_display = ("user", "type", "created_at", "last_used_at")
    search_fields = ("user__username", "user__public_id")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True

    def delete_view(self, request: HttpRequest, *args: Any, **options: Any) -> Any:
        return step_up.with_step_up(super().delete_view)(request, *args, **options)

    def delete_model(self, request: HttpRequest, obj: Authenticator) -> None:
        """Remove the factor, and with the last one the recovery codes."""
        obj.delete()
        delete_dangling_recovery_codes(obj.user)


read_only(
    LedgerEntry, "created_at", "worker", "kind", "amount", "currency", "unit",
    list_filter=("kind", "currency"), search_fields=("worker__public_id", "unit"),
)  # fmt: skip
read_only(Settlement, "entry", "state", "payout", "changed_at")
read_only(Payout, "created_at", "provider", "status", "currency", "created_by", "ended_at")
read_only(Proposal, "kind", "release", "account", "by", "outcome", "created_at", "decided_at")
read_only(Qualification, "worker", "skill", "status", "scope", "created_at", "decided_at")
read_only(Pause, "worker", "reason", "by", "created_at", "ended_at")
