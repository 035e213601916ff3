// CodeMirror 6: a virtual viewport of lines, decorations, its own caret and selection.
import { javascript } from "@codemirror/lang-javascript";
import { openSearchPanel } from "@codemirror/search";
import { basicSetup, EditorView } from "codemirror";

const doc = Array.from({ length: 2000 }, (_, i) => `function line${i}(a, b) { return a * ${i} + "text ${i}" + b; } // note`).join("\n");
const view = new EditorView({ doc, extensions: [basicSetup, javascript()], parent: document.getElementById("app") });
view.dom.style.height = "500px";
const rest = () => new Promise((done) => setTimeout(done, 400));
window.marks = {
  typed: async () => { view.dispatch({ changes: { from: 0, insert: "const début = `${1}`;\n// ünïcode 😀\n" } }); await rest(); },
  selected: async () => { view.focus(); view.dispatch({ selection: { anchor: 30, head: 240 } }); await rest(); },
  scrolled: async () => { view.scrollDOM.scrollTop = 9000; await rest(); },
  jumped: async () => { view.scrollDOM.scrollTop = 30000; await rest(); await rest(); },
  search: async () => { view.scrollDOM.scrollTop = 0; openSearchPanel(view); await rest(); },
};
