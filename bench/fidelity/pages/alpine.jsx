// Alpine: behaviour in attributes with odd names.
import Alpine from "alpinejs";

document.getElementById("app").innerHTML = `<div x-data="{ open: false, n: 1, list: [1, 2, 3] }" id="root"><button @click="open = !open" :class="open && 'on'">Toggle</button><p x-show="open" x-transition.duration.100ms>Shown</p><input x-model="n"><template x-for="i in list" :key="i"><span x-text="i * n + ' '"></span></template><template x-if="n > 5"><b>big</b></template></div>`;
Alpine.start();
const data = Alpine.$data(document.getElementById("root"));
const rest = () => new Promise((done) => setTimeout(done, 300));
window.marks = { open: async () => { data.open = true; await rest(); }, list: async () => { data.list = [3, 1, 4, 2]; await rest(); }, big: async () => { data.n = 9; await rest(); } };
