"""Takes the pictures of a film: seeks the replay to each planned frame in a headless browser, and takes a screenshot."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pagereel.integrations.replay_browser import add_js_timeout

from .film_plan import FRAME, FilmCaption, FilmPlan

BAR: Final = 44
"""Height of the line under the page that says the step, CSS px."""
WIDEST: Final = 1280
"""Width of a film in px, where no size is asked for: of a wider page it is a smaller picture."""
TALLEST: Final = 2160
"""The same for its height, without the line under the page."""

SWITCHES: Final = (
    "--disable-partial-raster",  # What is drawn anew in part has other edges than what is drawn at once.
    "--disable-checker-imaging",
    "--run-all-compositor-stages-before-draw",
    "--blink-settings=imageAnimationPolicy=2",  # An animated GIF goes by the clock on the wall.
)
"""What makes Chromium draw the same page twice as the same pixels."""
STYLE: Final = """
.header, .damage, .transport, .chrome, .said { display: none !important }
html { overflow: hidden !important }
/* The player leaves half a pixel of its room's height free: without one more a page that fits exactly is drawn smaller. */
.app { height: calc(100% - var(--bar) + 1px) !important }
.main { display: grid !important; grid-template: minmax(0, 1fr) / minmax(0, 1fr) var(--side) !important }
.side { display: var(--beside) !important }
.browser { padding: 0 !important }
.area { aspect-ratio: auto !important; max-height: none !important; flex: 1 !important; border: 0 !important; border-radius: 0 !important; align-items: flex-start !important }
.browser .overlay { display: var(--drawn) !important }
.film-bar { position: fixed; inset: auto 0 0; height: var(--bar); display: flex; align-items: center; gap: .75em; padding: 0 .9em; background: #16191d; color: #fff; font: calc(16px * var(--zoom)) / 1.15 var(--font); overflow: hidden }
.film-bar.failed { background: #b3261e }
.film-bar b { flex: none; font-weight: 600; font-size: .9em; opacity: .75 }
.film-bar.failed b { opacity: 1 }
.film-bar span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; overflow-wrap: anywhere }
"""

# What is not the page goes away, and a line under it says the step. A sheet made by a script is no style that the
# file's policy would refuse.
DRESS: Final = """([css, values]) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  for (const [name, value] of Object.entries(values)) document.documentElement.style.setProperty(name, value);
  if (values['--bar'] === '0px') return;
  const bar = document.body.appendChild(document.createElement('div'));
  bar.className = 'film-bar';
  bar.append(document.createElement('b'), document.createElement('span'));
}"""

# Shows a moment, and returns for how many ms of the run it moves by itself from there on.
SHOW: Final = add_js_timeout("""async ([t, place, words, failed]) => {
  const bar = document.querySelector('.film-bar');
  if (bar) {
    bar.classList.toggle('failed', failed);
    [bar.firstChild.textContent, bar.lastChild.textContent] = [place, words];
  }
  await window.pagereel.seek(t);
  let left = 0;
  const look = (shown) => {
    for (const animation of shown.getAnimations()) {
      const end = animation.effect?.getComputedTiming().endTime ?? 0;
      left = Math.max(left, (end - (animation.currentTime ?? end)) / (Math.abs(animation.playbackRate) || 1));
    }
    for (const frame of shown.querySelectorAll('iframe, frame')) if (frame.contentDocument) look(frame.contentDocument);
  };
  const frame = window.pagereel.frame;
  if (frame?.contentDocument) look(frame.contentDocument);
  return Math.min(left, 1e9);
}""")


@dataclass(frozen=True)
class FilmScreenshot:
    """A screenshot, and the number of the frame from which the film shows it."""

    frame: int
    picture: Path
    """PNG."""


@dataclass(frozen=True)
class FilmLayout:
    """The parts of the player that a film shows in addition to the recorded page."""

    drawn: bool = True
    """Whether the pointer, clicks and keys are drawn over the page, and captions stand under it."""
    story: bool = False
    """Whether the lists stand beside it."""
    zoom: float = 1.0
    """How much larger the line under the page is: for pictures that are shown smaller."""

    @property
    def caption_bar_height(self) -> int:
        """Return the height of the caption bar under the page, in CSS px."""
        return round(BAR * self.zoom) if self.drawn else 0

    def compute_window_size(self, page: tuple[int, int], size: tuple[int, int] | None) -> tuple[int, int]:
        """Return the width and height of the film in px, as even numbers, which H.264 needs.

        `page`: the size of the largest recorded page; `size`: the size that the user wants, if any.
        """
        if size is None:
            scale = min(1.0, WIDEST / page[0], TALLEST / page[1])
            size = (round(page[0] * scale), round(page[1] * scale) + self.caption_bar_height)
            if self.story:
                size = (WIDEST, 720)
        return max(2, size[0] // 2 * 2), max(2, (size[1] + 1) // 2 * 2)

    def list_style_variables(self) -> dict[str, str]:
        """Return the CSS variables that style the player for the film, by name."""
        return {
            "--bar": f"{self.caption_bar_height}px",
            "--zoom": f"{self.zoom:.3f}",
            "--side": "400px" if self.story else "0px",
            "--beside": "flex" if self.story else "none",
            "--drawn": "block" if self.drawn else "none",
        }


class ReplayCamera:
    """A browser page that shows a replay, styled for screenshots."""

    def __init__(self, page: Any, look: FilmLayout) -> None:
        """Dress the page. `open_replay_page` turns Playwright's errors, here and below, into a BuildError."""
        self._page = page
        self._session = page.context.new_cdp_session(page)
        page.evaluate(DRESS, [STYLE, look.list_style_variables()])

    def show_moment(self, run_time: float, caption: FilmCaption) -> float:
        """Seek the replay to the run's time `run_time` (ms), and show the caption `caption`.

        Return for how many ms the page moves by itself (animations, videos) until the next recorded event.
        """
        return float(self._page.evaluate(SHOW, [run_time, caption.place, caption.words, caption.failed]))

    def take_screenshot(self) -> bytes:
        """Return a screenshot of the page as PNG."""
        taken = self._session.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
        return b64decode(taken["data"])


def photograph_film(
    camera: ReplayCamera, plan: FilmPlan, folder: Path, layout: FilmLayout, progress: Callable[[float, float], None]
) -> list[FilmScreenshot]:
    """Write the pictures of a film into `folder`, and return them.

    A screenshot is taken at each planned frame. It is dropped if it equals the picture before it.
    """
    planned, shots, last = set(plan.frames), list[FilmScreenshot](), b""
    moves, at = -1.0, (-1.0, FilmCaption(0.0, ""))
    for frame in range(plan.frame_count):
        run = plan.clock.to_run_time(frame * FRAME)
        progress(frame, plan.frame_count)
        said = plan.get_caption_at(frame) if layout.drawn else FilmCaption(0.0, "")
        if (frame not in planned and run > moves) or at == (run, said):
            continue
        at = run, said
        moves = run + camera.show_moment(run, said)
        seen = camera.take_screenshot()
        if seen != last:
            shots.append(FilmScreenshot(frame, folder / f"{frame}.png"))
            shots[-1].picture.write_bytes(seen)
            last = seen
    return shots
