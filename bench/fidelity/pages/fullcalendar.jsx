// FullCalendar: tables measured and set by script, its style sheet injected with insertRule.
import { Calendar } from "@fullcalendar/core";
import dayGrid from "@fullcalendar/daygrid";
import timeGrid from "@fullcalendar/timegrid";

const calendar = new Calendar(document.getElementById("app"), { plugins: [dayGrid, timeGrid], initialDate: "2026-03-10", now: "2026-03-10T12:00:00", height: 600, headerToolbar: { left: "prev,next", center: "title", right: "dayGridMonth,timeGridWeek" }, events: [{ title: "Bisque", start: "2026-03-09", end: "2026-03-12" }, { title: "Glaze", start: "2026-03-11T09:00", end: "2026-03-11T12:30", color: "crimson" }] });
calendar.render();
const rest = () => new Promise((done) => setTimeout(done, 300));
window.marks = { month: rest, week: async () => { calendar.changeView("timeGridWeek"); await rest(); }, next: async () => { calendar.next(); await rest(); }, added: async () => { calendar.addEvent({ title: "New", start: "2026-03-17T10:00", end: "2026-03-17T11:00" }); await rest(); } };
