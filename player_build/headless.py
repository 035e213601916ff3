"""Opens a built file in a headless Chromium, and reads through the debugger which nodes and pixels its frame shows."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import orjson

from pagereel.reel import STYLE

from ..errors import BuildError
from .layout_comparison import SEE

PATIENCE: Final = 30_000
"""Ms that the player may take to open, and for one seek."""

DEPTH: Final = 50
"""Levels of a page that the browser describes in one answer: it cannot serialize 300 nested levels."""

# Called in an isolated world of the frame that shows the page. Returns its documents, the page's first: `nodes` in
# pre-order, `frames` with the number of the document in each of its frame elements. A node is [depth, kind, name,
# attributes, data], kinds as the page model numbers them.
LOOK: Final = r"""(...closed) => {
  const HTML = 'http://www.w3.org/1999/xhtml';
  const SHORT = {[HTML]: '', 'http://www.w3.org/2000/svg': 'svg|', 'http://www.w3.org/1998/Math/MathML': 'math|'};
  const get = (type, name) => { const {get} = Object.getOwnPropertyDescriptor(type.prototype, name); return (node) => get.call(node); };
  const [typeOf, childrenOf] = [get(Node, 'nodeType'), get(Node, 'childNodes')];
  const [nameOf, namespaceOf, attributesOf, rootOf] = ['localName', 'namespaceURI', 'attributes', 'shadowRoot'].map((name) => get(Element, name));
  const hidden = new Map(closed.map((root) => [root.host, root]));
  const documents = [];
  const kept = (globalThis.pagereelSeen = []);
  const tagOf = (node) => {
    const [name, space] = [nameOf(node), namespaceOf(node)?.replace(/^pagereel:/, '')];
    return space === HTML && name.includes('|') ? `html|${name}` : (SHORT[space] ?? `${space ?? ''}|`) + name;
  };
  const stateOf = (node, tag) => {
    if (tag === 'select') return '\x1es' + [...node.options].flatMap((option, index) => option.selected ? [index] : []).join();
    if (tag === 'textarea') return '\x1ev' + node.value;
    const checkable = node.type === 'checkbox' || node.type === 'radio';
    return (checkable ? '\x1ec' + Number(node.checked) : '\x1ev' + node.value) + (node.indeterminate ? '\x1ei1' : '');
  };
  // The text of a <style> that would import something stands beside it.
  const textOf = (node) => {
    const style = node.data === '' && childrenOf(node.parentNode).length === 1 && node.parentNode;
    return (style && style.dataset?.pagereelText) || node.data;
  };
  const look = (start) => {
    const found = {nodes: [], frames: []};
    const number = documents.push(found) - 1;
    const nodes = (kept[number] = []);
    const stack = [[start, 0]];
    while (stack.length) {
      const [node, depth] = stack.pop();
      nodes.push(node);
      const type = typeOf(node);
      const below = [...childrenOf(node)];
      if (type === 1) {
        const tag = tagOf(node);
        const attributes = [...attributesOf(node)].map(({name, value}) => [name, value.toWellFormed()]);
        found.nodes.push([depth, 1, tag, attributes, ['input', 'textarea', 'select'].includes(tag) ? stateOf(node, tag).toWellFormed() : '']);
        if (tag === 'template') below.unshift(node.content);
        const shadow = rootOf(node) ?? hidden.get(node);
        if (shadow) below.unshift(shadow);
        if (tag === 'iframe' || tag === 'frame') found.frames.push(node.contentDocument ? look(node.contentDocument) : -1);
      } else if (type === 9) found.nodes.push([depth, 9, node.compatMode, [], '']);
      else if (type === 10) found.nodes.push([depth, 10, node.name, [], `${node.publicId}\x1f${node.systemId}`]);
      else if (type === 11) found.nodes.push(node.host ? [depth, 11, node.mode, [], ''] : [depth, 12, '', [], '']);
      else found.nodes.push([depth, type, type === 7 ? node.target : '', [], (type === 3 ? textOf(node) : node.data).toWellFormed()]);
      for (let index = below.length - 1; index >= 0; index--) stack.push([below[index], depth + 1]);
    }
    return number;
  };
  look(document);
  return JSON.stringify(documents);
}"""

# The value that a control keeps of a value that its type does not allow (a masked number, for example).
FIT: Final = r"""(controls) => controls.map(([attributes, value]) => {
  const input = document.implementation.createHTMLDocument('').createElement('input');
  for (const name of ['type', 'min', 'max', 'step', 'multiple']) if (name in attributes) input.setAttribute(name, attributes[name]);
  input.value = value;
  return input.value;
})"""

# The share of pixels in which two pictures visibly differ, at the size of the first.
DIFFERING: Final = r"""async (pictures) => {
  const [one, other] = await Promise.all(pictures.map(async (picture) => createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob())));
  const {width, height} = one;
  const [a, b] = [one, other].map((bitmap) => {
    const pen = new OffscreenCanvas(width, height).getContext('2d');
    pen.drawImage(bitmap, 0, 0, width, height);
    return pen.getImageData(0, 0, width, height).data;
  });
  let count = 0;
  for (let i = 0; i < a.length; i += 4)
    if (Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]) > 96) count++;
  return count / (width * height);
}"""


READY: Final = """async () => {
  for (let i = 0; i < 600 && !(window.pagereel?.ready instanceof Promise); i++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  await window.pagereel.ready;
}"""

BOX: Final = "() => { const {x, y, width, height} = window.pagereel.frame.getBoundingClientRect(); return {x, y, width, height}; }"

Size = tuple[float, float, float]
"""Width and height of a page in CSS px, and the device pixel ratio."""

DEFAULT: Final = (1280.0, 720.0, 1.0)
MOST: Final = 10_000
"""Largest side of a window in CSS px, whatever a recording says."""


class PageNotShownError(Exception):
    """The error raised when the player cannot show a page or a time. Its message is the player's."""


class HeadlessReplay:
    """A built file in a headless Chromium without a network."""

    def __init__(self, path: Path, browser: Any, close: Callable[[], None]) -> None:
        self._path = path
        self._browser = browser
        self._close = close
        self._contexts: dict[float, Any] = {}
        self._judge: Any = None

    @classmethod
    def start(cls, path: Path, launch: Mapping[str, Any]) -> HeadlessReplay:
        from playwright.sync_api import sync_playwright

        playwright = sync_playwright().start()
        try:
            return cls(path, playwright.chromium.launch(**launch), playwright.stop)
        except BaseException:
            playwright.stop()
            raise

    def __enter__(self) -> HeadlessReplay:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def open_other_file(self, path: Path) -> HeadlessReplay:
        """Return an object for another built file that uses the same browser."""
        return HeadlessReplay(path, self._browser, lambda: None)

    def open_player(self, size: Size = DEFAULT, moment: str = "") -> HeadlessPlayer:
        """Open the file in a new browser page, by its link to a time (`t=1234`).

        :raises BuildError: it does not open as a replay.
        """
        from playwright.sync_api import Error

        page = self._new_browser_context(size[2]).new_page()
        player = HeadlessPlayer(page)
        try:
            player.resize(size)
            page.goto(f"{self._path.absolute().as_uri()}#bare{moment and f'&{moment}'}")
            page.evaluate(READY)
        except Error as error:
            player.close()
            raise BuildError(f"{self._path} does not open as a replay ({error.message.splitlines()[0]}).") from None
        return player

    def measure_pixel_difference(self, screenshot: bytes, recorded: bytes) -> float:
        """Return the share of pixels, 0 to 1, in which two PNG pictures differ: a screenshot of the replay, and the
        recorded one.
        """
        if self._judge is None:
            self._judge = self._new_browser_context(1.0).new_page()
        share: float = self._judge.evaluate(DIFFERING, [b64encode(each).decode() for each in (screenshot, recorded)])
        return share

    def _new_browser_context(self, scale: float) -> Any:
        if scale not in self._contexts:
            context = self._browser.new_context(offline=True, device_scale_factor=scale)
            context.set_default_timeout(PATIENCE)
            self._contexts[scale] = context
        return self._contexts[scale]


class HeadlessPlayer:
    """The player of a built file, in one page of the headless browser."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._session = page.context.new_cdp_session(page)
        self._shown = 0
        self._size: Size | None = None

    def __enter__(self) -> HeadlessPlayer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._page.close()

    def resize(self, size: Size) -> None:
        """Set the size of the browser's window to that of the recorded page."""
        if size[:2] == (self._size or DEFAULT)[:2] and self._size:
            return
        self._size = size
        width, height = (min(MOST, max(1, round(side))) for side in size[:2])
        self._page.set_viewport_size({"width": width, "height": height})

    def show_page(self, page: int) -> None:
        """Show the recorded page (tab) with this number.

        :raises PageNotShownError: the player cannot.
        """
        if page != self._shown:
            self._call_player("(page) => window.pagereel.show(page)", page)
            self._shown = page

    def seek(self, page: int, t: float, size: Size) -> None:
        """Show the recorded page (tab) number `page` at `t` ms.

        :raises PageNotShownError: the player cannot.
        """
        self.resize(size)
        self.show_page(page)
        self._call_player("(t) => window.pagereel.seek(t)", t)

    def _call_player(self, function: str, argument: object) -> None:
        from playwright.sync_api import Error

        try:
            self._page.evaluate(function, argument)
        except Error as error:
            raise PageNotShownError(error.message.splitlines()[0]) from None

    def read_documents(self) -> list[dict[str, Any]]:
        """Return the documents that the player's frame shows now, each with its nodes; [] if it shows nothing."""
        world = self._get_isolated_world()
        if world is None:
            return []
        roots = [{"objectId": root} for root in self._iter_closed_shadow_roots(world)]
        found: list[dict[str, Any]] = orjson.loads(self._call_in_isolated_world(world, LOOK, roots))
        return found

    def read_drawn_nodes(self, number: int, indexes: list[int], parts: list[tuple[int, str, int]]) -> dict[str, Any]:
        """Return the boxes and computed styles of elements and pseudo-elements of a shown document.

        `number`: the document's; `indexes`: the elements' in the list of its nodes; `parts`: for each pseudo-element
        its element's index, its name, and the number of its recorded style.
        """
        found: dict[str, Any] = orjson.loads(self.call_in_frame(SEE, [number, indexes, parts, list(STYLE)]))
        return found

    def call_in_frame(self, function: str, arguments: Sequence[object]) -> str:
        """Return the result of a JavaScript function, called in the frame that shows the page.

        :raises PageNotShownError: the page is gone.
        """
        world = self._get_isolated_world()
        if world is None:
            raise PageNotShownError("the page is gone")
        return self._call_in_isolated_world(world, function, [{"value": argument} for argument in arguments])

    def take_screenshot(self) -> bytes:
        """Return a screenshot of the frame that shows the page, as PNG."""
        box = self._page.evaluate(BOX)
        seen: bytes = self._page.screenshot(clip=box, animations="allow", caret="initial")
        return seen

    def sanitize_input_value(self, attributes: dict[str, str], value: str) -> str:
        """Return the value that an `<input>` with these attributes has after `value` was set, because its type may
        change or refuse a value.
        """
        fitted: list[str] = self._page.evaluate(FIT, [[attributes, value]])
        return fitted[0]

    def _get_isolated_world(self) -> int | None:
        """Return the id of an isolated world in the frame that shows the page; None if there is no frame.

        The world is created once for each frame.
        """
        frame = self._session.send("Runtime.evaluate", {"expression": "window.pagereel.frame"})["result"]
        if "objectId" not in frame:
            return None
        node = self._session.send("DOM.describeNode", {"objectId": frame["objectId"]})["node"]
        given = {"frameId": node["frameId"], "worldName": "pagereel-verify"}
        world: int = self._session.send("Page.createIsolatedWorld", given)["executionContextId"]
        return world

    def _call_in_isolated_world(self, world: int, function: str, arguments: list[dict[str, Any]]) -> str:
        result = self._session.send(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": function,
                "executionContextId": world,
                "arguments": arguments,
                "returnByValue": True,
            },
        )
        if "exceptionDetails" in result:
            raise BuildError(
                f"The replay's frame cannot be read: {result['exceptionDetails']['exception'].get('description')}"
            )
        value: str = result["result"]["value"]
        return value

    def _iter_closed_shadow_roots(self, world: int) -> Iterator[str]:
        stack = [self._session.send("DOM.getDocument", {"depth": DEPTH, "pierce": True})["root"]]
        while stack:
            node = stack.pop()
            if node.get("childNodeCount") and "children" not in node:
                given = {"backendNodeId": node["backendNodeId"], "depth": DEPTH, "pierce": True}
                node = self._session.send("DOM.describeNode", given)["node"]
            if node.get("shadowRootType") == "closed":
                given = {"backendNodeId": node["backendNodeId"], "executionContextId": world}
                yield self._session.send("DOM.resolveNode", given)["object"]["objectId"]
            for name in ("children", "shadowRoots"):
                stack += node.get(name, ())
            stack += [node[name] for name in ("contentDocument", "templateContent") if name in node]
        self._session.send("DOM.disable")
