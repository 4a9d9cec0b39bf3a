"""Addresses of the pages of accounts and invitations, and of the first page."""

from django.urls import path, re_path

from frontend.account import audit_log, pages, password_links
from frontend.account import views as account
from frontend.home import views as home
from frontend.invitations import accepting, lists
from frontend.invitations import views as invitations
from frontend.personal import erasing, own_data

urlpatterns = [
    path("", home.first, name="home"),
    path("starter/", home.starter, name="starter"),
    path("news/seen/", home.see_news, name="see-news"),
    path("sign-in/", pages.sign_in, name="account_login"),
    path("sign-in/second-factor/", pages.second_factor, name="mfa_authenticate"),
    path("sign-in/passkey/", pages.passkey_sign_in, name="mfa_login_webauthn"),
    path("sign-in/inactive/", pages.inactive, name="account_inactive"),
    path("sign-up/", pages.sign_up, name="account_signup"),
    path("sign-out/", pages.sign_out, name="account_logout"),
    path("forgotten-password/", pages.reset, name="account_reset_password"),
    path("forgotten-password/sent/", pages.reset_done, name="account_reset_password_done"),
    path(
        "new-password/set/", pages.reset_from_key_done, name="account_reset_password_from_key_done"
    ),
    re_path(
        r"^new-password/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        pages.reset_from_key,
        name="account_reset_password_from_key",
    ),
    path("confirm-address/sent/", pages.email_sent, name="account_email_verification_sent"),
    path("confirm-address/<str:key>/", pages.confirm_email, name="account_confirm_email"),
    path("account/", account.account, name="account"),
    path("account/address/", pages.email, name="account_email"),
    path("account/password/", pages.change_password, name="account_change_password"),
    path("account/password/set/", pages.set_password, name="account_set_password"),
    path("account/confirm/", pages.reauthenticate, name="account_reauthenticate"),
    path("account/confirm/code/", pages.reauthenticate_by_code, name="mfa_reauthenticate"),
    path(
        "account/confirm/passkey/",
        pages.reauthenticate_by_passkey,
        name="mfa_reauthenticate_webauthn",
    ),
    path("account/sessions/", pages.sessions, name="usersessions_list"),
    path("account/second-factor/", pages.factors, name="mfa_index"),
    path("account/second-factor/app/", pages.activate_totp, name="mfa_activate_totp"),
    path("account/second-factor/app/remove/", pages.deactivate_totp, name="mfa_deactivate_totp"),
    path("account/second-factor/codes/", pages.view_codes, name="mfa_view_recovery_codes"),
    path(
        "account/second-factor/codes/new/", pages.generate_codes, name="mfa_generate_recovery_codes"
    ),
    path("account/passkeys/", pages.passkeys, name="mfa_list_webauthn"),
    path("account/passkeys/add/", pages.add_passkey, name="mfa_add_webauthn"),
    path("account/passkeys/<int:pk>/", pages.edit_passkey, name="mfa_edit_webauthn"),
    path("account/passkeys/<int:pk>/remove/", pages.remove_passkey, name="mfa_remove_webauthn"),
    path("account/institution/", pages.institutions, name="socialaccount_connections"),
    path(
        "institution/cancelled/", pages.institution_cancelled, name="socialaccount_login_cancelled"
    ),
    path("institution/error/", pages.institution_error, name="socialaccount_login_error"),
    path("institution/<slug:provider_id>/", pages.institution_sign_in, name="openid_connect_login"),
    path(
        "institution/<slug:provider_id>/back/",
        pages.institution_callback,
        name="openid_connect_callback",
    ),
    path("password-links/", password_links.password_links, name="password-links"),
    path("invitation/", accepting.invitation, name="invitation"),
    path("invitations/", invitations.invitations, name="invitations"),
    path("invitations/list/", lists.invite_list, name="invite-list"),
    path("invitations/list/invite/", lists.invite_listed, name="invite-listed"),
    path(
        "invitations/<uuid:public_id>/revoke/",
        invitations.revoke_invitation,
        name="revoke-invitation",
    ),
    path("account/tokens/end/", account.revoke_all_tokens, name="revoke-all-tokens"),
    path("account/data/", own_data.own_data, name="own-data"),
    path("account/data/my-data.zip", own_data.own_data_file, name="own-data-file"),
    path("people/erase/", erasing.erase_person, name="erase-person"),
    path("audit-log/", audit_log.audit_log, name="audit-log"),
    path("audit-log.<slug:ending>", audit_log.audit_file, name="audit-file"),
    path("account/tokens/<slug:token_key>/revoke/", account.revoke_token, name="revoke-token"),
]
