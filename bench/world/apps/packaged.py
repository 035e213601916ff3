"""Applications from npm, each made by a page of ours below pages/ with the package's own files, as a site makes it."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping

from ..application import (
    Act,
    Application,
    click,
    click_at,
    click_button,
    click_text,
    do_in_order,
    drag,
    fill,
    hover,
    pause,
    press_keys,
    run_script,
    scroll_wheel,
    type_words,
    wait_until_ready,
)
from . import package_pages


def _make_page_application(
    name: str, kind: str, framework: str, packages: tuple[str, ...], acts: Mapping[str, Act], settle: int = 300
) -> Application:
    """Return the bench's application that consists of the one page `pages/<name>.html`."""
    site = functools.partial(package_pages.serve_page, name, *packages)
    return Application(name, kind, framework, f"npm {packages[0]}", site, "/", acts, wait_until_ready, settle)


def _make_bundle_application(
    name: str,
    kind: str,
    framework: str,
    direction: tuple[str, str],
    packages: tuple[str, ...],
    acts: Mapping[str, Act],
    settle: int,
) -> Application:
    """Return an application of the module `pages/<name>.jsx`, which is bundled."""
    site = functools.partial(package_pages.serve_bundle, name, *direction, *packages)
    return Application(name, kind, framework, f"npm {packages[0]}", site, "/", acts, wait_until_ready, settle)


def iter_applications() -> Iterator[Application]:
    yield _make_page_application("maplibre", "map", "WebGL, vector layers and tiles", ("maplibre-gl@6.17.0",), {
        "panned": drag(500, 400, 300, 300),
        "zoomed": do_in_order(click(".maplibregl-ctrl-zoom-in"), pause(1200)),
        "wheel": do_in_order(scroll_wheel(400, 300, -300), pause(1200)),
        "popup": do_in_order(run_script("map.jumpTo({center: [20, 40], zoom: 2})"), pause(600), click_at(500, 350)),
        "closed": click(".maplibregl-popup-close-button"),
        "turned": run_script("map.jumpTo({bearing: 40, pitch: 50})"),
        "compass": do_in_order(click(".maplibregl-ctrl-compass"), pause(1200)),
        "painted": run_script("map.setPaintProperty('lands', 'fill-color', '#b55')"),
        "layer": run_script("map.setLayoutProperty('tiles', 'visibility', 'none')"),
        "keys": do_in_order(click("canvas"), press_keys("ArrowRight", "ArrowRight"), pause(1200)),
    }, settle=700)  # fmt: skip
    yield _make_page_application("openlayers", "map", "canvas", ("ol@10.10.0",), {
        "panned": do_in_order(drag(500, 400, 300, 300), pause(700)),
        "zoomed": do_in_order(click(".ol-zoom-in"), pause(700)),
        "wheel": do_in_order(scroll_wheel(400, 300, -200), pause(700)),
        "out": do_in_order(click(".ol-zoom-out", click_count=2), pause(900)),
        "popup": do_in_order(run_script("map.getView().setCenter(map.getLayers().item(2).getSource().getFeatures()[3].getGeometry().getCoordinates())"), pause(500), click_at(500, 350), pause(500)),
        "overview": do_in_order(click(".ol-overviewmap button"), pause(500)),
        "heat": run_script("setHeat()"),
        "turned": run_script("map.getView().setRotation(0.6)"),
        "drawing": do_in_order(run_script("draw()"), click_at(300, 200), click_at(500, 220), click_at(420, 400)),
        "drawn": do_in_order(click_at(300, 200), pause(400)),
    }, settle=700)  # fmt: skip
    yield _make_page_application("babylon", "3D scene", "WebGL2, drawn on demand", ("babylonjs@9.31.0",), {
        "turn": click_button("turn"), "near": click_button("near"), "wire": click_button("wire"), "dragged": do_in_order(drag(400, 300, 520, 330), pause(900)),
        "torus": click_button("torus"), "wheel": do_in_order(scroll_wheel(400, 300, 200), pause(900)), "night": click_button("night"), "solid": click_button("wire"),
        "hide": click_button("hide"), "again": click_button("turn"),
    }, settle=600)  # fmt: skip
    yield _make_page_application("plotly", "charts, 3D", "D3, SVG and WebGL", ("plotly.js-dist-min@4.1.2",), {
        "turned": drag(500, 300, 600, 340), "hovered": do_in_order(lambda page: page.mouse.move(480, 330), pause(300)), "wheel": scroll_wheel(500, 300, -200),
        "bar": hover(".modebar-btn"), "reset": click("[data-attr=resetDefault], [data-title*=Reset]"), "heat": click("#heat"),
        "box": drag(300, 200, 600, 400), "dots": click("#dots"), "lasso": do_in_order(hover("#plot"), click("[data-val=lasso]"), drag(350, 200, 600, 420)), "pie": click("#map"),
    }, settle=700)  # fmt: skip
    yield _make_page_application("handsontable", "spreadsheet", "virtual rows, tables over tables", ("handsontable@18.1.1",), {
        "cell": click(".ht_master td", 20), "typed": type_words("1234"), "entered": press_keys("Enter"), "range": do_in_order(press_keys("Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowRight")),
        "scrolled": scroll_wheel(400, 300, 2500), "across": do_in_order(run_script("table.scrollViewportTo({row: 100, col: 15})"), pause(200)),
        "menu": do_in_order(run_script("table.scrollViewportTo({row: 0, col: 0})"), click(".ht_master td", 6, button="right")), "gone": press_keys("Escape"),
        "list": do_in_order(lambda page: page.locator(".ht_master td").nth(1).dblclick(), pause(300)),
        "sorted": do_in_order(press_keys("Escape"), click(".ht_clone_top .columnSorting", 2)),
    })  # fmt: skip
    yield _make_page_application("jspreadsheet", "spreadsheet", "plain DOM", ("jspreadsheet-ce@5.0.4", "jsuites@5.13.5", "@jspreadsheet/formula@2.0.2"), {
        "cell": click("td[data-x='1'][data-y='3']"), "typed": type_words("42"), "entered": press_keys("Enter"), "formula": do_in_order(press_keys("ArrowRight", "ArrowRight"), type_words("=SUM(B1:B5)"), press_keys("Enter")),
        "checked": click("td[data-x='2'][data-y='5'] input"), "range": drag(200, 200, 420, 330), "colour": lambda page: page.locator("td[data-x='4'][data-y='2']").dblclick(),
        "menu": do_in_order(press_keys("Escape"), click("td[data-x='0'][data-y='4']", button="right")), "page": do_in_order(press_keys("Escape"), click(".jss_page", 1)), "found": fill(".jss_search", "pot 3"),
    })  # fmt: skip
    yield _make_page_application("bpmn", "diagram", "SVG, diagram-js", ("bpmn-js@18.31.1",), {
        "selected": click("[data-element-id=throw]"), "moved": drag(330, 190, 340, 320), "renamed": do_in_order(lambda page: page.mouse.dblclick(605, 190), type_words("Fire twice")),
        "entered": do_in_order(click_at(500, 550), pause(200)), "menu": do_in_order(click("[data-element-id=fire]"), click(".djs-context-pad .entry[data-action=replace]")), "changed": click(".djs-popup .entry", 1),
        "added": do_in_order(click(".djs-context-pad .entry[data-action='append.append-task']"), pause(300)), "undone": press_keys("Control+z"),
        "hand": do_in_order(click(".djs-palette .entry[data-action=hand-tool]"), drag(500, 450, 450, 480)), "zoomed": do_in_order(press_keys("Escape"), run_script("modeler.get('canvas').zoom(0.6)")),
    })  # fmt: skip
    yield _make_page_application("plyr", "video player", "HTML video", ("plyr@3.8.4",), {
        "played": do_in_order(click(".plyr__controls [data-plyr=play]"), pause(700)), "paused": click(".plyr__controls [data-plyr=play]"), "sought": run_script("player.currentTime = 1.2"),
        "captions": click("[data-plyr=captions]"), "settings": click("[data-plyr=settings]"), "speeds": click(".plyr__menu__container [role=menuitem]:visible", 1),
        "faster": click("[data-plyr=speed]", 5), "loud": click("[data-plyr=mute]"), "volume": run_script("player.volume = 0.3"), "start": do_in_order(press_keys("Escape"), run_script("player.currentTime = 0")),
    }, settle=600)  # fmt: skip
    yield _make_page_application("xterm", "terminal", "DOM renderer", ("@xterm/xterm@6.0.0",), {
        "typed": type_words("ls"), "entered": press_keys("Enter"), "colours": do_in_order(type_words("colours"), press_keys("Enter")), "unknown": do_in_order(type_words("rm"), press_keys("Enter")), "long": do_in_order(type_words("seq"), press_keys("Enter")),
        "scrolled": scroll_wheel(300, 300, -600), "selected": drag(60, 60, 300, 160), "box": do_in_order(type_words("box"), press_keys("Enter")), "screen": do_in_order(type_words("top"), press_keys("Enter")), "deleted": do_in_order(type_words("xyz"), press_keys("Backspace")),
    })  # fmt: skip
    yield _make_page_application("tinymce", "editor", "contenteditable in a frame", ("tinymce@8.9.2",), {
        "typed": do_in_order(lambda page: page.frame_locator("iframe").locator("p").click(), press_keys("End"), type_words(" Then it cooled.")), "selected": press_keys("Shift+Home"), "bold": click("[data-mce-name=bold]"),
        "heading": do_in_order(click("[data-mce-name=blocks]"), pause(300)), "chosen": click_text("Heading 3"), "table": do_in_order(click("[data-mce-name=table]"), hover(".tox-menu .tox-collection__item"), pause(500)),
        "menu": do_in_order(press_keys("Escape", "Escape"), click(".tox-mbtn", 1)), "dialog": do_in_order(press_keys("Escape"), click("[data-mce-name=link]")), "filled": fill(".tox-dialog input", "https://kiln.example/"),
        "saved": click(".tox-dialog__footer .tox-button", 1),
    }, settle=500)  # fmt: skip
    yield _make_page_application("ckeditor", "editor", "contenteditable, CKEditor's own views", ("ckeditor5@48.5.2",), {
        "typed": do_in_order(click(".ck-editor__editable p"), press_keys("End"), type_words(" Then it cooled.")), "selected": press_keys("Shift+Home"), "bold": click_button("Bold"), "heading": do_in_order(click(".ck-heading-dropdown button"), pause(200)),
        "chosen": click(".ck-heading-dropdown .ck-list__item button", 2), "list": do_in_order(press_keys("End"), click_button("Bulleted List")), "table": do_in_order(click_button("Insert table"), hover(".ck-insert-table-dropdown-grid-box", 22)),
        "placed": click(".ck-insert-table-dropdown-grid-box", 22), "cells": do_in_order(type_words("ash"), press_keys("Tab"), type_words("bone")), "undone": do_in_order(click_button("Undo"), click_button("Undo")),
    }, settle=500)  # fmt: skip
    yield _make_page_application("ace", "editor", "virtual lines", ("ace-builds@1.45.2",), {
        "typed": do_in_order(click(".ace_content"), press_keys("Control+Home"), type_words("let x = 1;")), "selected": press_keys("Shift+ArrowDown", "Shift+ArrowDown"), "scrolled": do_in_order(scroll_wheel(500, 300, 3000), pause(300)), "jumped": run_script("editor.gotoLine(200, 4)"),
        "folded": run_script("editor.getSession().foldAll()"), "open": run_script("editor.getSession().unfold()"), "search": do_in_order(press_keys("Control+f"), pause(300), type_words("glaze")), "themed": run_script("editor.setTheme('ace/theme/chrome')"),
        "completion": do_in_order(press_keys("Escape"), run_script("editor.gotoLine(1, 0); editor.focus()"), type_words("po"), press_keys("Control+Space"), pause(400)), "chosen": press_keys("ArrowDown", "Enter"),
    })  # fmt: skip
    yield _make_page_application("calendar", "calendar", "Preact, TOAST UI", ("@toast-ui/calendar@2.1.3", "tui-date-picker@4.3.3", "tui-time-picker@2.1.6"), {
        "next": click("#next"), "back": click("#prev"), "event": click("[data-testid^='time-event'], .toastui-calendar-weekday-event", 1), "closed": do_in_order(click_at(980, 20), pause(200)), "week": click("#week"),
        "scrolled": scroll_wheel(500, 500, 400), "form": drag(400, 350, 400, 400), "titled": fill(".toastui-calendar-popup-section-title input, input[name=title]", "Glazing"), "saved": click(".toastui-calendar-popup-confirm"), "day": click("#day"),
    }, settle=500)  # fmt: skip
    yield _make_page_application("reveal", "slides", "reveal.js, 3D transforms", ("reveal.js@6.0.2",), {
        "fragment": press_keys("ArrowRight"), "second": press_keys("ArrowRight"), "slide": press_keys("ArrowRight"), "down": press_keys("ArrowDown"), "overview": press_keys("o"), "out": press_keys("o"), "animate": press_keys("ArrowRight"), "moved": press_keys("ArrowRight"),
        "quote": press_keys("ArrowRight"), "paused": press_keys("b"),
    }, settle=1500)  # fmt: skip
    yield _make_page_application("phaser", "game", "Phaser, WebGL, a loop that never stops", ("phaser@4.2.1",), {
        "left": press_keys("ArrowLeft"), "up": press_keys("ArrowUp"), "coin": press_keys("ArrowLeft", "ArrowUp", "ArrowUp"), "placed": click_at(200, 200), "zoomed": press_keys(" "), "moved": press_keys("ArrowRight", "ArrowRight"), "out": press_keys(" "),
        "more": press_keys("ArrowDown", "ArrowDown", "ArrowRight"), "another": click_at(600, 400), "end": press_keys("ArrowDown", "ArrowLeft"),
    }, settle=600)  # fmt: skip
    yield _make_page_application("elementplus", "admin, Chinese", "Vue 3, Element Plus", ("element-plus@2.14.8", "vue@3.5.45"), {
        "typed": fill("input", "客户1"), "city": do_in_order(click(".el-select"), pause(400)), "chosen": click_text("景德镇", exact=True, number=-1), "date": do_in_order(click(".el-date-editor input"), pause(400)), "day": click(".el-date-table td.available", 9),
        "sorted": click(".el-table .caret-wrapper"), "checked": click(".el-table__body .el-checkbox", 2), "dialog": do_in_order(click_button("新建订单"), pause(400)), "rated": do_in_order(click(".el-rate__item", 4), fill(".el-dialog textarea", "请尽快发货")), "saved": do_in_order(click_button("确定"), pause(500)),
    }, settle=600)  # fmt: skip
    yield _make_page_application("pdfjs", "PDF viewer", "canvas under a layer of text", ("pdfjs-dist@6.5.438",), {
        "next": click("#next"), "in": click("#in"), "scrolled": scroll_wheel(500, 400, 700), "found": do_in_order(fill("#words", "kiln"), pause(800)), "selected": drag(200, 200, 500, 260), "turned": click("#turn"),
        "wide": click("#wide"), "out": do_in_order(click("#out"), click("#out"), click("#out")), "spread": click("#spread"), "end": run_script("viewer.currentPageNumber = 4"),
    }, settle=1200)  # fmt: skip
    yield _make_page_application("jointjs", "diagram", "SVG, JointJS", ("@joint/core@4.3.3",), {
        "moved": drag(140, 160, 180, 480), "tools": click_at(460, 120), "grown": click("#grow"), "routed": click("#route"), "link": lambda page: page.mouse.move(600, 200), "added": click("#add"), "lit": click("#light"),
        "removed": click("[data-tool-name=remove]"),
            "zoomed": click("#zoom"), "bent": drag(330, 170, 360, 330),
    })  # fmt: skip
    yield _make_page_application("grapesjs", "page builder", "contenteditable in a frame that is moved and measured", ("grapesjs@0.23.6",), {
        "selected": lambda page: page.frame_locator(".gjs-frame").locator("h1").click(), "styled": run_script("void editor.getSelected().addStyle({color: '#a30', 'letter-spacing': '3px'})"),
        "written": do_in_order(lambda page: page.frame_locator(".gjs-frame").locator("p").dblclick(), pause(200), type_words("Twice ")), "phone": run_script("void editor.setDevice('Mobile portrait')"),
        "wide": run_script("void editor.setDevice('Desktop')"), "block": run_script("void editor.addComponents(editor.Blocks.get('quote').getContent())"), "layers": run_script("void editor.Panels.getButton('views', 'open-layers').set('active', 1)"),
        "outlined": run_script("void editor.runCommand('core:component-outline')"), "code": run_script("void editor.runCommand('export-template')"), "closed": do_in_order(run_script("void editor.Modal.close()"), run_script("void editor.UndoManager.undo()")),
    }, settle=600)  # fmt: skip
    yield _make_page_application("cytoscape", "network", "three canvases, Cytoscape.js", ("cytoscape@3.34.4",), {
        "selected": run_script("void cy.$('#kiln').select()"), "circle": do_in_order(click_button("circle"), pause(500)), "dragged": drag(500, 120, 640, 180), "tree": do_in_order(click_button("tree"), pause(500)), "wheel": scroll_wheel(500, 300, -200),
        "panned": drag(900, 500, 800, 560), "grow": click_button("grow"), "fit": click_button("fit"), "box": do_in_order(lambda page: page.keyboard.down("Shift"), drag(60, 80, 500, 400), lambda page: page.keyboard.up("Shift")), "picture": click_button("picture"),
    }, settle=500)  # fmt: skip
    yield _make_page_application("tabulator", "table", "virtual rows, Tabulator", ("tabulator-tables@6.5.3",), {
        "sorted": click(".tabulator-col[tabulator-field=price] .tabulator-col-title"), "scrolled": scroll_wheel(400, 350, 3000), "edited": do_in_order(click(".tabulator-row .tabulator-cell[tabulator-field=name]", 8), type_words("!"), press_keys("Enter")),
        "list": click(".tabulator-row .tabulator-cell[tabulator-field=kind]", 9), "chosen": press_keys("ArrowDown", "Enter"), "grouped": click_button("group"), "filtered": click_button("filter"), "wide": click_button("wide"),
        "head": do_in_order(fill(".tabulator-header-filter input", "7"), pause(500)), "note": click_button("note"),
    }, settle=500)  # fmt: skip
    yield _make_page_application("konva", "drawing", "two canvases, Konva", ("konva@10.9.1",), {
        "picked": click_at(200, 225), "dragged": drag(200, 225, 300, 330), "spun": do_in_order(click_button("spin"), pause(500)), "sized": do_in_order(click_at(480, 185), drag(570, 355, 640, 420)), "blurred": click_button("blur"),
        "hidden": click_button("hide"), "clipped": click_button("clip"), "editing": lambda page: page.mouse.dblclick(700, 420), "written": do_in_order(press_keys("Control+a"), type_words("Glazed"), press_keys("Enter")), "zoomed": click_button("zoom"),
    }, settle=500)  # fmt: skip
    yield _make_page_application("swiper", "carousels, lightbox", "web component with 3D transforms, blob: pictures", ("swiper@14.4.0", "photoswipe@5.4.4"), {
        "next": do_in_order(run_script("void element.swiper.slideNext(0)"), pause(200)), "dragged": do_in_order(drag(600, 130, 250, 130), pause(900)), "cards": do_in_order(drag(700, 350, 300, 350), pause(1200)), "keyed": do_in_order(press_keys("ArrowRight"), pause(600)),
        "opened": do_in_order(click("#gallery a", 2), pause(900)), "turned": do_in_order(press_keys("ArrowRight"), pause(900)), "zoomed": do_in_order(click_at(500, 350), pause(900)), "moved": do_in_order(drag(500, 350, 420, 300), pause(900)),
        "closed": do_in_order(press_keys("Escape"), pause(900)), "last": do_in_order(run_script("void element.swiper.slideTo(5, 0)"), pause(300)),
    }, settle=500)  # fmt: skip
    yield _make_page_application("gridstack", "dashboard", "plain DOM, gridstack", ("gridstack@14.1.0",), {
        "moved": do_in_order(drag(200, 70, 200, 420), pause(400)), "sized": do_in_order(hover(".grid-stack-item", 1), drag(843, 318, 843, 460), pause(400)), "added": do_in_order(click_button("add"), pause(400)), "floating": click_button("float"),
        "far": do_in_order(drag(1100, 70, 300, 620), pause(400)), "narrow": do_in_order(click_button("narrow"), pause(500)), "dropped": do_in_order(click_button("drop"), pause(400)), "saved": click_button("save"),
        "scrolled": scroll_wheel(400, 400, 500), "full": run_script("grid.batchUpdate(); grid.column(12); void grid.batchUpdate(false)"),
    }, settle=400)  # fmt: skip
    yield _make_page_application("editorjs", "editor", "blocks that are contenteditable each, Editor.js", ("@editorjs/editorjs@2.31.7", "@editorjs/header@2.8.9", "@editorjs/list@2.0.9"), {
        "written": do_in_order(click(".ce-paragraph"), press_keys("End"), type_words(" The second was right.")), "new": do_in_order(press_keys("Enter"), type_words("Glaze list")), "picked": lambda page: page.keyboard.press("Shift+Home"), "bold": press_keys("Control+b"),
        "menu": do_in_order(press_keys("ArrowRight", "Enter"), type_words("/")), "header": do_in_order(press_keys("ArrowDown", "Enter"), pause(200), type_words("Next")), "settings": do_in_order(click(".ce-header"), hover(".ce-header"), pause(200), click(".ce-toolbar__settings-btn"), pause(300)), "moved": click("[data-item-name=move-down]"),
        "saved": do_in_order(press_keys("Escape"), click_button("save"), pause(300)), "emptied": do_in_order(click(".ce-header"), press_keys("Control+a", "Delete")),
    }, settle=500)  # fmt: skip
    yield _make_page_application("lottie", "animations", "SVG and canvas by Lottie, styles by GSAP", ("lottie-web@5.13.0", "gsap@3.15.0"), {
        "half": do_in_order(click_button("half"), pause(900)), "end": do_in_order(click_button("end"), pause(200)), "back": do_in_order(click_button("back"), pause(1200)), "flip": do_in_order(click_button("flip"), pause(600)), "again": do_in_order(click_button("half"), pause(900)),
        "part": run_script("void line.pause(0.25)"), "early": run_script("void line.pause(0.05)"), "flipped": do_in_order(click_button("flip"), pause(600)), "ended": click_button("end"), "stop": do_in_order(click_button("stop"), pause(300)),
    }, settle=500)  # fmt: skip
    yield _make_page_application("wavesurfer", "sound", "canvases in a shadow root, <audio>", ("wavesurfer.js@8.0.1",), {
        "sought": click_at(400, 110), "near": click_button("near"), "scrolled": run_script("void wave.setScroll(500)"), "bars": click_button("bars"), "tall": click_button("tall"),
        "region": run_script("void regions.addRegion({ start: 1, end: 2, content: 'hot', color: 'rgba(200, 80, 40, 0.3)' })"), "played": do_in_order(click_button("play"), pause(500), click_button("play")), "far": run_script("void wave.zoom(50)"),
        "start": run_script("void wave.setTime(0)"), "end": run_script("void wave.setTime(3.9)"),
    }, settle=700)  # fmt: skip
    yield _make_page_application("cropper", "form helpers", "web components by Cropper.js, flatpickr, Choices, a tour by Driver.js", ("cropperjs@2.2.0", "flatpickr@4.6.13", "choices.js@11.2.4", "driver.js@1.8.0"), {
        "turn": do_in_order(click_button("turn"), pause(300)), "moved": drag(300, 200, 380, 240), "cut": do_in_order(click_button("cut"), pause(400)), "wheel": scroll_wheel(300, 200, -300), "day": click("#day"),
        "month": click(".flatpickr-next-month"), "chosen": click(".flatpickr-day:not(.prevMonthDay)", 9), "list": click(".choices"), "two": do_in_order(press_keys("ArrowDown", "Enter"), pause(200), press_keys("ArrowDown", "Enter")),
        "tour": do_in_order(press_keys("Escape"), click_button("tour"), pause(300)),
    }, settle=500)  # fmt: skip
    yield _make_page_application("pixi", "drawing, chart", "WebGL drawn when asked, PixiJS; canvas by uPlot", ("pixi.js@8.22.0", "uplot@1.6.32"), {
        "tint": click_button("tint"), "add": click_button("add"), "mask": click_button("mask"), "words": click_button("words"), "hovered": lambda page: page.mouse.move(400, 500), "log": click_button("log"),
        "legend": do_in_order(click(".u-series", 1), pause(200)), "shown": click(".u-series", 1), "feed": click_button("feed"), "zoomed": drag(300, 480, 500, 480),
    }, settle=600)  # fmt: skip
    yield _make_page_application("platform", "form helpers", "what browsers have of late", ("@floating-ui/dom@1.8.0",), {
        "tip": click("#anchor"), "chosen": do_in_order(press_keys("Escape"), click("select"), pause(300)), "cup": do_in_order(click("option", 2), pause(200)), "asked": do_in_order(click_button("ask"), pause(400)), "closed": do_in_order(click_at(5, 600), pause(300), fill("textarea", "a longer text in it")),
        "reel": do_in_order(scroll_wheel(100, 80, 0), run_script("document.querySelector('.reel').scrollTo({left: 220, behavior: 'instant'}); document.getElementById('driven').scrollTop = 120"), pause(500)), "details": do_in_order(click_text("clay"), pause(400), click_text("glaze"), pause(500)),
        "wide": run_script("document.getElementById('flow').style.width = '260px'"), "move": do_in_order(fill("iframe >> nth=0 >> internal:control=enter-frame >> input", "typed"), run_script("acts.move(); acts.worker()"), pause(300)), "transition": do_in_order(run_script("acts.transition()"), pause(700)),
        "typed": run_script("acts.typed(); acts.highlight()"), "found": do_in_order(run_script("acts.found()"), pause(300)),
    }, settle=400)  # fmt: skip
    yield _make_page_application("components", "form helpers", "web components with slots, popups and form parts, Shoelace (Lit)", ("@shoelace-style/shoelace@2.20.1",), {
        "dialog": do_in_order(click("#open"), pause(600)), "menu": do_in_order(press_keys("Escape"), pause(500), click("sl-dropdown sl-button"), pause(400), hover("sl-menu-item", 2), pause(400)), "select": do_in_order(press_keys("Escape"), click("sl-select"), pause(400), click("sl-option", 1)),
        "heat": do_in_order(press_keys("Escape"), pause(300), click("sl-range"), hover("sl-range")), "rated": do_in_order(click("sl-rating"), click("sl-switch"), pause(300)), "colour": do_in_order(click("sl-color-picker"), pause(500)), "tab": do_in_order(press_keys("Escape"), pause(300), click("sl-tab", 1), pause(300)),
        "tree": do_in_order(click("sl-tree-item"), press_keys("ArrowRight"), pause(400)), "split": do_in_order(run_script("document.querySelector('sl-split-panel').position = 70"), pause(200)), "slide": do_in_order(click(".carousel__navigation-button--next"), pause(900)),
        "more": do_in_order(click("sl-details"), pause(500)), "invalid": do_in_order(click("sl-button[type=submit]"), pause(300)), "drawer": do_in_order(run_script("void drawer()"), pause(600)), "toast": do_in_order(press_keys("Escape"), pause(500), run_script("void toast()"), pause(600)),
    }, settle=400)  # fmt: skip
    yield _make_page_application("fabric", "drawing, charts", "canvas by Fabric.js, SVG by ECharts, D3 and Mermaid, formulas by KaTeX", ("fabric@7.4.0", "echarts@6.1.0", "katex@0.19.1", "mermaid@12.3.0", "d3@7.9.2"), {
        "chosen": click_at(90, 80), "moved": drag(90, 80, 150, 150), "draw": do_in_order(click_button("draw"), drag(200, 200, 380, 60), pause(300)), "text": do_in_order(click_button("draw"), pause(100), lambda page: page.mouse.dblclick(330, 80), pause(300), type_words("wet ")),
        "tip": do_in_order(press_keys("Escape"), lambda page: page.mouse.move(600, 130), pause(500)), "series": do_in_order(click_button("series"), pause(1300)), "legend": do_in_order(click_at(620, 20), pause(800)), "math": click_button("math"), "graph": do_in_order(click_button("graph"), pause(600)), "zoomed": run_script("void canvas.setZoom(1.4)"),
    }, settle=500)  # fmt: skip
    yield _make_bundle_application("antd", "admin, Arabic", "React 19, Ant Design, right to left", ("ar", "rtl"), ("antd@6.6.8", "react@19.3.1", "react-dom@19.3.1"), {
        "typed": fill("#search", "إناء 7"), "city": do_in_order(click(".ant-select"), pause(400)), "chosen": click(".ant-select-item-option", 1), "day": do_in_order(click(".ant-picker"), pause(500)), "sorted": do_in_order(press_keys("Escape"), click("th.ant-table-column-has-sorters")),
        "filter": do_in_order(click(".ant-table-filter-trigger"), pause(400)), "page": do_in_order(press_keys("Escape"), click(".ant-pagination-item-3")), "checked": do_in_order(click("tbody .ant-checkbox-input", 1), click("tbody .ant-checkbox-input", 3)),
        "drawer": do_in_order(click("button.ant-btn-primary"), pause(700)), "modal": do_in_order(press_keys("Escape"), pause(500), click("button.ant-btn-dangerous"), pause(700)),
    }, settle=700)  # fmt: skip
    yield _make_bundle_application("excalidraw", "whiteboard", "React, two canvases", ("en", "ltr"), ("@excalidraw/excalidraw@0.18.1", "react@19.3.1", "react-dom@19.3.1"), {
        "selected": click_at(290, 160), "moved": drag(220, 152, 260, 400), "rectangle": do_in_order(press_keys("r"), drag(500, 400, 640, 500)), "coloured": click(".color-picker__button", 8), "freehand": do_in_order(press_keys("p"), drag(150, 550, 400, 600)),
        "text": do_in_order(press_keys("t"), click_at(600, 560), type_words("Ash glaze"), press_keys("Escape")), "menu": do_in_order(click("[data-testid=main-menu-trigger]"), pause(300)), "dark": click("[data-testid=toggle-dark-mode]"), "zoomed": do_in_order(press_keys("Escape"), click(".zoom-in-button")),
        "undone": press_keys("Control+z", "Control+z"),
    }, settle=700)  # fmt: skip
