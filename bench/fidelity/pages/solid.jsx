// Signals without a virtual DOM, in plain calls: fine-grained text and attribute writes.
import { createSignal, For } from "solid-js";
import { createComponent, render } from "solid-js/web";
import h from "solid-js/h";

const [list, setList] = createSignal([1, 2, 3, 4]);
const [tone, setTone] = createSignal("teal");
render(() => h("main", {}, h("h1", { style: () => ({ color: tone() }) }, () => `Solid ${list().length}`), h("ul", {}, () => createComponent(For, { get each() { return list(); }, children: (n) => h("li", {}, `item ${n}`)() }))), document.getElementById("app"));
window.marks = { more: () => setList([4, 3, 2, 1, 0]), tone: () => setTone("crimson"), less: () => setList([2]) };
