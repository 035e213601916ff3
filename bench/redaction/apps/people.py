"""Write people as JSON: `python people.py LOCALE SEED COUNT`. Runs in an environment that has Faker, and imports nothing else.

For other seeds other people: what two recordings of one errand show alike is the program's, what differs is somebody's.
"""

import json
import random
import sys

from faker import Faker

FIELDS = ("name", "first", "last", "email", "phone", "street", "city", "company", "job", "user")


def people(locale: str, seed: int, count: int) -> list[dict[str, object]]:
    """Return `count` people, each with what a list of customers has of them."""
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
    print(json.dumps(people(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])), ensure_ascii=False))
