from django.urls import path

from publishing.api import views

urlpatterns = [
    path("releases/<uuid:id>/publication-plan/", views.PublicationPlan.as_view()),
]
