"""Addresses of the pages."""

from django.urls import path

from frontend.account import new_password, password_links
from frontend.account import views as account
from frontend.campaigns import progress
from frontend.campaigns import views as campaigns
from frontend.data import question as data_questions
from frontend.data import views as data
from frontend.detections import views as detections
from frontend.encodings import views as encodings
from frontend.evaluations import ensembles, predictions, starting
from frontend.evaluations import views as evaluations
from frontend.evidence import views as evidence
from frontend.filter_runs import views as filter_runs
from frontend.fine_tunings import maps, tables
from frontend.fine_tunings import starting as grid_starting
from frontend.fine_tunings import views as grids
from frontend.home import views as home
from frontend.human_evaluations import answering as people_answer
from frontend.human_evaluations import views as people_on
from frontend.human_evaluations import votes as people_votes
from frontend.invitations import accepting, lists
from frontend.invitations import views as invitations
from frontend.joining import views as join
from frontend.knowledge import answering as annotators
from frontend.knowledge import exercise as formalising_exercise
from frontend.knowledge import formulas as knowledge_formulas
from frontend.knowledge import pay as knowledge_pay
from frontend.knowledge import questions as formalising
from frontend.knowledge import reasons as knowledge_reasons
from frontend.knowledge import releases as knowledge_releases
from frontend.knowledge import sentences as knowledge_sentences
from frontend.knowledge import sets as knowledge
from frontend.knowledge import validation as set_validation
from frontend.leaderboard import views as leaderboard
from frontend.my_work import receipts
from frontend.my_work import views as my_work
from frontend.pay import my_pay, payouts
from frontend.pay import views as pay
from frontend.quality import people
from frontend.quality import views as quality
from frontend.recruitment import arrivals as crowd
from frontend.recruitment import views as studies
from frontend.reference_sets import views as references
from frontend.releases import starting as new_releases
from frontend.releases import views as releases
from frontend.review import appeals, golds
from frontend.review import views as adjudication
from frontend.runs import jobs
from frontend.runs import views as runs
from frontend.settings import views as settings
from frontend.setup import articles as setup_articles
from frontend.setup import preview as setup_preview
from frontend.setup import views as setup
from frontend.tunings import views as tunings
from frontend.validating import views as validate
from frontend.writing import advice, drafts
from frontend.writing import views as author

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
    path("account/tokens/<slug:token_key>/revoke/", account.revoke_token, name="revoke-token"),
    path("my-work/", my_work.my_work, name="my-work"),
    path("my-pay/", my_pay.my_pay, name="my-pay"),
    path("my-pay.csv", my_pay.my_pay_file, name="my-pay-file"),
    path("campaigns/<slug:slug>/pay/", pay.campaign_pay, name="campaign-pay"),
    path("campaigns/<slug:slug>/pay/check/", pay.check, name="pay-check"),
    path("campaigns/<slug:slug>/pay/approve/", pay.approve, name="approve-pay"),
    path("campaigns/<slug:slug>/pay/payouts/", pay.new_payout, name="new-payout"),
    path("campaigns/<slug:slug>/pay/<slug:public_id>/", pay.worker_pay, name="worker-pay"),
    path("campaigns/<slug:slug>/pay/<slug:public_id>/extra/", pay.give_extra, name="give-extra"),
    path("campaigns/<slug:slug>/pay/<slug:public_id>/void/", pay.void_entry, name="void-entry"),
    path("payouts/<uuid:payout_id>/", payouts.payout, name="payout"),
    path("payouts/<uuid:payout_id>/paid/", payouts.mark_paid, name="payout-paid"),
    path("payouts/<uuid:payout_id>/cancel/", payouts.cancel, name="cancel-payout"),
    path("payouts/<uuid:payout_id>/files/<str:name>", payouts.payout_file, name="payout-file"),
    path("campaigns/<slug:slug>/", campaigns.campaign, name="campaign"),
    path("new-campaign/", setup.new_campaign, name="new-campaign"),
    path("campaigns/<slug:slug>/setup/", setup.checklist_page, name="campaign-setup"),
    path("campaigns/<slug:slug>/articles/", setup_articles.articles, name="campaign-articles"),
    path(
        "campaigns/<slug:slug>/articles/import/",
        setup_articles.import_articles,
        name="import-articles",
    ),
    path("campaigns/<slug:slug>/preview/", setup_preview.preview, name="campaign-preview"),
    path("campaigns/<slug:slug>/settings/", settings.campaign_settings, name="campaign-settings"),
    path("campaigns/<slug:slug>/guidelines/", settings.guidelines, name="campaign-guidelines"),
    path("campaigns/<slug:slug>/exercise/", settings.exercise, name="campaign-exercise"),
    path("campaigns/<slug:slug>/attributes/", settings.attributes, name="campaign-attributes"),
    path("campaigns/<slug:slug>/progress/", progress.progress, name="progress"),
    path("campaigns/<slug:slug>/quality/", quality.quality, name="quality"),
    path("campaigns/<slug:slug>/quality/renew/", quality.renew_quality, name="renew-quality"),
    path("campaigns/<slug:slug>/quality/what-if/", quality.what_if_report, name="what-if"),
    path("campaigns/<slug:slug>/quality/what-if.csv", quality.what_if_file, name="what-if-file"),
    path(
        "campaigns/<slug:slug>/quality/votes.<slug:kind>", quality.votes_export, name="votes-file"
    ),
    path("people/", people.people, name="people"),
    path("people/<slug:public_id>/", people.person, name="person"),
    path("people/<slug:public_id>/pause/", people.pause_worker, name="pause-worker"),
    path("people/<slug:public_id>/resume/", people.resume_worker, name="resume-worker"),
    path("campaigns/<slug:slug>/status/", campaigns.change_status, name="change-status"),
    path("campaigns/<slug:slug>/pipeline/", campaigns.start_pipeline, name="start-pipeline"),
    path("campaigns/<slug:slug>/snapshots/", campaigns.take_snapshot, name="take-snapshot"),
    path("campaigns/<slug:slug>/join/", join.join, name="join"),
    path("campaigns/<slug:slug>/join/validate/", join.join_validate, name="join-validate"),
    path("campaigns/<slug:slug>/join/training/", join.train, name="train"),
    path("campaigns/<slug:slug>/join/accept/", join.accept_guidelines, name="accept-guidelines"),
    path("campaigns/<slug:slug>/join/exercise/", join.submit_exercise, name="submit-exercise"),
    path("campaigns/<slug:slug>/write/", author.author, name="author"),
    path("write/<uuid:assignment_id>/", author.submit_twin, name="submit-twin"),
    path("write/<uuid:assignment_id>/check/", author.check_twin, name="check-twin"),
    path("write/<uuid:assignment_id>/return/", author.return_assignment, name="return-assignment"),
    path("write/<uuid:assignment_id>/draft/", drafts.draft, name="draft"),
    path("write/<uuid:assignment_id>/advice/", advice.advise_twin, name="advise-twin"),
    path("twins/<uuid:twin_id>/", receipts.receipt, name="receipt"),
    path("twins/<uuid:twin_id>/withdraw/", receipts.withdraw_twin, name="withdraw-twin"),
    path("twins/<uuid:twin_id>/revise/", receipts.revise_twin, name="revise-twin"),
    path("campaigns/<slug:slug>/validate/", validate.validate, name="validate"),
    path("campaigns/<slug:slug>/validate/ahead/", validate.ahead, name="validate-ahead"),
    path("campaigns/<slug:slug>/validate/undo/", validate.undo, name="validate-undo"),
    path("campaigns/<slug:slug>/validate/notice/", validate.see_notice, name="see-notice"),
    path("campaigns/<slug:slug>/validate/<uuid:seat_id>/beat/", validate.beat, name="beat"),
    path(
        "campaigns/<slug:slug>/validate/<uuid:seat_id>/amend/",
        validate.amend_vote,
        name="amend-vote",
    ),
    path(
        "campaigns/<slug:slug>/validate/<uuid:seat_id>/part/",
        validate.answer_local,
        name="answer-local",
    ),
    path(
        "campaigns/<slug:slug>/validate/<uuid:seat_id>/vote/", validate.cast_vote, name="cast-vote"
    ),
    path(
        "campaigns/<slug:slug>/validate/<uuid:seat_id>/return/",
        validate.return_seat,
        name="return-seat",
    ),
    path("campaigns/<slug:slug>/data/", data.data, name="data"),
    path("campaigns/<slug:slug>/data/actions/", data.new_data_action, name="new-data-action"),
    path(
        "campaigns/<slug:slug>/data/actions/<uuid:action_id>/", data.data_action, name="data-action"
    ),
    path("campaigns/<slug:slug>/data/questions.<slug:kind>", data.data_file, name="data-file"),
    path(
        "campaigns/<slug:slug>/data/<slug:question_id>/",
        data_questions.question,
        name="data-question",
    ),
    path("campaigns/<slug:slug>/review/", adjudication.review_queue, name="review-queue"),
    path(
        "campaigns/<slug:slug>/review/<slug:question_id>/",
        adjudication.question,
        name="review-question",
    ),
    path(
        "campaigns/<slug:slug>/votes/<uuid:vote_id>/exclude/",
        adjudication.exclude_vote,
        name="exclude-vote",
    ),
    path(
        "campaigns/<slug:slug>/votes/<uuid:vote_id>/restore/",
        adjudication.restore_vote,
        name="restore-vote",
    ),
    path(
        "campaigns/<slug:slug>/people/<slug:public_id>/exclude/",
        adjudication.exclude_work,
        name="exclude-work",
    ),
    path("campaigns/<slug:slug>/golds/", golds.golds, name="golds"),
    path("campaigns/<slug:slug>/golds/<uuid:gold_id>/retire/", golds.retire, name="retire-gold"),
    path("appeals/", appeals.appeals, name="appeals"),
    path("appeals/<uuid:appeal_id>/answer/", appeals.answer, name="answer-appeal"),
    path("my-work/appeals/", appeals.my_appeals, name="my-appeals"),
    path("appeal/<slug:subject>/<slug:unit>/", appeals.make_appeal, name="make-appeal"),
    path("runs/filter/<uuid:public_id>/", runs.filter_run, name="filter-run"),
    path(
        "runs/filter/<uuid:public_id>/clone/", filter_runs.clone_filter_run, name="clone-filter-run"
    ),
    path("runs/filter/<uuid:public_id>/seeds/", filter_runs.start_seeds, name="start-seeds"),
    path("runs/filter/<uuid:public_id>/evidence/", evidence.evidence, name="evidence"),
    path("runs/filter/<uuid:public_id>/evidence.json", evidence.report, name="evidence-report"),
    path("runs/filter/<uuid:public_id>/points.json", evidence.points, name="evidence-points"),
    path("runs/filter/<uuid:public_id>/evidence/assess/", evidence.assess, name="assess"),
    path(
        "runs/filter/<uuid:public_id>/evidence/controls/",
        evidence.start_controls,
        name="start-controls",
    ),
    path("runs/", jobs.job_list, name="jobs"),
    path("runs/filter/<uuid:public_id>/choose/", jobs.choose_run, name="choose-run"),
    path("runs/<slug:kind>/<uuid:public_id>/keep/", jobs.keep_run, name="keep-run"),
    path("runs/<slug:kind>/<uuid:public_id>/delete/", jobs.remove_run, name="delete-run"),
    path(
        "campaigns/<slug:slug>/latest-release/",
        jobs.show_latest_release,
        name="show-latest-release",
    ),
    path("runs/<slug:kind>/<uuid:public_id>/cancel/", runs.cancel_run, name="cancel-run"),
    path("runs/<slug:kind>/<uuid:public_id>/resume/", runs.resume_run, name="resume-run"),
    path("runs/tuning/<uuid:public_id>/", tunings.tuning, name="tuning"),
    path("runs/tuning/<uuid:public_id>/encode/", encodings.encode_tuned, name="encode-tuned"),
    path("runs/detection/<uuid:public_id>/", detections.detection, name="detection"),
    path("releases/<slug:name>/artifacts/", detections.in_release, name="detect-in-release"),
    path(
        "reference-sets/<slug:name>/artifacts/",
        detections.in_reference_set,
        name="detect-in-reference-set",
    ),
    path(
        "snapshots/<uuid:public_id>/artifacts/", detections.in_snapshot, name="detect-in-snapshot"
    ),
    path("snapshots/<uuid:public_id>/tune/", tunings.new_tuning, name="new-tuning"),
    path("snapshots/<uuid:public_id>/encode/", encodings.new_encoding, name="new-encoding"),
    path("encodings/<uuid:public_id>/filter/", filter_runs.new_filter_run, name="new-filter-run"),
    path("encodings/<uuid:public_id>/compare/", filter_runs.compare, name="compare-runs"),
    path("human-evaluations/", people_on.human_evaluations, name="human-evaluations"),
    path("human-evaluations/new/", people_on.new, name="new-human-evaluation"),
    path(
        "human-evaluations/<uuid:public_id>/", people_on.human_evaluation, name="human-evaluation"
    ),
    path(
        "human-evaluations/<uuid:public_id>/status/",
        people_on.change_status,
        name="human-evaluation-status",
    ),
    path(
        "human-evaluations/<uuid:public_id>/votes.csv",
        people_on.votes_file,
        name="human-votes-file",
    ),
    path(
        "human-evaluations/<uuid:public_id>/people/<slug:worker>/",
        people_votes.person,
        name="human-evaluation-person",
    ),
    path(
        "human-evaluations/<uuid:public_id>/votes/<uuid:vote_id>/exclude/",
        people_votes.exclude_vote,
        name="exclude-human-vote",
    ),
    path(
        "human-evaluations/<uuid:public_id>/votes/<uuid:vote_id>/restore/",
        people_votes.restore_vote,
        name="restore-human-vote",
    ),
    path("human-evaluations/<uuid:public_id>/answer/", people_answer.answer, name="answer-human"),
    path(
        "human-evaluations/<uuid:public_id>/answer/<uuid:seat_id>/vote/",
        people_answer.vote,
        name="cast-human-vote",
    ),
    path(
        "human-evaluations/<uuid:public_id>/answer/<uuid:seat_id>/beat/",
        people_answer.beat,
        name="beat-human",
    ),
    path(
        "human-evaluations/<uuid:public_id>/answer/<uuid:seat_id>/return/",
        people_answer.give_back,
        name="return-human",
    ),
    path("snapshots/<uuid:public_id>/release/", new_releases.new_release, name="new-release"),
    path("release-previews/<uuid:public_id>/", new_releases.preview, name="release-preview"),
    path("releases/<slug:name>/", releases.release, name="release"),
    path("releases/<slug:name>/retract/", releases.retract_release, name="retract-release"),
    path(
        "releases/<slug:name>/reports/<path:file_name>",
        releases.release_report,
        name="release-report",
    ),
    path("releases/<slug:name>/leaderboard/", leaderboard.leaderboard, name="leaderboard"),
    path(
        "releases/<slug:name>/leaderboard/settings/",
        leaderboard.change_leaderboard,
        name="change-leaderboard",
    ),
    path("releases/<slug:name>/files/<path:file_name>", releases.release_file, name="release-file"),
    path("reference-sets/", references.reference_sets, name="reference-sets"),
    path("new-reference-set/", references.new_reference_set, name="new-reference-set"),
    path("reference-sets/<slug:name>/", references.reference_set, name="reference-set"),
    path(
        "reference-sets/<slug:name>/change/",
        references.change_reference_set,
        name="change-reference-set",
    ),
    path(
        "reference-sets/<slug:name>/delete/",
        references.delete_reference_set,
        name="delete-reference-set",
    ),
    path("evaluations/", evaluations.evaluations, name="evaluations"),
    path("new-evaluations/", starting.new_evaluations, name="new-evaluations"),
    path("new-evaluations/measure/", starting.measure_evaluations, name="measure-evaluations"),
    path("fine-tunings/", grids.list_grids, name="fine-tunings"),
    path("new-grid/", grid_starting.new_grid, name="new-grid"),
    path("new-grid/measure/", grid_starting.measure_grid, name="measure-grid"),
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
        "comparisons/<slug:kind>/<slug:name>/<slug:split>/comparison.<slug:ending>",
        evaluations.comparison_file,
        name="comparison-file",
    ),
    path(
        "comparisons/<slug:kind>/<slug:name>/<slug:split>/ensemble/",
        ensembles.new_ensemble,
        name="new-ensemble",
    ),
    path("knowledge/", knowledge.knowledge_sets, name="knowledge-sets"),
    path("new-knowledge-set/", knowledge.new_knowledge_set, name="new-knowledge-set"),
    path("knowledge/<slug:name>/", knowledge.knowledge_set, name="knowledge-set"),
    path("knowledge/<slug:name>/sweeps/", knowledge.start_sweep, name="start-sweep"),
    path(
        "knowledge/<slug:name>/questions/<path:question>",
        formalising.question,
        name="knowledge-question",
    ),
    path("knowledge/<slug:name>/check/<path:question>", formalising.check, name="check-knowledge"),
    path("knowledge/<slug:name>/prove/<path:question>", formalising.prove, name="prove-knowledge"),
    path(
        "knowledge/<slug:name>/prove-pair/<path:question>",
        formalising.prove_pair,
        name="prove-knowledge-pair",
    ),
    path(
        "knowledge/<slug:name>/exercise/",
        formalising_exercise.exercise,
        name="knowledge-exercise",
    ),
    path(
        "knowledge/<slug:name>/exercise/<path:question>",
        formalising_exercise.attempt,
        name="knowledge-attempt",
    ),
    path("knowledge/<slug:name>/take/<path:question>", formalising.take, name="take-question"),
    path(
        "knowledge/<slug:name>/return/<path:question>",
        formalising.give_back,
        name="return-question",
    ),
    path(
        "knowledge/<slug:name>/formulas/",
        knowledge_formulas.formulas,
        name="knowledge-formulas",
    ),
    path("knowledge/<slug:name>/words/", knowledge_formulas.put_words, name="put-words"),
    path(
        "knowledge/<slug:name>/sentences/",
        knowledge_sentences.sentences,
        name="knowledge-sentences",
    ),
    path(
        "knowledge/<slug:name>/write/<path:question>",
        knowledge_sentences.write,
        name="write-sentence",
    ),
    path(
        "knowledge/<slug:name>/preview/<path:question>",
        knowledge_sentences.preview,
        name="preview-sentence",
    ),
    path(
        "knowledge/<slug:name>/sentences/<uuid:sentence_id>/",
        knowledge_sentences.sentence,
        name="knowledge-sentence",
    ),
    path(
        "knowledge/<slug:name>/sentences/<uuid:sentence_id>/offers/",
        knowledge_sentences.offers,
        name="false-versions",
    ),
    path(
        "knowledge/<slug:name>/sentences/<uuid:sentence_id>/delete/",
        knowledge_sentences.delete,
        name="delete-sentence",
    ),
    path("knowledge/<slug:name>/pay/", knowledge_pay.pay, name="knowledge-pay"),
    path(
        "knowledge/<slug:name>/validation/", set_validation.validation, name="knowledge-validation"
    ),
    path(
        "knowledge/<slug:name>/validation/status/",
        set_validation.change_status,
        name="knowledge-validation-status",
    ),
    path(
        "knowledge/<slug:name>/validation/enrolments/<uuid:enrolment_id>/end/",
        set_validation.end_enrolment,
        name="end-enrolment",
    ),
    path("answer/<uuid:public_id>/", annotators.answer, name="answer-knowledge"),
    path("answer/<uuid:public_id>/enrol/", annotators.enrol, name="enrol-knowledge"),
    path(
        "answer/<uuid:public_id>/<uuid:seat_id>/give/",
        annotators.give,
        name="give-knowledge-answer",
    ),
    path("answer/<uuid:public_id>/<uuid:seat_id>/beat/", annotators.beat, name="beat-knowledge"),
    path(
        "answer/<uuid:public_id>/<uuid:seat_id>/return/",
        annotators.give_back,
        name="return-knowledge",
    ),
    path("knowledge/<slug:name>/releases/", knowledge_releases.releases, name="knowledge-releases"),
    path("knowledge-releases/<slug:name>/", knowledge_releases.release, name="knowledge-release"),
    path(
        "knowledge-releases/<slug:name>/evaluate/",
        knowledge_releases.evaluate,
        name="evaluate-knowledge",
    ),
    path(
        "knowledge-releases/<slug:name>/retract/",
        knowledge_releases.retract,
        name="retract-knowledge",
    ),
    path(
        "knowledge-releases/<slug:name>/files/<path:file_name>",
        knowledge_releases.release_file,
        name="knowledge-release-file",
    ),
    path("reasons/<slug:collection>/", knowledge_releases.reason_figures, name="reason-figures"),
    path("reasons/", knowledge_reasons.reasons, name="reasons"),
    path("arrive/<uuid:study_id>/", crowd.arrive, name="arrive"),
    path("sessions/<uuid:session_id>/", crowd.session, name="crowd-session"),
    path("sessions/<uuid:session_id>/finish/", crowd.finish_session, name="finish-session"),
    path("sessions/<uuid:session_id>/stop/", crowd.stop_session, name="stop-session"),
    path("campaigns/<slug:slug>/studies/", studies.studies, name="studies"),
    path("studies/<uuid:study_id>/", studies.study, name="study"),
    path("studies/<uuid:study_id>/links/", studies.links, name="study-links"),
    path("studies/<uuid:study_id>/change/", studies.change, name="change-study"),
    path("studies/<uuid:study_id>/close/", studies.close, name="close-study"),
    path("studies/<uuid:study_id>/reopen/", studies.reopen, name="reopen-study"),
    path("studies/<uuid:study_id>/sessions.csv", studies.sessions_file, name="sessions-file"),
]
