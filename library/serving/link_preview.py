"""The preview of a link to a run that a chat shows, built for requests without a token.

It has no data of the run unless the server was started with ``unfurl``. Then it has the run's outcome, number of steps
and duration, and a picture of the page masked under ``strict``: each text is a stand-in, each picture grey.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from . import worker_tasks
from .endpoint import ApiRequest, ApiResponse, Endpoint
from .roles import Caller
from .templates import format_duration
from .worker import RequestRefusedError

if TYPE_CHECKING:
    from .library_site import LibrarySite

WIDTH, HEIGHT = 1_200, 630
"""Size of the picture in px, as chats expect it."""
NOBODY: Final = Caller("(no token)", "")
_POLICY: Final = "strict"
_DAY_S: Final = 86_400


@dataclass(frozen=True, slots=True)
class PreviewCard:
    """The preview of a link."""

    title: str
    told: str
    address: str
    picture: str | None = None
    width: int = WIDTH
    height: int = HEIGHT


def build_preview_card(site: LibrarySite, host: str, id: str) -> PreviewCard:
    """Return the preview of a link to a run for callers without a token. Where nothing may be shown, it does not
    reveal whether the run exists.
    """
    pages = site.find_origin(host).pages
    address = f"{pages}/runs/{id[:64]}"
    if site.draw is not None:
        words = _describe_run_briefly(site, id)
        if words is not None:
            return PreviewCard(
                f"A recorded browser run: {words}",
                "Open it to see the replay; a token is asked for.",
                address,
                f"{address}/card.png",
            )
    return PreviewCard("A pagereel recording", "Open it to see the replay; a token is asked for.", address)


def _describe_run_briefly(site: LibrarySite, id: str) -> str | None:
    """Return a run's outcome, number of steps and duration as text; None where there is no such run."""
    row = (
        site.service.get_library(NOBODY)
        .catalogue.statement_runner.execute("SELECT outcome, steps, duration FROM run WHERE id = ?", (id,))
        .fetchone()
    )
    if row is None:
        return None
    outcome, steps, duration = row
    return f"{outcome}, {steps} step{'' if steps == 1 else 's'} in {format_duration(duration)}"


def _answer_preview_picture(request: ApiRequest) -> ApiResponse:
    site, id = request.site, request.path["id"]
    words = _describe_run_briefly(site, id) if site.draw is not None else None
    if words is None:
        raise RequestRefusedError(404, "There is no picture of this run.")
    entry = request.service.get_catalogue_entry(NOBODY, id)
    made = request.service.get_served_file_path(entry, "card.png")
    if not made.exists():
        source = request.service.get_recording(entry, _POLICY)
        request.service.make_file_once(
            made,
            None,
            worker_tasks.write_preview_picture,
            str(source),
            str(made),
            words,
            (WIDTH, HEIGHT),
            site.draw,
            sources=[source],
        )
    return ApiResponse(
        made,
        "image/png",
        line={"run": id, "redaction": _POLICY},
        caller=NOBODY,
        headers={"Cache-Control": f"public, max-age={_DAY_S}"},
    )


CARD: Final = Endpoint(
    "GET",
    "/runs/{id}/card.png",
    "The picture that a link to a run shows in a chat, where the server was started with --unfurl.",
    _answer_preview_picture,
    audit="unfurl",
)
