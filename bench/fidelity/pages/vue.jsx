// Transition groups, teleport, v-model and conditional branches.
import { createApp, h, nextTick, reactive, Teleport, TransitionGroup, withDirectives, vModelText, vShow } from "vue";

const state = reactive({ list: [1, 2, 3, 4, 5, 6], text: "", shown: true, tele: false, html: "<i>raw</i>" });
createApp({
  render: () => h("main", [
    h("h1", `Vue, ${state.list.length} items`),
    withDirectives(h("input", { "onUpdate:modelValue": (v) => { state.text = v; } }), [[vModelText, state.text]]),
    withDirectives(h("p", state.text || "empty"), [[vShow, state.shown]]),
    h("div", { innerHTML: state.html }),
    h(TransitionGroup, { name: "list", tag: "ul" }, () => state.list.map((n) => h("li", { key: n, class: { even: n % 2 === 0 } }, `item ${n}`))),
    h(Teleport, { to: "body", disabled: !state.tele }, h("aside", "teleported")),
  ]),
}).mount("#app");
window.marks = {
  shuffled: () => { state.list = [6, 2, 5, 1, 3, 4]; return nextTick(); },
  typed: () => { state.text = "from state"; return nextTick(); },
  hidden: () => { state.shown = false; state.html = "<b>other</b><u>raw</u>"; return nextTick(); },
  teleported: () => { state.tele = true; return nextTick(); },
  replaced: () => { state.list = [7, 8, 1, 9]; return nextTick(); },
};
