"""Addresses of the pages of evaluations of models and of people, and fine-tuning."""

from django.urls import path

from frontend.evaluations import items, predictions, starting, versions
from frontend.evaluations import views as evaluations
from frontend.fine_tunings import maps, tables
from frontend.fine_tunings import views as grid_starting
from frontend.fine_tunings import views as grids
from frontend.key_audits import views as key_audits

urlpatterns = [
    path("evaluations/", evaluations.evaluations, name="evaluations"),
    path("new-evaluations/", starting.new_evaluations, name="new-evaluations"),
    path("fine-tunings/", grids.list_grids, name="fine-tunings"),
    path("new-grid/", grid_starting.new_grid, name="new-grid"),
    path("grids/<uuid:public_id>/", grids.grid, name="grid"),
    path("grids/<uuid:public_id>/curve.<slug:ending>", grids.curve_file, name="curve-file"),
    path("fine-tunings/<uuid:public_id>/", maps.fine_tuning, name="fine-tuning"),
    path("fine-tunings/<uuid:public_id>/map.csv", maps.map_file, name="map-file"),
    path("fine-tunings/<uuid:public_id>/offer/", maps.offer, name="offer-label-errors"),
    path("paper-tables/", tables.paper_tables, name="paper-tables"),
    path("paper-tables/<slug:name>/", tables.paper_table, name="paper-table"),
    path(
        "paper-tables/<slug:name>.<slug:ending>", tables.paper_table_file, name="paper-table-file"
    ),
    path("paper-tables/<slug:name>/attach/", tables.attach, name="attach-paper-table"),
    path("new-predictions/", predictions.new_predictions, name="new-predictions"),
    path("new-predictions/store/", predictions.store_checked, name="store-predictions"),
    path("evaluations/<uuid:public_id>/", evaluations.evaluation, name="evaluation"),
    path(
        "comparisons/<slug:kind>/<slug:name>/<slug:split>/",
        evaluations.comparison,
        name="comparison",
    ),
    path(
        "comparisons/<slug:kind>/<slug:name>/<slug:split>/keys/",
        key_audits.key_audits,
        name="key-audits",
    ),
    path("runs/key-audit/<uuid:public_id>/", key_audits.key_audit, name="key-audit"),
    path("runs/key-audit/<uuid:public_id>/map.json", key_audits.key_map, name="key-map"),
    path(
        "runs/key-audit/<uuid:public_id>/keys/<int:number>/",
        key_audits.audited_key,
        name="audited-key",
    ),
    path(
        "comparisons/<slug:kind>/<slug:name>/<slug:split>/comparison.<slug:ending>",
        evaluations.comparison_file,
        name="comparison-file",
    ),
    path(
        "comparisons/<slug:kind>/<slug:name>/<slug:split>/versions/",
        versions.versions,
        name="both-versions",
    ),
    path(
        "comparisons/<slug:kind>/<slug:name>/<slug:split>/items/",
        items.items,
        name="compared-items",
    ),
    path(
        "comparisons/<slug:kind>/<slug:name>/<slug:split>/ensemble/",
        starting.new_ensemble,
        name="new-ensemble",
    ),
]
