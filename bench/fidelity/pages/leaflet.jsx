// Leaflet: tiles as images in transformed panes, vectors, popups.
import L from "leaflet";
import "leaflet/dist/leaflet.css";

const host = document.getElementById("app");
host.style.height = "500px";
const map = L.map(host, { zoomAnimation: true, fadeAnimation: true }).setView([52.37, 4.9], 12);
L.tileLayer("/tiles/{z}/{x}/{y}.svg", { attribution: "nobody" }).addTo(map);
const circle = L.circle([52.37, 4.9], { radius: 900, color: "crimson" }).addTo(map);
const rest = () => new Promise((done) => setTimeout(done, 1200));
window.marks = {
  shown: rest,
  panned: async () => { map.panBy([300, 120]); await rest(); },
  zoomed: async () => { map.setZoom(14); await rest(); },
  popup: async () => { circle.bindPopup("<b>here</b>").openPopup(); await rest(); },
  canvas: async () => { L.polyline([[52.3, 4.8], [52.4, 5]], { renderer: L.canvas() }).addTo(map); await rest(); },
};
