"""Serves Locust, a load tester whose users only pretend to send requests: its figures change, and nothing is loaded."""

import os
import sys
from pathlib import Path

Path("locustfile.py").write_text(
    """import random, time
from locust import User, constant, task
class Potter(User):
    wait_time = constant(0.5)
    @task(3)
    def look(self):
        self.environment.events.request.fire(request_type="GET", name="/pots", response_time=random.randint(4, 90), response_length=900, exception=None, context={})
    @task(1)
    def buy(self):
        self.environment.events.request.fire(request_type="POST", name="/basket", response_time=random.randint(20, 190), response_length=80, exception=None, context={})
"""
)
os.execvp(
    "locust",
    [
        "locust",
        "-f",
        "locustfile.py",
        "--web-host",
        "127.0.0.1",
        "--web-port",
        sys.argv[1],
        "--host",
        "http://shop.example",
        "--loglevel",
        "ERROR",
    ],
)
