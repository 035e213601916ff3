"""Applications from npm, each made by a page of ours below pages/ with the package's own files, as a site makes it."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping

from ..application import (
    Act,
    Application,
    at,
    button,
    click,
    drag,
    fill,
    hover,
    keys,
    pause,
    ready,
    script,
    text,
    then,
    wheel,
    write,
)
from . import serve


def _page(
    name: str, kind: str, framework: str, packages: tuple[str, ...], acts: Mapping[str, Act], settle: int = 300
) -> Application:
    """Return an application of the page `pages/<name>.html`."""
    site = functools.partial(serve.page, name, *packages)
    return Application(name, kind, framework, f"npm {packages[0]}", site, "/", acts, ready, settle)


def _bundle(
    name: str,
    kind: str,
    framework: str,
    direction: tuple[str, str],
    packages: tuple[str, ...],
    acts: Mapping[str, Act],
    settle: int,
) -> Application:
    """Return an application of the module `pages/<name>.jsx`, which is bundled."""
    site = functools.partial(serve.bundled, name, *direction, *packages)
    return Application(name, kind, framework, f"npm {packages[0]}", site, "/", acts, ready, settle)


def applications() -> Iterator[Application]:
    yield _page("maplibre", "map", "WebGL, vector layers and tiles", ("maplibre-gl@6.17.0",), {
        "panned": drag(500, 400, 300, 300),
        "zoomed": then(click(".maplibregl-ctrl-zoom-in"), pause(1200)),
        "wheel": then(wheel(400, 300, -300), pause(1200)),
        "popup": then(script("map.jumpTo({center: [20, 40], zoom: 2})"), pause(600), at(500, 350)),
        "closed": click(".maplibregl-popup-close-button"),
        "turned": script("map.jumpTo({bearing: 40, pitch: 50})"),
        "compass": then(click(".maplibregl-ctrl-compass"), pause(1200)),
        "painted": script("map.setPaintProperty('lands', 'fill-color', '#b55')"),
        "layer": script("map.setLayoutProperty('tiles', 'visibility', 'none')"),
        "keys": then(click("canvas"), keys("ArrowRight", "ArrowRight"), pause(1200)),
    }, settle=700)  # fmt: skip
    yield _page("openlayers", "map", "canvas", ("ol@10.10.0",), {
        "panned": then(drag(500, 400, 300, 300), pause(700)),
        "zoomed": then(click(".ol-zoom-in"), pause(700)),
        "wheel": then(wheel(400, 300, -200), pause(700)),
        "out": then(click(".ol-zoom-out", click_count=2), pause(900)),
        "popup": then(script("map.getView().setCenter(map.getLayers().item(2).getSource().getFeatures()[3].getGeometry().getCoordinates())"), pause(500), at(500, 350), pause(500)),
        "overview": then(click(".ol-overviewmap button"), pause(500)),
        "heat": script("setHeat()"),
        "turned": script("map.getView().setRotation(0.6)"),
        "drawing": then(script("draw()"), at(300, 200), at(500, 220), at(420, 400)),
        "drawn": then(at(300, 200), pause(400)),
    }, settle=700)  # fmt: skip
    yield _page("babylon", "3D scene", "WebGL2, drawn on demand", ("babylonjs@9.31.0",), {
        "turn": button("turn"), "near": button("near"), "wire": button("wire"), "dragged": then(drag(400, 300, 520, 330), pause(900)),
        "torus": button("torus"), "wheel": then(wheel(400, 300, 200), pause(900)), "night": button("night"), "solid": button("wire"),
        "hide": button("hide"), "again": button("turn"),
    }, settle=600)  # fmt: skip
    yield _page("plotly", "charts, 3D", "D3, SVG and WebGL", ("plotly.js-dist-min@4.1.2",), {
        "turned": drag(500, 300, 600, 340), "hovered": then(lambda page: page.mouse.move(480, 330), pause(300)), "wheel": wheel(500, 300, -200),
        "bar": hover(".modebar-btn"), "reset": click("[data-attr=resetDefault], [data-title*=Reset]"), "heat": click("#heat"),
        "box": drag(300, 200, 600, 400), "dots": click("#dots"), "lasso": then(hover("#plot"), click("[data-val=lasso]"), drag(350, 200, 600, 420)), "pie": click("#map"),
    }, settle=700)  # fmt: skip
    yield _page("handsontable", "spreadsheet", "virtual rows, tables over tables", ("handsontable@18.1.1",), {
        "cell": click(".ht_master td", 20), "typed": write("1234"), "entered": keys("Enter"), "range": then(keys("Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowRight")),
        "scrolled": wheel(400, 300, 2500), "across": then(script("table.scrollViewportTo({row: 100, col: 15})"), pause(200)),
        "menu": then(script("table.scrollViewportTo({row: 0, col: 0})"), click(".ht_master td", 6, button="right")), "gone": keys("Escape"),
        "list": then(lambda page: page.locator(".ht_master td").nth(1).dblclick(), pause(300)),
        "sorted": then(keys("Escape"), click(".ht_clone_top .columnSorting", 2)),
    })  # fmt: skip
    yield _page("jspreadsheet", "spreadsheet", "plain DOM", ("jspreadsheet-ce@5.0.4", "jsuites@5.13.5", "@jspreadsheet/formula@2.0.2"), {
        "cell": click("td[data-x='1'][data-y='3']"), "typed": write("42"), "entered": keys("Enter"), "formula": then(keys("ArrowRight", "ArrowRight"), write("=SUM(B1:B5)"), keys("Enter")),
        "checked": click("td[data-x='2'][data-y='5'] input"), "range": drag(200, 200, 420, 330), "colour": lambda page: page.locator("td[data-x='4'][data-y='2']").dblclick(),
        "menu": then(keys("Escape"), click("td[data-x='0'][data-y='4']", button="right")), "page": then(keys("Escape"), click(".jss_page", 1)), "found": fill(".jss_search", "pot 3"),
    })  # fmt: skip
    yield _page("bpmn", "diagram", "SVG, diagram-js", ("bpmn-js@18.31.1",), {
        "selected": click("[data-element-id=throw]"), "moved": drag(330, 190, 340, 320), "renamed": then(lambda page: page.mouse.dblclick(605, 190), write("Fire twice")),
        "entered": then(at(500, 550), pause(200)), "menu": then(click("[data-element-id=fire]"), click(".djs-context-pad .entry[data-action=replace]")), "changed": click(".djs-popup .entry", 1),
        "added": then(click(".djs-context-pad .entry[data-action='append.append-task']"), pause(300)), "undone": keys("Control+z"),
        "hand": then(click(".djs-palette .entry[data-action=hand-tool]"), drag(500, 450, 450, 480)), "zoomed": then(keys("Escape"), script("modeler.get('canvas').zoom(0.6)")),
    })  # fmt: skip
    yield _page("plyr", "video player", "HTML video", ("plyr@3.8.4",), {
        "played": then(click(".plyr__controls [data-plyr=play]"), pause(700)), "paused": click(".plyr__controls [data-plyr=play]"), "sought": script("player.currentTime = 1.2"),
        "captions": click("[data-plyr=captions]"), "settings": click("[data-plyr=settings]"), "speeds": click(".plyr__menu__container [role=menuitem]:visible", 1),
        "faster": click("[data-plyr=speed]", 5), "loud": click("[data-plyr=mute]"), "volume": script("player.volume = 0.3"), "start": then(keys("Escape"), script("player.currentTime = 0")),
    }, settle=600)  # fmt: skip
    yield _page("xterm", "terminal", "DOM renderer", ("@xterm/xterm@6.0.0",), {
        "typed": write("ls"), "entered": keys("Enter"), "colours": then(write("colours"), keys("Enter")), "unknown": then(write("rm"), keys("Enter")), "long": then(write("seq"), keys("Enter")),
        "scrolled": wheel(300, 300, -600), "selected": drag(60, 60, 300, 160), "box": then(write("box"), keys("Enter")), "screen": then(write("top"), keys("Enter")), "deleted": then(write("xyz"), keys("Backspace")),
    })  # fmt: skip
    yield _page("tinymce", "editor", "contenteditable in a frame", ("tinymce@8.9.2",), {
        "typed": then(lambda page: page.frame_locator("iframe").locator("p").click(), keys("End"), write(" Then it cooled.")), "selected": keys("Shift+Home"), "bold": click("[data-mce-name=bold]"),
        "heading": then(click("[data-mce-name=blocks]"), pause(300)), "chosen": text("Heading 3"), "table": then(click("[data-mce-name=table]"), hover(".tox-menu .tox-collection__item"), pause(500)),
        "menu": then(keys("Escape", "Escape"), click(".tox-mbtn", 1)), "dialog": then(keys("Escape"), click("[data-mce-name=link]")), "filled": fill(".tox-dialog input", "https://kiln.example/"),
        "saved": click(".tox-dialog__footer .tox-button", 1),
    }, settle=500)  # fmt: skip
    yield _page("ckeditor", "editor", "contenteditable, CKEditor's own views", ("ckeditor5@48.5.2",), {
        "typed": then(click(".ck-editor__editable p"), keys("End"), write(" Then it cooled.")), "selected": keys("Shift+Home"), "bold": button("Bold"), "heading": then(click(".ck-heading-dropdown button"), pause(200)),
        "chosen": click(".ck-heading-dropdown .ck-list__item button", 2), "list": then(keys("End"), button("Bulleted List")), "table": then(button("Insert table"), hover(".ck-insert-table-dropdown-grid-box", 22)),
        "placed": click(".ck-insert-table-dropdown-grid-box", 22), "cells": then(write("ash"), keys("Tab"), write("bone")), "undone": then(button("Undo"), button("Undo")),
    }, settle=500)  # fmt: skip
    yield _page("ace", "editor", "virtual lines", ("ace-builds@1.45.2",), {
        "typed": then(click(".ace_content"), keys("Control+Home"), write("let x = 1;")), "selected": keys("Shift+ArrowDown", "Shift+ArrowDown"), "scrolled": then(wheel(500, 300, 3000), pause(300)), "jumped": script("editor.gotoLine(200, 4)"),
        "folded": script("editor.getSession().foldAll()"), "open": script("editor.getSession().unfold()"), "search": then(keys("Control+f"), pause(300), write("glaze")), "themed": script("editor.setTheme('ace/theme/chrome')"),
        "completion": then(keys("Escape"), script("editor.gotoLine(1, 0); editor.focus()"), write("po"), keys("Control+Space"), pause(400)), "chosen": keys("ArrowDown", "Enter"),
    })  # fmt: skip
    yield _page("calendar", "calendar", "Preact, TOAST UI", ("@toast-ui/calendar@2.1.3", "tui-date-picker@4.3.3", "tui-time-picker@2.1.6"), {
        "next": click("#next"), "back": click("#prev"), "event": click("[data-testid^='time-event'], .toastui-calendar-weekday-event", 1), "closed": then(at(980, 20), pause(200)), "week": click("#week"),
        "scrolled": wheel(500, 500, 400), "form": drag(400, 350, 400, 400), "titled": fill(".toastui-calendar-popup-section-title input, input[name=title]", "Glazing"), "saved": click(".toastui-calendar-popup-confirm"), "day": click("#day"),
    }, settle=500)  # fmt: skip
    yield _page("reveal", "slides", "reveal.js, 3D transforms", ("reveal.js@6.0.2",), {
        "fragment": keys("ArrowRight"), "second": keys("ArrowRight"), "slide": keys("ArrowRight"), "down": keys("ArrowDown"), "overview": keys("o"), "out": keys("o"), "animate": keys("ArrowRight"), "moved": keys("ArrowRight"),
        "quote": keys("ArrowRight"), "paused": keys("b"),
    }, settle=1500)  # fmt: skip
    yield _page("phaser", "game", "Phaser, WebGL, a loop that never stops", ("phaser@4.2.1",), {
        "left": keys("ArrowLeft"), "up": keys("ArrowUp"), "coin": keys("ArrowLeft", "ArrowUp", "ArrowUp"), "placed": at(200, 200), "zoomed": keys(" "), "moved": keys("ArrowRight", "ArrowRight"), "out": keys(" "),
        "more": keys("ArrowDown", "ArrowDown", "ArrowRight"), "another": at(600, 400), "end": keys("ArrowDown", "ArrowLeft"),
    }, settle=600)  # fmt: skip
    yield _page("elementplus", "admin, Chinese", "Vue 3, Element Plus", ("element-plus@2.14.8", "vue@3.5.45"), {
        "typed": fill("input", "客户1"), "city": then(click(".el-select"), pause(400)), "chosen": text("景德镇", exact=True, number=-1), "date": then(click(".el-date-editor input"), pause(400)), "day": click(".el-date-table td.available", 9),
        "sorted": click(".el-table .caret-wrapper"), "checked": click(".el-table__body .el-checkbox", 2), "dialog": then(button("新建订单"), pause(400)), "rated": then(click(".el-rate__item", 4), fill(".el-dialog textarea", "请尽快发货")), "saved": then(button("确定"), pause(500)),
    }, settle=600)  # fmt: skip
    yield _page("pdfjs", "PDF viewer", "canvas under a layer of text", ("pdfjs-dist@6.5.438",), {
        "next": click("#next"), "in": click("#in"), "scrolled": wheel(500, 400, 700), "found": then(fill("#words", "kiln"), pause(800)), "selected": drag(200, 200, 500, 260), "turned": click("#turn"),
        "wide": click("#wide"), "out": then(click("#out"), click("#out"), click("#out")), "spread": click("#spread"), "end": script("viewer.currentPageNumber = 4"),
    }, settle=1200)  # fmt: skip
    yield _page("jointjs", "diagram", "SVG, JointJS", ("@joint/core@4.3.3",), {
        "moved": drag(140, 160, 180, 480), "tools": at(460, 120), "grown": click("#grow"), "routed": click("#route"), "link": lambda page: page.mouse.move(600, 200), "added": click("#add"), "lit": click("#light"),
        "removed": click("[data-tool-name=remove]"),
            "zoomed": click("#zoom"), "bent": drag(330, 170, 360, 330),
    })  # fmt: skip
    yield _page("grapesjs", "page builder", "contenteditable in a frame that is moved and measured", ("grapesjs@0.23.6",), {
        "selected": lambda page: page.frame_locator(".gjs-frame").locator("h1").click(), "styled": script("void editor.getSelected().addStyle({color: '#a30', 'letter-spacing': '3px'})"),
        "written": then(lambda page: page.frame_locator(".gjs-frame").locator("p").dblclick(), pause(200), write("Twice ")), "phone": script("void editor.setDevice('Mobile portrait')"),
        "wide": script("void editor.setDevice('Desktop')"), "block": script("void editor.addComponents(editor.Blocks.get('quote').getContent())"), "layers": script("void editor.Panels.getButton('views', 'open-layers').set('active', 1)"),
        "outlined": script("void editor.runCommand('core:component-outline')"), "code": script("void editor.runCommand('export-template')"), "closed": then(script("void editor.Modal.close()"), script("void editor.UndoManager.undo()")),
    }, settle=600)  # fmt: skip
    yield _page("cytoscape", "network", "three canvases, Cytoscape.js", ("cytoscape@3.34.4",), {
        "selected": script("void cy.$('#kiln').select()"), "circle": then(button("circle"), pause(500)), "dragged": drag(500, 120, 640, 180), "tree": then(button("tree"), pause(500)), "wheel": wheel(500, 300, -200),
        "panned": drag(900, 500, 800, 560), "grow": button("grow"), "fit": button("fit"), "box": then(lambda page: page.keyboard.down("Shift"), drag(60, 80, 500, 400), lambda page: page.keyboard.up("Shift")), "picture": button("picture"),
    }, settle=500)  # fmt: skip
    yield _page("tabulator", "table", "virtual rows, Tabulator", ("tabulator-tables@6.5.3",), {
        "sorted": click(".tabulator-col[tabulator-field=price] .tabulator-col-title"), "scrolled": wheel(400, 350, 3000), "edited": then(click(".tabulator-row .tabulator-cell[tabulator-field=name]", 8), write("!"), keys("Enter")),
        "list": click(".tabulator-row .tabulator-cell[tabulator-field=kind]", 9), "chosen": keys("ArrowDown", "Enter"), "grouped": button("group"), "filtered": button("filter"), "wide": button("wide"),
        "head": then(fill(".tabulator-header-filter input", "7"), pause(500)), "note": button("note"),
    }, settle=500)  # fmt: skip
    yield _page("konva", "drawing", "two canvases, Konva", ("konva@10.9.1",), {
        "picked": at(200, 225), "dragged": drag(200, 225, 300, 330), "spun": then(button("spin"), pause(500)), "sized": then(at(480, 185), drag(570, 355, 640, 420)), "blurred": button("blur"),
        "hidden": button("hide"), "clipped": button("clip"), "editing": lambda page: page.mouse.dblclick(700, 420), "written": then(keys("Control+a"), write("Glazed"), keys("Enter")), "zoomed": button("zoom"),
    }, settle=500)  # fmt: skip
    yield _page("swiper", "carousels, lightbox", "web component with 3D transforms, blob: pictures", ("swiper@14.4.0", "photoswipe@5.4.4"), {
        "next": then(script("void element.swiper.slideNext(0)"), pause(200)), "dragged": then(drag(600, 130, 250, 130), pause(900)), "cards": then(drag(700, 350, 300, 350), pause(1200)), "keyed": then(keys("ArrowRight"), pause(600)),
        "opened": then(click("#gallery a", 2), pause(900)), "turned": then(keys("ArrowRight"), pause(900)), "zoomed": then(at(500, 350), pause(900)), "moved": then(drag(500, 350, 420, 300), pause(900)),
        "closed": then(keys("Escape"), pause(900)), "last": then(script("void element.swiper.slideTo(5, 0)"), pause(300)),
    }, settle=500)  # fmt: skip
    yield _page("gridstack", "dashboard", "plain DOM, gridstack", ("gridstack@14.1.0",), {
        "moved": then(drag(200, 70, 200, 420), pause(400)), "sized": then(hover(".grid-stack-item", 1), drag(843, 318, 843, 460), pause(400)), "added": then(button("add"), pause(400)), "floating": button("float"),
        "far": then(drag(1100, 70, 300, 620), pause(400)), "narrow": then(button("narrow"), pause(500)), "dropped": then(button("drop"), pause(400)), "saved": button("save"),
        "scrolled": wheel(400, 400, 500), "full": script("grid.batchUpdate(); grid.column(12); void grid.batchUpdate(false)"),
    }, settle=400)  # fmt: skip
    yield _page("editorjs", "editor", "blocks that are contenteditable each, Editor.js", ("@editorjs/editorjs@2.31.7", "@editorjs/header@2.8.9", "@editorjs/list@2.0.9"), {
        "written": then(click(".ce-paragraph"), keys("End"), write(" The second was right.")), "new": then(keys("Enter"), write("Glaze list")), "picked": lambda page: page.keyboard.press("Shift+Home"), "bold": keys("Control+b"),
        "menu": then(keys("ArrowRight", "Enter"), write("/")), "header": then(keys("ArrowDown", "Enter"), pause(200), write("Next")), "settings": then(click(".ce-header"), hover(".ce-header"), pause(200), click(".ce-toolbar__settings-btn"), pause(300)), "moved": click("[data-item-name=move-down]"),
        "saved": then(keys("Escape"), button("save"), pause(300)), "emptied": then(click(".ce-header"), keys("Control+a", "Delete")),
    }, settle=500)  # fmt: skip
    yield _page("lottie", "animations", "SVG and canvas by Lottie, styles by GSAP", ("lottie-web@5.13.0", "gsap@3.15.0"), {
        "half": then(button("half"), pause(900)), "end": then(button("end"), pause(200)), "back": then(button("back"), pause(1200)), "flip": then(button("flip"), pause(600)), "again": then(button("half"), pause(900)),
        "part": script("void line.pause(0.25)"), "early": script("void line.pause(0.05)"), "flipped": then(button("flip"), pause(600)), "ended": button("end"), "stop": then(button("stop"), pause(300)),
    }, settle=500)  # fmt: skip
    yield _page("wavesurfer", "sound", "canvases in a shadow root, <audio>", ("wavesurfer.js@8.0.1",), {
        "sought": at(400, 110), "near": button("near"), "scrolled": script("void wave.setScroll(500)"), "bars": button("bars"), "tall": button("tall"),
        "region": script("void regions.addRegion({ start: 1, end: 2, content: 'hot', color: 'rgba(200, 80, 40, 0.3)' })"), "played": then(button("play"), pause(500), button("play")), "far": script("void wave.zoom(50)"),
        "start": script("void wave.setTime(0)"), "end": script("void wave.setTime(3.9)"),
    }, settle=700)  # fmt: skip
    yield _page("cropper", "form helpers", "web components by Cropper.js, flatpickr, Choices, a tour by Driver.js", ("cropperjs@2.2.0", "flatpickr@4.6.13", "choices.js@11.2.4", "driver.js@1.8.0"), {
        "turn": then(button("turn"), pause(300)), "moved": drag(300, 200, 380, 240), "cut": then(button("cut"), pause(400)), "wheel": wheel(300, 200, -300), "day": click("#day"),
        "month": click(".flatpickr-next-month"), "chosen": click(".flatpickr-day:not(.prevMonthDay)", 9), "list": click(".choices"), "two": then(keys("ArrowDown", "Enter"), pause(200), keys("ArrowDown", "Enter")),
        "tour": then(keys("Escape"), button("tour"), pause(300)),
    }, settle=500)  # fmt: skip
    yield _page("pixi", "drawing, chart", "WebGL drawn when asked, PixiJS; canvas by uPlot", ("pixi.js@8.22.0", "uplot@1.6.32"), {
        "tint": button("tint"), "add": button("add"), "mask": button("mask"), "words": button("words"), "hovered": lambda page: page.mouse.move(400, 500), "log": button("log"),
        "legend": then(click(".u-series", 1), pause(200)), "shown": click(".u-series", 1), "feed": button("feed"), "zoomed": drag(300, 480, 500, 480),
    }, settle=600)  # fmt: skip
    yield _page("platform", "form helpers", "what browsers have of late", ("@floating-ui/dom@1.8.0",), {
        "tip": click("#anchor"), "chosen": then(keys("Escape"), click("select"), pause(300)), "cup": then(click("option", 2), pause(200)), "asked": then(button("ask"), pause(400)), "closed": then(at(5, 600), pause(300), fill("textarea", "a longer text in it")),
        "reel": then(wheel(100, 80, 0), script("document.querySelector('.reel').scrollTo({left: 220, behavior: 'instant'}); document.getElementById('driven').scrollTop = 120"), pause(500)), "details": then(text("clay"), pause(400), text("glaze"), pause(500)),
        "wide": script("document.getElementById('flow').style.width = '260px'"), "move": then(fill("iframe >> nth=0 >> internal:control=enter-frame >> input", "typed"), script("acts.move(); acts.worker()"), pause(300)), "transition": then(script("acts.transition()"), pause(700)),
        "typed": script("acts.typed(); acts.highlight()"), "found": then(script("acts.found()"), pause(300)),
    }, settle=400)  # fmt: skip
    yield _page("components", "form helpers", "web components with slots, popups and form parts, Shoelace (Lit)", ("@shoelace-style/shoelace@2.20.1",), {
        "dialog": then(click("#open"), pause(600)), "menu": then(keys("Escape"), pause(500), click("sl-dropdown sl-button"), pause(400), hover("sl-menu-item", 2), pause(400)), "select": then(keys("Escape"), click("sl-select"), pause(400), click("sl-option", 1)),
        "heat": then(keys("Escape"), pause(300), click("sl-range"), hover("sl-range")), "rated": then(click("sl-rating"), click("sl-switch"), pause(300)), "colour": then(click("sl-color-picker"), pause(500)), "tab": then(keys("Escape"), pause(300), click("sl-tab", 1), pause(300)),
        "tree": then(click("sl-tree-item"), keys("ArrowRight"), pause(400)), "split": then(script("document.querySelector('sl-split-panel').position = 70"), pause(200)), "slide": then(click(".carousel__navigation-button--next"), pause(900)),
        "more": then(click("sl-details"), pause(500)), "invalid": then(click("sl-button[type=submit]"), pause(300)), "drawer": then(script("void drawer()"), pause(600)), "toast": then(keys("Escape"), pause(500), script("void toast()"), pause(600)),
    }, settle=400)  # fmt: skip
    yield _page("fabric", "drawing, charts", "canvas by Fabric.js, SVG by ECharts, D3 and Mermaid, formulas by KaTeX", ("fabric@7.4.0", "echarts@6.1.0", "katex@0.19.1", "mermaid@12.3.0", "d3@7.9.2"), {
        "chosen": at(90, 80), "moved": drag(90, 80, 150, 150), "draw": then(button("draw"), drag(200, 200, 380, 60), pause(300)), "text": then(button("draw"), pause(100), lambda page: page.mouse.dblclick(330, 80), pause(300), write("wet ")),
        "tip": then(keys("Escape"), lambda page: page.mouse.move(600, 130), pause(500)), "series": then(button("series"), pause(1300)), "legend": then(at(620, 20), pause(800)), "math": button("math"), "graph": then(button("graph"), pause(600)), "zoomed": script("void canvas.setZoom(1.4)"),
    }, settle=500)  # fmt: skip
    yield _bundle("antd", "admin, Arabic", "React 19, Ant Design, right to left", ("ar", "rtl"), ("antd@6.6.8", "react@19.3.1", "react-dom@19.3.1"), {
        "typed": fill("#search", "إناء 7"), "city": then(click(".ant-select"), pause(400)), "chosen": click(".ant-select-item-option", 1), "day": then(click(".ant-picker"), pause(500)), "sorted": then(keys("Escape"), click("th.ant-table-column-has-sorters")),
        "filter": then(click(".ant-table-filter-trigger"), pause(400)), "page": then(keys("Escape"), click(".ant-pagination-item-3")), "checked": then(click("tbody .ant-checkbox-input", 1), click("tbody .ant-checkbox-input", 3)),
        "drawer": then(click("button.ant-btn-primary"), pause(700)), "modal": then(keys("Escape"), pause(500), click("button.ant-btn-dangerous"), pause(700)),
    }, settle=700)  # fmt: skip
    yield _bundle("excalidraw", "whiteboard", "React, two canvases", ("en", "ltr"), ("@excalidraw/excalidraw@0.18.1", "react@19.3.1", "react-dom@19.3.1"), {
        "selected": at(290, 160), "moved": drag(220, 152, 260, 400), "rectangle": then(keys("r"), drag(500, 400, 640, 500)), "coloured": click(".color-picker__button", 8), "freehand": then(keys("p"), drag(150, 550, 400, 600)),
        "text": then(keys("t"), at(600, 560), write("Ash glaze"), keys("Escape")), "menu": then(click("[data-testid=main-menu-trigger]"), pause(300)), "dark": click("[data-testid=toggle-dark-mode]"), "zoomed": then(keys("Escape"), click(".zoom-in-button")),
        "undone": keys("Control+z", "Control+z"),
    }, settle=700)  # fmt: skip
