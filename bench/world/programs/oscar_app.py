"""Serves a shop: django-oscar with its own pages, a few departments and pots, and one customer."""

import decimal
import os
import sys
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command, execute_from_command_line
from oscar import INSTALLED_APPS
from oscar.defaults import *  # noqa: F403

HERE = Path.cwd()


class NoMigrations(dict):
    """Tells Django that no application has migrations, so that tables are made from the models: the shop's two hundred migrations take minutes."""

    def __contains__(self, name):
        return True

    def __getitem__(self, name):
        return None


settings.configure(
    **{name: value for name, value in globals().items() if name.startswith("OSCAR_")} | {"OSCAR_SHOP_NAME": "Kiln", "OSCAR_SHOP_TAGLINE": "Pots by post", "OSCAR_ALLOW_ANON_CHECKOUT": True,
    "OSCAR_DEFAULT_CURRENCY": "EUR", "OSCAR_SEARCH_FACETS": {"fields": {}, "queries": {}}, "OSCAR_MISSING_IMAGE_URL": "image_not_found.jpg"},
    DEBUG=True, SECRET_KEY="not a secret", ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, LANGUAGE_CODE="en-gb", USE_TZ=True, TIME_ZONE="UTC", SITE_ID=1,
    STATIC_URL="/static/", MEDIA_URL="/media/", MEDIA_ROOT=HERE / "media", DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": HERE / "db.sqlite3", "ATOMIC_REQUESTS": True,
    "OPTIONS": {"init_command": "PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY"}}}, MIGRATION_MODULES=NoMigrations(),
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField", INSTALLED_APPS=[*INSTALLED_APPS, "sorl.thumbnail"], HAYSTACK_CONNECTIONS={"default": {"ENGINE": "haystack.backends.whoosh_backend.WhooshEngine", "PATH": str(HERE / "index"), "STORAGE": "file"}},
    AUTHENTICATION_BACKENDS=["oscar.apps.customer.auth_backends.EmailBackend", "django.contrib.auth.backends.ModelBackend"], EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend",
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.common.CommonMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
                "django.contrib.auth.middleware.AuthenticationMiddleware", "django.contrib.messages.middleware.MessageMiddleware", "django.contrib.flatpages.middleware.FlatpageFallbackMiddleware",
                "oscar.apps.basket.middleware.BasketMiddleware"],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "DIRS": [HERE / "templates"], "OPTIONS": {"context_processors": [
        "django.template.context_processors.request", "django.template.context_processors.debug", "django.template.context_processors.i18n", "django.template.context_processors.media",
        "django.template.context_processors.static", "django.contrib.auth.context_processors.auth", "django.contrib.messages.context_processors.messages",
        "oscar.apps.search.context_processors.search_form", "oscar.apps.checkout.context_processors.checkout", "oscar.apps.communication.notifications.context_processors.notifications",
        "oscar.core.context_processors.metadata"]}}],
)  # fmt: skip
django.setup()

from django.apps import apps  # noqa: E402
from django.conf.urls.static import static  # noqa: E402
from django.urls import include, path  # noqa: E402

urlpatterns = [
    path("i18n/", include("django.conf.urls.i18n")),
    *static("/media/", document_root=HERE / "media"),
    path("", include(apps.get_app_config("oscar").urls[0])),
]


BASE = """{% extends "oscar/base.html" %}{% load static %}{% block cdn_scripts %}<script src="{% static "oscar/js/jquery/jquery.min.js" %}"></script>{% endblock %}"""


def create_sample_data() -> None:
    from django.contrib.auth.models import User
    from oscar.apps.catalogue.categories import create_from_breadcrumbs
    from oscar.core.loading import get_model
    from PIL import Image

    (HERE / "templates" / "oscar").mkdir(parents=True)  # Its own page asks a host far away for jQuery first.
    (HERE / "templates" / "oscar" / "base.html").write_text(BASE)
    call_command("migrate", run_syncdb=True, verbosity=0)
    get_model("address", "Country").objects.create(
        iso_3166_1_a2="IE", printable_name="Ireland", is_shipping_country=True
    )
    kind = get_model("catalogue", "ProductClass").objects.create(name="Pot")
    partner = get_model("partner", "Partner").objects.create(name="Kiln")
    departments = [create_from_breadcrumbs(words) for words in ("Tableware > Bowls", "Tableware > Jugs", "Vases")]
    Product, Record, Picture = (get_model(*names) for names in (("catalogue", "Product"), ("partner", "StockRecord"), ("catalogue", "ProductImage")))  # fmt: skip
    names = ["Moon jar", "Reed vase", "Heron jug", "Salt bowl", "Ash plate", "Celadon cup", "Tenmoku bowl", "Cobalt dish", "Oak teapot", "Sand beaker", "Rain pitcher", "Tall bottle",
             "Wide basin", "Small saucer", "Blue flask", "Grey mug", "White platter", "Green tumbler", "Black ewer", "Red pot", "Round crock", "Square tray", "Lidded box", "Oil lamp"]  # fmt: skip
    for number, name in enumerate(names):
        product = Product.objects.create(product_class=kind, title=name, upc=f"pot-{number}", description=f"<p>{name}, thrown by hand, glazed and fired at 12{40 + number} degrees.</p>")  # fmt: skip
        product.categories.add(departments[number % len(departments)])
        Record.objects.create(product=product, partner=partner, partner_sku=f"k{number}", price=decimal.Decimal(12 + 7 * number % 40) + decimal.Decimal("0.50"), num_in_stock=number % 6)  # fmt: skip
        picture = HERE / "media" / f"pot{number}.png"
        picture.parent.mkdir(exist_ok=True)
        Image.radial_gradient("L").resize((300, 300)).point(lambda grey, n=number: (grey * 3 // 4 + n * 5) % 256).save(picture)  # fmt: skip
        Picture.objects.create(product=product, original=picture.name)
    call_command("rebuild_index", interactive=False, verbosity=0)
    User.objects.create_user("ines", "ines.halloran@kiln.example", "clay-and-ash-19", first_name="Ines", last_name="Halloran")  # fmt: skip


if __name__ == "__main__":
    sys.modules["__main__"].__dict__["urlpatterns"] = urlpatterns
    if not os.environ.get("RUN_MAIN"):
        create_sample_data()
    execute_from_command_line(["kiln", "runserver", "--noreload", f"127.0.0.1:{sys.argv[1]}"])
