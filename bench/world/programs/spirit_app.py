"""Serves a forum: Spirit with the project that its own command makes, categories, topics and six people."""

import importlib.metadata
import json
import os
import sys
from pathlib import Path

HERE = Path.cwd()
PEOPLE = {"ines": "Ines Halloran", "teodor": "Teodor Vasile", "maren": "Maren Oduya", "pavel": "Pavel Lindqvist", "amina": "Amina Benkirane", "joost": "Joost van Deventer"}  # fmt: skip
if (HERE / "people.json").exists():
    PEOPLE = {
        one["user"]: f"{one['first']} {one['last']}" for one in json.loads((HERE / "people.json").read_text("utf-8"))
    }
TOPICS = ["Crazing after the second firing", "Which cone for celadon?", "Kiln shelf warped, again", "Ash glaze recipes", "Show your mugs", "Buying clay by the tonne", "Electric or gas?", "A wheel for left hands",
          "Dust and lungs: what mask do you wear?", "Salt firing in a small garden", "Trimming feet", "Handles that crack", "Reduction in an electric kiln", "Photographing pots", "Where do you sell?"]  # fmt: skip
WORDS = ["I had the same at cone 9. It went away when I cooled more slowly: about **60 degrees** an hour.", "Look at the glaze's expansion first.\n\n- silica up\n- soda down\n\nThen fire a test tile.",
         "> cooled more slowly\n\nHow slowly? Mine takes a night.", "`1240 °C` with a soak of ten minutes, then nothing until morning.", "Thank you, that was it. See [the chart](/search/) too."]  # fmt: skip


def main(port: str) -> None:
    if not (HERE / "forum").exists():
        sys.argv = ["spirit", "startproject", "forum"]
        next(each for each in importlib.metadata.entry_points(group="console_scripts", name="spirit")).load()()
    sys.path.insert(0, str(HERE / "forum"))
    os.environ["DJANGO_SETTINGS_MODULE"] = "forum.settings.dev"
    from django.conf import settings

    settings.DATABASES["default"]["OPTIONS"] = {"init_command": "PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY"}
    settings.LANGUAGE_CODE = "en"
    import django
    from django.core.management import call_command, execute_from_command_line

    django.setup()
    call_command("spiritinstall", verbosity=0)
    create_sample_data()
    execute_from_command_line(["kiln", "runserver", "--noreload", f"127.0.0.1:{port}"])


def create_sample_data() -> None:
    from django.contrib.auth.models import User
    from spirit.category.models import Category
    from spirit.comment.models import Comment
    from spirit.topic.models import Topic

    users = []
    for name, whole in PEOPLE.items():
        first, _, last = whole.partition(" ")
        user = User.objects.create_user(name, f"{name}@kiln.example", "clay-and-ash-19", first_name=first, last_name=last)  # fmt: skip
        user.st.is_verified = True
        user.st.save()
        users.append(user)
    categories = [Category.objects.create(title=title, description=f"All about {title.lower()}", color=colour) for title, colour in (("Glazes", "2b7a78"), ("Kilns and firing", "b3541e"), ("Market", "5f6caf"))]  # fmt: skip
    for number, title in enumerate(TOPICS):
        topic = Topic.objects.create(user=users[number % 6], category=categories[number % 3], title=title)
        for answer in range(3 + number % 3):
            words = WORDS[(number + answer) % len(WORDS)]
            comment = Comment(user=users[(number + answer) % 6], topic=topic, comment=words)
            comment.comment_html = render_markdown(words)
            comment.save()
            topic.increase_comment_count()


def render_markdown(words: str) -> str:
    from spirit.core.utils.markdown import Markdown

    return Markdown().render(words)


if __name__ == "__main__":
    main(sys.argv[1])
