// KaTeX: web fonts, spans by the hundred, MathML beside them.
import katex from "katex";
import "katex/dist/katex.min.css";

const host = document.getElementById("app");
const show = async (tex) => { const p = document.createElement("p"); katex.render(tex, p, { displayMode: true }); host.append(p); await document.fonts.ready; await new Promise((done) => setTimeout(done, 300)); };
window.marks = { fraction: () => show("\\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}"), sum: () => show("\\sum_{n=1}^\\infty \\frac1{n^2} = \\frac{\\pi^2}{6}"), matrix: () => show("\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix} \\mathcal{L} \\mathfrak{g} \\mathbb{R}"), gone: () => { host.firstElementChild.remove(); } };
