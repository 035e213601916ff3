"""Kinds of personal data that a few words around it tell, in many languages."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...contracts.types import Finding
from .accounts import find_accounts
from .ages import find_ages_abroad
from .by_script import find_particulars_by_script
from .days import find_days
from .dictionaries import find_by_dictionary
from .extensions import find_extensions
from .greeted import find_greeted
from .handles import find_handles
from .keyed import find_keyed
from .labelled_names import find_labelled_names
from .lines import find_lines
from .lives import find_lives
from .names_alone import find_names_alone
from .nations import find_nations
from .offices import find_offices
from .peoples import find_peoples
from .places import find_places
from .signatures import find_signatures
from .streets import find_streets
from .streets_by_script import find_streets_by_script
from .towns import find_towns
from .welcomed import find_welcomed

TOLD: tuple[Callable[[str], Iterable[Finding]], ...] = (
    find_accounts,
    find_ages_abroad,
    find_by_dictionary,
    find_days,
    find_extensions,
    find_particulars_by_script,
    find_greeted,
    find_handles,
    find_keyed,
    find_labelled_names,
    find_lines,
    find_lives,
    find_names_alone,
    find_nations,
    find_offices,
    find_peoples,
    find_places,
    find_signatures,
    find_streets,
    find_streets_by_script,
    find_towns,
    find_welcomed,
)
"""Each is asked about what a person reads, and no judge weighs what it finds."""
