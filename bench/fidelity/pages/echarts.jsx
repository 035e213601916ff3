// ECharts: one chart on a canvas, one in SVG.
import * as echarts from "echarts";

document.getElementById("app").innerHTML = "<div id=a style='width:450px;height:320px;float:left'></div><div id=b style='width:450px;height:320px;float:left'></div>";
const a = echarts.init(document.getElementById("a"), null, { renderer: "canvas" });
const b = echarts.init(document.getElementById("b"), null, { renderer: "svg" });
const option = (data, type) => ({ animationDuration: 300, animationDurationUpdate: 300, xAxis: { data: ["a", "b", "c", "d", "e"] }, yAxis: {}, series: [{ type, data, areaStyle: {}, label: { show: true } }] });
const both = async (data, type) => { for (const chart of [a, b]) chart.setOption(option(data, type), true); await new Promise((done) => setTimeout(done, 900)); };
window.marks = { bars: () => both([5, 20, 36, 10, 8], "bar"), lines: () => both([15, 2, 26, 30, 9], "line"), dots: () => both([3, 9, 27, 21, 12], "scatter"), sized: async () => { a.resize({ width: 300, height: 200 }); b.resize({ width: 300, height: 200 }); await new Promise((done) => setTimeout(done, 500)); } };
