"""Serves Django's own admin over customers and orders: `admin_app.py PORT LANGUAGE [MORE-APPS]`; the people are read from people.json."""

import decimal
import json
import os
import sys
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command, execute_from_command_line

HERE = Path.cwd()
LANGUAGE = sys.argv[2]
WORDS = {
    "en": ["CRM", "customer", "customers", "order", "orders", "name", "telephone", "e-mail address", "address", "city", "company", "position", "date of birth", "status", "balance", "remark", "number", "product", "price", "day",
           "new", "active", "closed", "Tern bottle vase", "Reed bowl", "Salt jug", "Calls back on Monday.", "Wants an invoice for each order."],
    "zh-hans": ["客户管理", "客户", "客户", "订单", "订单", "姓名", "电话", "电子邮箱", "地址", "城市", "公司", "职位", "出生日期", "状态", "余额", "备注", "编号", "产品", "价格", "日期",
                "新建", "有效", "已关闭", "青瓷花瓶", "芦苇碗", "盐罐", "周一回电。", "每个订单都需要发票。"],
    "ar": ["إدارة العملاء", "عميل", "العملاء", "طلب", "الطلبات", "الاسم", "الهاتف", "البريد الإلكتروني", "العنوان", "المدينة", "الشركة", "الوظيفة", "تاريخ الميلاد", "الحالة", "الرصيد", "ملاحظة", "الرقم", "المنتج", "السعر", "اليوم",
           "جديد", "نشط", "مغلق", "مزهرية زرقاء", "وعاء خزفي", "إبريق الملح", "سيتصل يوم الاثنين.", "يريد فاتورة لكل طلب."],
}[LANGUAGE]  # fmt: skip
(CRM, CUSTOMER, CUSTOMERS, ORDER, ORDERS, NAME, PHONE, EMAIL, ADDRESS, CITY, COMPANY, JOB, BORN, STATUS, BALANCE, REMARK, NUMBER, PRODUCT, PRICE, DAY, NEW, ACTIVE, CLOSED, *REST) = WORDS  # fmt: skip
settings.configure(
    DEBUG=True, SECRET_KEY="not a secret", ALLOWED_HOSTS=["*"], ROOT_URLCONF="admin_app", LANGUAGE_CODE=LANGUAGE, USE_TZ=True, TIME_ZONE="UTC",
    STATIC_URL="/static/", DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": HERE / "db.sqlite3"}}, X_FRAME_OPTIONS="SAMEORIGIN",
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField", SIMPLEUI_HOME_INFO=False, SIMPLEUI_ANALYSIS=False, SIMPLEUI_STATIC_OFFLINE=True,
    INSTALLED_APPS=[*sys.argv[3:], "django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.messages", "django.contrib.staticfiles", "admin_app.Shop"],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.locale.LocaleMiddleware", "django.middleware.common.CommonMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
                "django.contrib.auth.middleware.AuthenticationMiddleware", "django.contrib.messages.middleware.MessageMiddleware"],
    LANGUAGES=[(LANGUAGE, LANGUAGE)],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "OPTIONS": {"context_processors": [
        "django.template.context_processors.request", "django.contrib.auth.context_processors.auth", "django.contrib.messages.context_processors.messages"]}}],
) if not settings.configured else None  # fmt: skip
if __name__ == "__main__":
    sys.modules["admin_app"] = sys.modules["__main__"]  # One module, also where Django imports it by its name.
    from django.apps import AppConfig, apps

    class Shop(AppConfig):
        name, label, verbose_name, path = "admin_app", "crm", CRM, str(HERE)

        def import_models(self) -> None:
            self.models, self.models_module = apps.all_models[self.label], self.module

    django.setup()

from django.contrib import admin  # noqa: E402
from django.db import models  # noqa: E402
from django.urls import path  # noqa: E402


class Customer(models.Model):
    name = models.CharField(NAME, max_length=80)
    phone = models.CharField(PHONE, max_length=40)
    email = models.EmailField(EMAIL)
    address = models.CharField(ADDRESS, max_length=120)
    city = models.CharField(CITY, max_length=60)
    company = models.CharField(COMPANY, max_length=80)
    job = models.CharField(JOB, max_length=80)
    born = models.DateField(BORN)
    status = models.CharField(STATUS, max_length=10, choices=[("new", NEW), ("active", ACTIVE), ("closed", CLOSED)])
    balance = models.DecimalField(BALANCE, max_digits=9, decimal_places=2)
    remark = models.TextField(REMARK, blank=True)

    class Meta:
        app_label, verbose_name, verbose_name_plural = "crm", CUSTOMER, CUSTOMERS

    def __str__(self):
        return self.name


class Order(models.Model):
    number = models.CharField(NUMBER, max_length=12)
    customer = models.ForeignKey(Customer, models.CASCADE, verbose_name=CUSTOMER)
    product = models.CharField(PRODUCT, max_length=60)
    price = models.DecimalField(PRICE, max_digits=9, decimal_places=2)
    day = models.DateField(DAY)

    class Meta:
        app_label, verbose_name, verbose_name_plural = "crm", ORDER, ORDERS

    def __str__(self):
        return self.number


class Orders(admin.TabularInline):
    model, extra = Order, 1


@admin.register(Customer)
class Customers(admin.ModelAdmin):
    list_display = ("name", "phone", "email", "city", "company", "status", "balance", "born")
    list_filter = ("status", "city")
    search_fields = ("name", "email")
    date_hierarchy = "born"
    inlines = (Orders,)


@admin.register(Order)
class AllOrders(admin.ModelAdmin):
    list_display = ("number", "customer", "product", "price", "day")


urlpatterns = [path("admin/", admin.site.urls)]


def create_sample_data() -> None:
    from django.contrib.auth.models import User

    call_command("migrate", run_syncdb=True, verbosity=0)
    told = json.loads((HERE / "people.json").read_text("utf-8"))
    clerk = told[0]
    User.objects.create_superuser(
        clerk["user"], clerk["email"], "clay", first_name=clerk["first"], last_name=clerk["last"]
    )
    for number, one in enumerate(told[1:]):
        customer = Customer.objects.create(
            name=one["name"], phone=one["phone"], email=one["email"], address=one["street"], city=one["city"], company=one["company"], job=one["job"],
            born=one["born"], status=("new", "active", "closed")[number % 3], balance=decimal.Decimal(str(one["balance"])), remark=REST[3 + number % 2])  # fmt: skip
        Order.objects.create(number=one["number"], customer=customer, product=REST[number % 3], price=decimal.Decimal(12 + 7 * number), day=one["joined"])  # fmt: skip


if __name__ == "__main__":
    create_sample_data()
    os.environ["DJANGO_RUNSERVER_HIDE_WARNING"] = "true"
    execute_from_command_line(["kiln", "runserver", "--noreload", f"127.0.0.1:{sys.argv[1]}"])
