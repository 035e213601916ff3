// AG Grid: rows recycled while scrolling, columns too; style sheets by script.
import { AllCommunityModule, createGrid, ModuleRegistry } from "ag-grid-community";

ModuleRegistry.registerModules([AllCommunityModule]);
const rowData = Array.from({ length: 5000 }, (_, i) => Object.fromEntries([["id", i], ...Array.from({ length: 30 }, (_, c) => [`c${c}`, (i * 7919 + c * 104729) % 1000])]));
const host = document.getElementById("app");
host.style.height = "600px";
const grid = createGrid(host, { rowData, columnDefs: [{ field: "id", pinned: "left", width: 90 }, ...Array.from({ length: 30 }, (_, c) => ({ field: `c${c}`, width: 110, filter: true, editable: true, cellStyle: (p) => ({ background: `hsl(${p.value % 360} 60% 92%)` }) }))] });
const rest = (ms = 500) => new Promise((done) => setTimeout(done, ms));
window.marks = {
  scrolled: async () => { grid.ensureIndexVisible(2400, "top"); await rest(); },
  across: async () => { grid.ensureColumnVisible("c25"); await rest(); },
  sorted: async () => { grid.applyColumnState({ state: [{ colId: "c2", sort: "desc" }] }); grid.ensureIndexVisible(0); await rest(800); },
  filtered: async () => { await grid.setColumnFilterModel("c3", { type: "greaterThan", filter: 700 }); grid.onFilterChanged(); await rest(800); },
  selected: async () => { grid.startEditingCell({ rowIndex: 2, colKey: "c1" }); await rest(); },
};
