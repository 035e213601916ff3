"""A grammar of hostile recordings: what a reel can say that should run, load, navigate or cover something."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from pagereel.reel import Json

FIRE = "(top.fired=top.fired||[]).push(1);console.log('CANARY')"
"""What every script of the grammar does; the tests look for it in all windows."""

AWAY = "https://evil.example/"


def _words(text: str) -> list[str]:
    return text.split()


HTML = _words(
    "a area audio base body button canvas details dialog embed fencedframe form frame frameset geolocation head html iframe img "
    "input link map marquee math meta noscript object option p param picture portal script select slot source style svg table "
    "td template textarea title track video x-y xmp plaintext isindex keygen applet bgsound base-x font"
)
SVG = _words(
    "a animate animateMotion animateTransform discard feImage filter foreignObject g handler image listener script set style svg "
    "symbol text textPath use view x:animate"
)
TAGS = [*HTML, *(f"svg|{name}" for name in SVG), "math|math", "math|mi", "math|annotation-xml", "html|SCRIPT", "html|iframe",
        "http://www.w3.org/1999/xhtml|script", "http://www.w3.org/2000/svg|script", "urn:x|script", "IMG", "ScRiPt"]  # fmt: skip
HANDLERS = _words(
    "onload onerror onclick onfocus onbegin ontoggle onanimationstart ONLOAD onpageshow onx on onfocusin onscrollend"
)
ADDRESSES = _words(
    "src href xlink:href action formaction data srcset poster background ping manifest codebase code classid cite longdesc "
    "imagesrcset lowsrc dynsrc profile usemap icon attributionsrc xml:base x:href SRC HREF archive from to by values content"
)
OTHER = _words(
    "style srcdoc http-equiv rel target sandbox allow autofocus autoplay attributeName type name id class is slot part form "
    "shadowrootmode nonce integrity popover popovertarget command commandfor tabindex contenteditable accesskey loading as "
    "data-pagereel-was-src data-pagereel-hover data-x @click =x fill filter mask clip-path cursor begin dur repeatCount fetchpriority"
)
SCHEMES = ["javascript:", "JaVa\tScRiPt:", "\x01javascript:", " javascript:", "vbscript:", "data:text/html,", "data:image/svg+xml,", "blob:", "view-source:",
           "data:text/html;base64,", "file:///etc/", AWAY, "//evil.example/", "\\\\evil.example\\", "ws://evil.example/", "pagereel:0", "#", ""]  # fmt: skip

scripts = st.sampled_from(
    [
        FIRE,
        f"<script>{FIRE}</script>",
        f"<img src=x onerror={FIRE}>",
        f"<svg onload={FIRE}>",
        f'"><script>{FIRE}</script>',
        "]]>",
        "-->",
    ]
)
addresses = st.builds(
    lambda scheme, rest: scheme + rest,
    st.sampled_from(SCHEMES),
    st.one_of(scripts, st.sampled_from(["x", "x.css", "x.png 1x, y.png 2x", "*/x"])),
)
css = st.builds(
    lambda form, address: form.replace("U", address.replace(";", "%3b")),
    st.sampled_from(
        ["background:url(U)", "background:url('U')", "background:u\\72l(U)", "background:image-set('U' 1x)", "background:-webkit-image-set(url(U) 1x)",
         "list-style:url(\"U\")", "cursor:url(U),auto", "--x:url(U);background:var(--x)", "content:url(U)", "mask:url(U#m)", "filter:url(U#f)",
         "background:src('U')", "border-image:url(U) 1", "position:fixed;inset:-9999px;z-index:2147483647", "src:url(U)", "behavior:url(U)",
         "-moz-binding:url(U)", "background:cross-fade(url(U),url(U))", "background:/*x*/url(/*U*/U)", "shape-outside:url(U)", "offset-path:url(U#p)"]
    ),
    addresses,
)  # fmt: skip
sheets = st.builds(
    lambda form, style, address: form.replace("S", style).replace("U", address),
    st.sampled_from(
        ["*{S}", "@import 'U';", "@import url(U) layer(x);", "@im\\70ort 'U';", "@font-face{font-family:e;src:url(U)}*{font-family:e}", "@namespace url(U);",
         "@media all{*{S}}", "*{color:red}@import 'U';", "<!-- @import 'U'; -->", "@charset 'U';@import 'U';", "a:hover{S}", "@keyframes k{to{S}}*{animation:k 1s}",
         "@property --p{syntax:'<url>';inherits:true;initial-value:url(U)}", "{}{}}}@import 'U';", "@scope (p){img{S}}", "@view-transition{navigation:auto}"]
    ),
    css,
    addresses,
)  # fmt: skip
values = st.one_of(
    addresses,
    css,
    scripts,
    st.sampled_from(
        ["", "0;url=" + AWAY, "refresh", "stylesheet", "href", "onclick", "_top", "allow-scripts", "import", "preload"]
    ),
)
names = st.one_of(
    st.sampled_from(HANDLERS),
    st.sampled_from(ADDRESSES),
    st.sampled_from(OTHER),
    st.text("onlickhrefsa:-=@\"' <>/\0é", min_size=1, max_size=9),
)
attributes = st.dictionaries(names, values, min_size=1, max_size=6)


def _element(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    element = st.builds(
        lambda tag, given, below: [tag, given, *below],
        st.sampled_from(TAGS),
        attributes,
        st.lists(children, max_size=3),
    )
    style = st.builds(
        lambda tag, text: [tag, {}, text],
        st.sampled_from(["style", "svg|style", "http://www.w3.org/1999/xhtml|style"]),
        sheets,
    )
    shadow = st.builds(
        lambda mode, below: ["div", {}, ["#shadow", {"mode": mode}, *below]],
        st.sampled_from(["open", "closed"]),
        st.lists(children, max_size=2),
    )
    content = st.builds(lambda below: ["template", {}, ["#content", {}, *below]], st.lists(children, max_size=2))
    return st.one_of(*[element] * 6, style, style, shadow, content)


_leaf = st.builds(lambda tag, given: [tag, given], st.sampled_from(TAGS), attributes)
trees: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        *[_leaf] * 6,
        scripts,
        st.builds(lambda target, data: ["#pi", target, data], st.sampled_from(["xml-stylesheet", "php"]), values),
        st.builds(lambda data: ["#comment", data], scripts),
        st.builds(lambda data: ["#cdata", data], sheets),
    ),
    _element,
    max_leaves=6,
)

FIRST = 100
"""The first id that an attack may use; documents of the tests stay below."""

ids = st.one_of(
    st.builds(lambda tree, node: FIRST + 100 * tree + node, st.integers(0, 8), st.integers(0, 4)), st.integers(1, 5)
)
ops: st.SearchStrategy[Any] = st.one_of(
    st.builds(lambda node, given: ["attr", node, given], ids, attributes),
    st.builds(lambda node, given: ["attr", node, given], ids, attributes),
    st.builds(lambda node, given: ["shown", node, given], ids, attributes),
    st.builds(lambda node, text: ["text", node, text], ids, st.one_of(sheets, scripts)),
    st.builds(lambda node, text: ["css", node, text], ids, sheets),
    st.builds(lambda number, owner, text: ["sheet", number, owner, text, {"css": text, "media": text[:9]}], st.integers(1, 3), ids, sheets),
    st.builds(lambda root, number: ["adopt", root, [number]], ids, st.integers(1, 3)),
    st.builds(lambda node, address: ["src", node, address], ids, addresses),
    st.builds(lambda node, address: ["canvas", node, address, 9, 9], ids, addresses),
    st.builds(lambda node, how: ["open", node, how], ids, st.sampled_from(["modal", "popover", "fullscreen"])),
    st.builds(lambda node: ["focus", node], ids),
    st.builds(lambda node, style: ["exact", node, style], ids, css),
    st.builds(lambda node, text: ["bubble", node, 0, text, text], ids, scripts),
    st.builds(lambda *nodes: ["pointed", *nodes], ids, ids, ids),
    st.builds(lambda node, anchor: ["scroll", node, 0, 9, anchor, 3], ids, ids),
    st.builds(lambda node, text: ["value", node, text], ids, values),
    st.builds(lambda node, parts: ["typed", node, parts], ids, st.lists(scripts, max_size=3)),
    st.builds(lambda node, names: ["states", node, names], ids, st.lists(scripts, max_size=2)),
    st.builds(
        lambda node, style, address: ["anim", node, 1, {"type": "script", "time": 0, "rate": 1, "running": True, "timing": {"duration": 9},
                                                      "keyframes": [{"backgroundImage": f"url({address})"}, {"cssText": style, "background": style}]}],
        ids, css, addresses,
    ),
    st.builds(lambda node, what, number: ["drawing", node, {what: number, "href": "javascript:0"}], ids, st.sampled_from(["time", "begin", "end", "scale"]), st.one_of(st.floats(), scripts)),
    st.builds(lambda node, text, name: ["cues", node, [[0, 9, text, {name: text, "region": {}}], [text]]], ids, scripts, st.sampled_from(["line", "align", "text", "__proto__"])),
    st.builds(lambda name, start, end, offset: ["highlight", name, offset, [start, offset, end, 9, 1, 2]], scripts, ids, ids, st.integers()),
    st.builds(lambda node, *nodes: ["assign", node, nodes], ids, ids, ids),
    st.builds(lambda node, address: ["media", node, {"paused": False, "time": 0, "rate": 1, "volume": 1, "muted": False, "src": address}], ids, addresses),
)  # fmt: skip
attacks: st.SearchStrategy[tuple[list[Any], list[list[Json]]]] = st.tuples(
    st.lists(trees, min_size=1, max_size=6), st.lists(ops, max_size=12)
)
"""Trees of a page's body, and what happens to it afterwards."""
