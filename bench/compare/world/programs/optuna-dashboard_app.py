"""Optuna's dashboard over one study, which it asks for again and again."""

import os
import sys

import optuna

optuna.logging.set_verbosity(optuna.logging.WARNING)
study = optuna.create_study(
    study_name="firing",
    storage="sqlite:///firing.db",
    direction="minimize",
    sampler=optuna.samplers.RandomSampler(seed=3),
)
study.optimize(
    lambda trial: (trial.suggest_float("degrees", 1200, 1300) - 1240) ** 2 + trial.suggest_int("hours", 6, 14),
    n_trials=6,
)
os.execvp("optuna-dashboard", ["optuna-dashboard", "sqlite:///firing.db", "--host", "127.0.0.1", "--port", sys.argv[1]])
