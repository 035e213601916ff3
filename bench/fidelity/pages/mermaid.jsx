// mermaid: SVG with foreignObject and scoped style sheets in it.
import mermaid from "mermaid";

mermaid.initialize({ startOnLoad: false, deterministicIds: true });
const host = document.getElementById("app");
let n = 0;
const show = async (text) => { const { svg } = await mermaid.render(`g${n++}`, text); host.innerHTML = svg; };
window.marks = { flow: () => show("flowchart LR\n a[Throw] --> b{Dry?}\n b -->|yes| c(Fire)\n b -->|no| a"), sequence: () => show("sequenceDiagram\n Ada->>Kiln: open\n Kiln-->>Ada: heat"), pie: () => show('pie title Pots\n "jar": 3\n "jug": 5') };
