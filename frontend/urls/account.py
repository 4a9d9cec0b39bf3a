"""Addresses of the pages of accounts and invitations, and of the first page."""

from django.urls import path

from frontend.account import audit_log, new_password, password_links
from frontend.account import views as account
from frontend.home import views as home
from frontend.invitations import accepting, lists
from frontend.invitations import views as invitations

urlpatterns = [
    path("", home.home, name="home"),
    path("starter/", home.starter, name="starter"),
    path("news/seen/", home.see_news, name="see-news"),
    path("sign-in/", account.sign_in, name="sign-in"),
    path("sign-out/", account.sign_out, name="sign-out"),
    path("account/", account.account, name="account"),
    path("account/password/", account.password, name="change-password"),
    path("new-password/", new_password.new_password, name="new-password"),
    path("password-links/", password_links.password_links, name="password-links"),
    path(
        "password-links/<uuid:public_id>/revoke/",
        password_links.revoke_password_link,
        name="revoke-password-link",
    ),
    path("invitation/", accepting.invitation, name="invitation"),
    path("invitations/", invitations.invitations, name="invitations"),
    path("invitations/list/", lists.invite_list, name="invite-list"),
    path(
        "invitations/<uuid:public_id>/revoke/",
        invitations.revoke_invitation,
        name="revoke-invitation",
    ),
    path("account/tokens/end/", account.revoke_all_tokens, name="revoke-all-tokens"),
    path("audit-log/", audit_log.audit_log, name="audit-log"),
    path("audit-log.<slug:ending>", audit_log.audit_file, name="audit-file"),
    path("account/tokens/<slug:token_key>/revoke/", account.revoke_token, name="revoke-token"),
]
