"""Addresses of the pages of pay and payouts."""

from django.urls import path

from frontend.pay import my_pay, payouts
from frontend.pay import views as pay

urlpatterns = [
    path("my-pay/", my_pay.my_pay, name="my-pay"),
    path("my-pay.csv", my_pay.my_pay_file, name="my-pay-file"),
    path("campaigns/<slug:slug>/pay/", pay.campaign_pay, name="campaign-pay"),
    path("campaigns/<slug:slug>/pay/check/", pay.check, name="pay-check"),
    path("campaigns/<slug:slug>/pay/approve/", pay.approve, name="approve-pay"),
    path("campaigns/<slug:slug>/pay/payouts/", pay.new_payout, name="new-payout"),
    path("campaigns/<slug:slug>/pay/second/", payouts.approve_extra, name="approve-extra"),
    path("campaigns/<slug:slug>/pay/<slug:public_id>/", pay.worker_pay, name="worker-pay"),
    path("campaigns/<slug:slug>/pay/<slug:public_id>/extra/", pay.give_extra, name="give-extra"),
    path("campaigns/<slug:slug>/pay/<slug:public_id>/void/", pay.void_entry, name="void-entry"),
    path("payouts/<uuid:payout_id>/", payouts.payout, name="payout"),
    path("payouts/<uuid:payout_id>/second/", payouts.approve_payout, name="approve-payout"),
    path("payouts/<uuid:payout_id>/paid/", payouts.mark_paid, name="payout-paid"),
    path("payouts/<uuid:payout_id>/cancel/", payouts.cancel, name="cancel-payout"),
    path("payouts/<uuid:payout_id>/files/<str:name>", payouts.payout_file, name="payout-file"),
]
