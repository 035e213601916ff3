// The same list through Preact.
import { h, render } from "preact";

const draw = (list, text) => render(h("main", null, h("h1", null, text), h("select", { value: text }, list.map((n) => h("option", { key: n, value: n }, n))), h("svg", { width: 200, height: 60, viewBox: "0 0 200 60" }, list.map((n, i) => h("circle", { key: n, cx: 20 + i * 40, cy: 30, r: 6 + n.length * 3, fill: "teal" })))), document.getElementById("app"));
draw(["ash", "birch"], "birch");
window.marks = { more: () => draw(["oak", "ash", "hawthorn", "birch"], "oak"), reversed: () => draw(["birch", "hawthorn", "ash"], "ash"), none: () => draw([], "") };
