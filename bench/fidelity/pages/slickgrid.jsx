// SlickGrid: absolutely placed rows, drawn while scrolling.
import "slickgrid/dist/styles/css/slick.grid.css";
import { SlickGrid } from "slickgrid";
import Sortable from "sortablejs";

window.Sortable = Sortable; // It looks for it there.

const host = document.getElementById("app");
host.style.cssText = "width: 900px; height: 500px";
const data = Array.from({ length: 3000 }, (_, i) => ({ a: i, b: `row ${i}`, c: (i * 37) % 101 }));
const grid = new SlickGrid(host, data, [{ id: "a", name: "A", field: "a" }, { id: "b", name: "B", field: "b", width: 300 }, { id: "c", name: "C", field: "c" }], { editable: false, enableCellNavigation: true });
const rest = () => new Promise((done) => setTimeout(done, 500));
window.marks = {
  scrolled: async () => { grid.scrollRowToTop(1500); await rest(); },
  end: async () => { grid.scrollRowIntoView(2999); await rest(); },
  active: async () => { grid.setActiveCell(2995, 1); await rest(); },
  changed: async () => { for (const row of data) row.c *= 2; grid.invalidate(); await rest(); },
};
