import type { TerminalSettings } from "../../../core/protocol/settings.ts";

const HIGHLIGHT_MS = 400;
const TONE = { hertz: 660, seconds: 0.12, volume: 0.15 };

let audio: AudioContext | undefined;

/** Rings a terminal's bell in the way that the user wants. Returns a function that ends it early. */
export function ringBell(way: TerminalSettings["bell"], element: HTMLElement): () => void {
  switch (way) {
    case "visual":
      return highlight(element);
    case "sound":
      return playTone();
    case "none":
      return () => undefined;
  }
}

/** Highlights the tile's border. */
function highlight(element: HTMLElement): () => void {
  const tile = element.closest("[data-tile]");
  tile?.setAttribute("data-bell", "");
  const timer = setTimeout(() => tile?.removeAttribute("data-bell"), HIGHLIGHT_MS);
  return () => clearTimeout(timer);
}

/** Plays a short tone that fades out. Browsers are silent until their user has acted on the page. */
function playTone(): () => void {
  audio ??= new AudioContext();
  if (audio.state === "suspended") void audio.resume();
  const tone = new OscillatorNode(audio, { frequency: TONE.hertz });
  const volume = new GainNode(audio, { gain: TONE.volume });
  const end = audio.currentTime + TONE.seconds;
  volume.gain.exponentialRampToValueAtTime(0.001, end);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(end);
  return () => tone.stop();
}
