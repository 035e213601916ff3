// SortableJS with transforms while it sorts.
import Sortable from "sortablejs";

document.getElementById("app").innerHTML = `<ul id="l">${["ash", "birch", "cedar", "elm", "fir"].map((n) => `<li data-id="${n}" style="padding:8px;border:1px solid #abc">${n}</li>`).join("")}</ul>`;
const sortable = new Sortable(document.getElementById("l"), { animation: 150 });
const rest = () => new Promise((done) => setTimeout(done, 500));
window.marks = { sorted: async () => { sortable.sort(["fir", "ash", "elm", "birch", "cedar"], true); await rest(); }, again: async () => { sortable.sort(["cedar", "birch", "ash", "fir", "elm"], true); await rest(); } };
