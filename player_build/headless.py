"""A built file in a headless Chromium, and what its frame really shows: node for node, through the debugger."""

from __future__ import annotations

import struct
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from ..errors import BuildError

PATIENCE: Final = 30_000
"""ms that the player may take to open, and to seek once."""

# Called in an isolated world of the frame that shows the page. Gives its documents, the page's first: `nodes` in pre-order, `frames` with the
# number of the document in each of its frame elements. A node is [depth, kind, name, attributes, data], kinds as the page model numbers them.
LOOK: Final = r"""(...closed) => {
  const HTML = 'http://www.w3.org/1999/xhtml';
  const SHORT = {[HTML]: '', 'http://www.w3.org/2000/svg': 'svg|', 'http://www.w3.org/1998/Math/MathML': 'math|'};
  const get = (type, name) => { const {get} = Object.getOwnPropertyDescriptor(type.prototype, name); return (node) => get.call(node); };
  const [typeOf, childrenOf] = [get(Node, 'nodeType'), get(Node, 'childNodes')];
  const [nameOf, namespaceOf, attributesOf, rootOf] = ['localName', 'namespaceURI', 'attributes', 'shadowRoot'].map((name) => get(Element, name));
  const hidden = new Map(closed.map((root) => [root.host, root]));
  const documents = [];
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
    const stack = [[start, 0]];
    while (stack.length) {
      const [node, depth] = stack.pop();
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

# What a control makes of a value that its type does not allow (a masked number, for one).
FIT: Final = r"""(controls) => controls.map(([attributes, value]) => {
  const input = document.implementation.createHTMLDocument('').createElement('input');
  for (const name of ['type', 'min', 'max', 'step', 'multiple']) if (name in attributes) input.setAttribute(name, attributes[name]);
  input.value = value;
  return input.value;
})"""

# The share of pixels in which two pictures differ by more than an eye would see, at the size of the first.
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


class Player:
    """A built file, opened in a headless Chromium that may go nowhere else."""

    def __init__(self, page: Any, close: Callable[[], None]) -> None:
        self._page = page
        self._session = page.context.new_cdp_session(page)
        self._close = close
        self._shown = 0
        self._judge: Any = None

    @classmethod
    def open(cls, path: Path, launch: Mapping[str, Any]) -> Player:
        from playwright.sync_api import Error, sync_playwright

        playwright = sync_playwright().start()
        try:
            browser = playwright.chromium.launch(**launch)
        except BaseException:
            playwright.stop()
            raise
        try:
            context = browser.new_context(offline=True)
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            page.goto(f"{path.absolute().as_uri()}#bare")
            page.evaluate(
                """async () => {
                  for (let i = 0; i < 600 && !(window.pagereel?.ready instanceof Promise); i++)
                    await new Promise((resolve) => setTimeout(resolve, 50));
                  await window.pagereel.ready;
                }"""
            )
            return cls(page, playwright.stop)
        except BaseException as error:
            playwright.stop()
            if isinstance(error, Error):
                raise BuildError(f"{path} does not open as a replay ({error.message.splitlines()[0]}).") from None
            raise

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def show(self, page: int) -> None:
        """Has the player show this page."""
        if page != self._shown:
            self._page.evaluate("(page) => window.pagereel.show(page)", page)
            self._shown = page

    def documents(self, page: int, t: float) -> list[dict[str, Any]]:
        """What the frame shows of `page` at `t` ms; empty when it shows nothing."""
        self.show(page)
        self._page.evaluate("(t) => window.pagereel.seek(t)", t)
        frame = self._session.send("Runtime.evaluate", {"expression": "window.pagereel.frame"})["result"]
        if "objectId" not in frame:
            return []
        node = self._session.send("DOM.describeNode", {"objectId": frame["objectId"]})["node"]
        world = self._session.send(
            "Page.createIsolatedWorld", {"frameId": node["frameId"], "worldName": "pagereel-verify"}
        )["executionContextId"]
        result = self._session.send(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": LOOK,
                "executionContextId": world,
                "arguments": [{"objectId": root} for root in self._closed_roots(world)],
                "returnByValue": True,
            },
        )
        if "exceptionDetails" in result:
            raise BuildError(
                f"The replay's frame cannot be read: {result['exceptionDetails']['exception'].get('description')}"
            )
        found: list[dict[str, Any]] = orjson.loads(result["result"]["value"])
        return found

    def differing(self, page: int, t: float, picture: bytes) -> float:
        """The share of pixels, 0 to 1, in which `page` at `t` ms differs from `picture` (PNG) of the live one."""
        width, height = struct.unpack(">II", picture[16:24])
        self.show(page)
        self._page.set_viewport_size({"width": width, "height": height})
        self._page.evaluate("(t) => window.pagereel.seek(t)", t)
        box = self._page.evaluate(
            "() => { const {x, y, width, height} = window.pagereel.frame.getBoundingClientRect(); return {x, y, width, height}; }"
        )
        seen = self._page.screenshot(clip=box, animations="allow", caret="initial")
        if self._judge is None:
            self._judge = self._page.context.new_page()
        share: float = self._judge.evaluate(DIFFERING, [b64encode(each).decode() for each in (seen, picture)])
        return share

    def fit(self, attributes: dict[str, str], value: str) -> str:
        """What an input with these attributes makes of a value."""
        fitted: list[str] = self._page.evaluate(FIT, [[attributes, value]])
        return fitted[0]

    def _closed_roots(self, world: int) -> Iterator[str]:
        root = self._session.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]
        stack = [root]
        while stack:
            node = stack.pop()
            if node.get("shadowRootType") == "closed":
                given = {"backendNodeId": node["backendNodeId"], "executionContextId": world}
                yield self._session.send("DOM.resolveNode", given)["object"]["objectId"]
            for name in ("children", "shadowRoots"):
                stack += node.get(name, ())
            stack += [node[name] for name in ("contentDocument", "templateContent") if name in node]
        self._session.send("DOM.disable")
