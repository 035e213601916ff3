// Monaco: lines recycled while scrolling, its own caret, widgets over the text, sheets that it writes rule by rule.
import * as monaco from "monaco-editor";

const value = Array.from({ length: 3000 }, (_, i) => `function line${i}(a, b) { return a * ${i} + "text ${i}"; } // note`).join("\n");
const host = document.getElementById("app");
host.style.height = "560px";
// Without workers: colours by the tokenizer alone, which is all that is wanted here.
self.MonacoEnvironment = { getWorker: () => ({ postMessage() {}, addEventListener() {}, terminate() {} }) };
const editor = monaco.editor.create(host, { value, language: "javascript", minimap: { enabled: true }, cursorBlinking: "solid", cursorSmoothCaretAnimation: "off" });
const rest = (ms = 600) => new Promise((done) => setTimeout(done, ms));
window.marks = {
  typed: async () => { editor.focus(); editor.trigger("bench", "type", { text: "const début = `1`;\n// ünïcode 😀\n" }); await rest(); },
  selected: async () => { editor.setSelection(new monaco.Selection(3, 5, 9, 20)); await rest(); },
  scrolled: async () => { editor.setScrollTop(9000); await rest(); },
  found: async () => { editor.setScrollTop(0); await editor.getAction("actions.find").run(); await rest(); },
  themed: async () => { monaco.editor.setTheme("vs-dark"); await rest(); },
};
