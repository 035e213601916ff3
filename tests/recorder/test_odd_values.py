"""Whatever an agent hands in: nothing that a value is, or does, fails the agent, holds it up, or makes a recording that is not of the format."""

from __future__ import annotations

import collections
import enum
import fractions
import itertools
import sys
import time
import traceback
import types
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

from pagereel import record
from pagereel.recorder import Session
from pagereel.recorder.runtime import guarded_calls

from .support import Recorded

ASKED = (
    "__bool__", "__len__", "__iter__", "__str__", "__repr__", "__eq__", "__hash__", "__getattr__", "__getattribute__", "__int__", "__float__",
    "__index__", "__format__", "__contains__", "__getitem__", "__fspath__", "__class__", "__dict__", "__call__", "__bytes__", "__array__",
    "__array_interface__", "__reduce_ex__", "__lt__", "__neg__", "__abs__", "__buffer__", "model_dump", "to_dict", "copy", "items", "keys",
)  # fmt: skip


class OwnError(Exception):
    def __str__(self) -> str:
        raise OwnError


class OwnBaseError(BaseException):
    pass


def raising(error: BaseException | type[BaseException]) -> Callable[..., Any]:
    def method(*given: Any) -> Any:
        raise error

    return method


def forever(*given: Any) -> Any:
    while True:
        pass


def asleep(*given: Any) -> Any:
    while True:
        time.sleep(0.001)


def deeper(*given: Any) -> Any:
    return deeper(*given)


def endless(*given: Any) -> Iterator[int]:
    return iter(itertools.count())


DOES: dict[str, Callable[..., Any]] = {
    "raises": raising(ValueError),
    "raises its own": raising(OwnError),
    "raises what is no Exception": raising(OwnBaseError),
    "raises Ctrl-C": raising(KeyboardInterrupt),
    "ends the program": raising(SystemExit),
    "never ends": forever,
    "never wakes": asleep,
    "goes ever deeper": deeper,
    "gives without end": endless,
    "gives itself": lambda *given: given[0] if given else None,
    "gives None": lambda *given: None,
    "gives a number": lambda *given: -(10**5000),
    "gives a text": lambda *given: "\ud800\0" * 10,
    "gives bytes": lambda *given: b"\xff",
    "gives a type": lambda *given: type,
}
BASES = (object, str, int, float, dict, list, tuple, set, bytes, Exception)


def odd(base: type, does: Callable[..., Any]) -> Any:
    """Return a value of a type all of whose methods do the same."""
    methods: dict[str, Any] = {
        name: does for name in ASKED if name not in ("__class__", "__dict__", "__array_interface__")
    }
    methods |= {name: property(does) for name in ("__class__", "__array_interface__")}
    made = base.__new__(type("Odd", (base,), {}))
    odd_type = type("Odd", (base,), {**methods, "__slots__": ()} if base is object else methods)
    return base.__new__(odd_type) if base is not tuple else tuple.__new__(odd_type, (made,))


def odd_in_one(name: str, does: Callable[..., Any]) -> Any:
    method = property(does) if name in ("__class__", "__array_interface__") else does
    return type("Odd", (), {name: method})()


class Number(enum.Enum):
    ONE = odd_in_one("__repr__", raising(ValueError))


@dataclass
class Lazy:
    value: Any = None

    def __getattribute__(self, name: str) -> Any:
        raise OwnError


class Meta(type):
    def __getattribute__(cls, name: str) -> Any:
        raise OwnError

    def __instancecheck__(cls, value: object) -> bool:
        raise OwnError


class OfMeta(metaclass=Meta):
    pass


class Gone:
    pass


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def values() -> dict[str, Any]:
    found = {f"{name} {what}": odd_in_one(name, does) for name in ASKED for what, does in DOES.items()}
    found |= {
        f"a {base.__name__} whose methods: {what}": odd(base, does) for base in BASES for what, does in DOES.items()
    }
    cycle: list[Any] = [1]
    cycle += [cycle, cycle, {"again": cycle}]
    bad = odd_in_one("__repr__", raising(ValueError))
    return found | {
        "4,301 digits": 10**4301, "a million digits": 1 << 3_000_000, "as negative": -(10**5000), "in a list": [10**5000], "as a key": {10**5000: 1},
        "numpy true": np.True_, "numpy array": np.zeros(3), "numpy empty": np.array([]), "numpy of objects": np.array([bad, None], dtype=object),
        "numpy nan": np.float32("nan"), "numpy int": np.int64(7), "numpy text": np.str_("x"), "numpy date": np.datetime64("NaT"), "numpy record": np.zeros(2, dtype=[("a", "i4")]),
        "missing": odd_in_one("__bool__", raising(TypeError("boolean value of NA is ambiguous"))),
        "a cycle": cycle, "a deep list": nested(2_000), "a dict of itself": (lambda d: d.update(d=d) or d)({}), "many": [[1] * 300] * 300,
        "counting": itertools.count(), "a range": range(10**18), "a generator": (n for n in itertools.count()), "signaling": Decimal("sNaN"), "huge decimal": Decimal("1e999999"),
        "a fraction": fractions.Fraction(1, 3), "complex": 1j, "inf": float("inf"), "a surrogate": "\udfff", "NUL": "\0", "a long text": "x" * 1_000_000,
        "a type": type, "of a metaclass": OfMeta, "one of it": OfMeta(), "a module": types, "a lambda": lambda: None, "a mock": mock.MagicMock(), "of a spec": mock.Mock(spec=[]),
        "a dead proxy": weakref.proxy(Gone()), "an enum": Number.ONE, "a lazy dataclass": Lazy(bad), "the dataclass": Lazy, "not implemented": NotImplemented, "ellipsis": ...,
        "a view": memoryview(b"abc")[::2], "a released view": (lambda v: v.release() or v)(memoryview(b"abc")), "a deque": collections.deque([bad]),
        "odd in a dict": {"a": bad, bad: "b"}, "odd in a tuple": (bad, [bad]), "an error": OwnError(), "a file": open(__file__, "rb"), "descriptor": 0,
        "a device": "/dev/zero", "a device's path": Path("/dev/zero"), "a folder": "/", "a path with NUL": "a\0b", "empty": "", "a names' mapping": types.MappingProxyType({"a": bad}),
    }  # fmt: skip


def told(session: Session, v: Any) -> None:
    """Hand a value in wherever one can be."""
    with session.step(v, reasoning=v, agent=v, more=v) as step, session.agent(v):
        step.outcome(success=v, message=v, more=v)
        session.message(v, v, v, more=v)
        session.llm_call(
            model=v,
            provider=v,
            input_tokens=v,
            output_tokens=v,
            cost_usd=v,
            duration=v,
            prompt=v,
            response=v,
            agent=v,
            more=v,
        )
        session.record_model_call(v)
        session.tool_result(session.tool_call(v, v, agent=v, more=v), v, error=v, duration=v)
        session.tool_result(v)
        session.memory_op(v, v, v, agent=v)
        session.note(v, agent=v, more=v)
        session.answer(session.ask(v, agent=v, more=v), v, by=v)
        session.answer(v, v)
        session.artifact(v, name=v, agent=v, more=v)
        session.version(v, v, name=v, agent=v)
        session.screen(v, action=v, cursor=v, window=v, visible=v, agent=v, more=v)
        session.screen(None, cursor=[v, v], visible=[v, [v, v, v, v], [0, 0, 1, 1, v, v, v]])
        session.score(v, v, comment=v, agent=v)
        session.mark(v)
        session.screenshot(v, boxes=v, image=v, page=v, agent=v, more=v)
        session.screenshot(boxes=[v, [v, v, v, v], [0, 0, 1, 1, v, v, v]], image=b"\x89PNG")
    step.__exit__(v, v, v)


ODD = values()
PARTS = 12


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_that_is_handed_in_fails_or_holds_up_the_agent(
    part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarded_calls, "PATIENCE", 0.002)
    monkeypatch.setattr("pagereel.recorder.runtime.pictures._PATIENCE", 0.002)
    names = list(ODD)[part::PARTS]
    failed = {}
    with record(None, tmp_path / "run.reel") as session:
        for name in names:
            try:
                told(session, ODD[name])
            except BaseException as error:
                failed[name] = [type(error).__name__, *traceback.format_tb(error.__traceback__)[-2:]]
    assert failed == {}
    recorded = Recorded(tmp_path / "run.reel")
    recorded.whole_events()
    assert len(recorded.of("step")) == len(recorded.of("step_end")) == len(names)
    assert len(recorded.of("artifact")) == len(names) and len(recorded.of("llm")) == len(names)
    assert [gap for gap in recorded.of("gap") if gap["reason"] == "error"] == []


def test_the_odd_values_are_many() -> None:
    assert len(ODD) >= 288


def test_patience_that_ends_after_the_callers_code_reaches_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def clock() -> float:
        """Say that time is up where code of ours is traced."""
        frame = sys._getframe(1).f_locals.get("frame")
        return 9.0 if frame is not None and frame.f_code.co_filename == guarded_calls.__file__ else 0.0

    monkeypatch.setattr(time, "perf_counter", clock)
    assert guarded_calls.CallTimeLimit(1.0).call(raising(KeyboardInterrupt)) is None
