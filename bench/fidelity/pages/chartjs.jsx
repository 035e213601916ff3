// Chart.js: canvases that animate to their state.
import Chart from "chart.js/auto";

const host = document.getElementById("app");
host.innerHTML = "<div style='width:460px;display:inline-block'><canvas id=a></canvas></div><div style='width:460px;display:inline-block'><canvas id=b></canvas></div>";
const make = (id, type) => new Chart(document.getElementById(id), { type, data: { labels: ["ash", "chalk", "iron", "salt"], datasets: [{ label: "kiln", data: [3, 9, 4, 7] }, { label: "pit", data: [6, 2, 5, 1] }] } });
const [a, b] = [make("a", "bar"), make("b", "line")];
const rest = () => new Promise((done) => setTimeout(done, 1500));
window.marks = {
  drawn: rest,
  changed: async () => { for (const c of [a, b]) { c.data.datasets[0].data = [9, 1, 8, 2]; c.update(); } await rest(); },
  hidden: async () => { a.hide(1); b.options.scales.y.min = -5; b.update(); await rest(); },
  pie: async () => { b.destroy(); window.c = make("b", "doughnut"); await rest(); },
};
