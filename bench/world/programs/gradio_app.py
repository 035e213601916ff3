"""Serves a kiln's form made with Gradio: a firing whose log is streamed, and a chat."""

import sys
import time
from collections.abc import Iterator

import gradio

GLAZES = {"celadon": [1260, 10], "tenmoku": [1280, 9], "cobalt": [1220, 6]}


def stream_firing_log(glaze: str, degrees: float) -> Iterator[str]:
    """Yield the log of a firing, one line longer each time."""
    lines = []
    for hour in range(1, 5):
        lines.append(f"hour {hour}: {int(degrees * hour / 4)} degrees")
        time.sleep(0.15)
        yield "\n".join(lines)
    yield "\n".join([*lines, f"The {glaze} is done."])


def answer(message: str, history: list[object]) -> Iterator[str]:
    words = f"You said {message}. Cool it slowly, then look at the foot."
    for end in range(1, len(words.split()) + 1):
        time.sleep(0.03)
        yield " ".join(words.split()[:end])


with gradio.Blocks(title="Kiln", analytics_enabled=False) as app:
    gradio.Markdown("# Kiln\nWhat to fire, and how hot.")
    with gradio.Tab("Fire"):
        glaze = gradio.Dropdown(list(GLAZES), value="celadon", label="Glaze")
        degrees = gradio.Number(1200, label="Degrees")
        cones = gradio.Textbox(label="Cone", interactive=False)
        log = gradio.Textbox(label="Log", lines=5)
        go = gradio.Button("Fire it")
        glaze.change(lambda name: f"{GLAZES[name][1]}, at {GLAZES[name][0]}", glaze, cones)
        go.click(stream_firing_log, [glaze, degrees], log)
        with gradio.Accordion("Shelves", open=False):
            shelf = gradio.CheckboxGroup(["upper", "middle", "lower"], label="Which")
            count = gradio.Markdown("none")
            shelf.change(lambda chosen: f"{len(chosen)} of 3 shelves", shelf, count)
    with gradio.Tab("Ask"):
        gradio.ChatInterface(answer)
    with gradio.Tab("Table"):
        table = gradio.Dataframe(
            [[name, *figures] for name, figures in GLAZES.items()], headers=["glaze", "degrees", "cone"]
        )
        total = gradio.Markdown()
        gradio.Button("Mean").click(lambda rows: f"{rows['degrees'].astype(float).mean():.0f} degrees", table, total)

app.queue().launch(server_name="127.0.0.1", server_port=int(sys.argv[1]), show_error=True, quiet=True)
