"""Writes made-up people as JSON: `python people.py LOCALE SEED COUNT`.

It runs in an environment that has Faker, and imports nothing else. Another seed gives other people: texts that two recordings of one errand have in
common belong to the program, texts that differ to the people.
"""

import json
import random
import sys

from faker import Faker

FIELDS = ("name", "first", "last", "email", "phone", "street", "city", "company", "job", "user")


def make_people(locale: str, seed: int, count: int) -> list[dict[str, object]]:
    """Return `count` made-up people, each as a record with name, address, telephone and so on."""
    fake, chance = Faker(locale), random.Random(seed)
    fake.seed_instance(seed)
    told = []
    for _ in range(count):
        first, last = fake.first_name(), fake.last_name()
        name = last + first if locale.startswith(("zh", "ja", "ko")) else f"{first} {last}"
        user = fake.user_name()
        told.append({
            "name": name, "first": first, "last": last, "user": user, "email": f"{user}@{fake.domain_name()}", "phone": fake.phone_number(),
            "street": fake.street_address().replace("\n", ", "), "city": fake.city(), "company": fake.company(), "job": fake.job(),
            "born": fake.date_of_birth(minimum_age=19, maximum_age=80).isoformat(), "joined": f"2026-{chance.randrange(1, 12):02}-{chance.randrange(1, 29):02}",
            "balance": round(chance.uniform(5, 4000), 2), "number": f"{chance.randrange(10**7):07}",
        })  # fmt: skip
    return told


if __name__ == "__main__":
    print(json.dumps(make_people(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])), ensure_ascii=False))
