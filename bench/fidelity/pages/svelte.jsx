// Svelte, compiled at run time by its own compiler (see cases/npm.py).
import { flushSync, mount } from "svelte";
import App from "./App.svelte.js";

const app = mount(App, { target: document.getElementById("app") });
const set = (more) => { app.set(more); flushSync(); };
window.marks = { shuffled: () => set({ list: [3, 1, 2] }), tone: () => set({ tone: "crimson" }), html: () => set({ html: "<b>raw</b> & <i>more</i>" }), grown: () => set({ list: Array.from({ length: 60 }, (_, i) => i) }) };
