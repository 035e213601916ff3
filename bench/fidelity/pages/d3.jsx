// d3: SVG by data join, transitions by attributes.
import * as d3 from "d3";

const svg = d3.select("#app").append("svg").attr("width", 800).attr("height", 400);
const draw = async (values) => {
  const t = d3.transition().duration(250);
  svg.selectAll("rect").data(values, (d, i) => i).join((enter) => enter.append("rect").attr("x", (d, i) => i * 40).attr("y", 400).attr("width", 34), (u) => u, (exit) => exit.transition(t).attr("y", 400).remove()).transition(t).attr("y", (d) => 400 - d * 4).attr("height", (d) => d * 4).attr("fill", (d) => d3.interpolateViridis(d / 100));
  await new Promise((done) => setTimeout(done, 700));
};
window.marks = { entered: () => draw([10, 40, 90, 20]), grown: () => draw([90, 5, 60, 70, 30, 44, 12]), shrunk: () => draw([50, 20]), tree: async () => { const root = d3.hierarchy({ children: [{}, { children: [{}, {}, {}] }] }); d3.tree().size([360, 360])(root); svg.selectAll("circle").data(root.descendants()).join("circle").attr("cx", (d) => d.x + 300).attr("cy", (d) => d.y + 20).attr("r", 8); } };
