// video.js: a film under a skin of its own.
import videojs from "video.js";
import "video.js/dist/video-js.css";

document.getElementById("app").innerHTML = "<video id=v class='video-js' controls muted width=600 height=340 preload=auto><source src='/clip.webm' type='video/webm'></video>";
const player = videojs("v");
const rest = (ms = 500) => new Promise((done) => setTimeout(done, ms));
window.marks = {
  loaded: async () => { await new Promise((done) => player.ready(done)); await rest(900); },
  sought: async () => { player.currentTime(0.5); await rest(700); },
  rate: async () => { player.playbackRate(1.5); player.volume(0.3); await rest(); },
  played: async () => { await player.play(); await rest(300); player.pause(); await rest(900); },
};
