"""Shows a kiln's journal made with Mesop: each event is answered by a stream."""

import time
from collections.abc import Iterator

import mesop


@mesop.stateclass
class State:
    degrees: int = 20
    note: str = ""
    journal: list[str]
    answer: str = ""


def keep_note(event: mesop.InputBlurEvent) -> None:
    mesop.state(State).note = event.value


def write_journal(_: mesop.ClickEvent) -> None:
    state = mesop.state(State)
    state.journal.append(f"{state.degrees} degrees: {state.note}")


def fire_kiln(_: mesop.ClickEvent) -> Iterator[None]:
    state = mesop.state(State)
    for degrees in range(200, 1300, 200):
        state.degrees = degrees
        yield
        time.sleep(0.12)
    state.journal.append("hot")
    yield


def stream_answer(_: mesop.ClickEvent) -> Iterator[None]:
    state = mesop.state(State)
    state.answer = ""
    for word in ("Cool", "it", "slowly,", "then", "look."):
        state.answer += f"{word} "
        yield
        time.sleep(0.06)


@mesop.page(path="/", title="Kiln")
def home() -> None:
    state = mesop.state(State)
    mesop.text("Kiln", type="headline-4")
    mesop.text(f"{state.degrees} degrees")
    mesop.button("Fire", on_click=fire_kiln, type="flat")
    mesop.input(label="Note", on_blur=keep_note)
    mesop.button("Write", on_click=write_journal)
    mesop.button("Ask", on_click=stream_answer)
    mesop.text(state.answer or "no answer")
    for line in state.journal:
        mesop.text(line)
