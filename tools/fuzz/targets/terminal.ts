import { VtScanner } from "../../../main/shells/vt-scanner.ts";

export const seeds = [
  Buffer.from(
    "plain \u001b[1;32mgreen\u001b[0m \u001b]133;A\u0007$ \u001b]2;title\u001b\\ \u001b[?2004h \u001bPq#1\u001b\\ ü😀\u0007",
  ),
];

/** Terminal output, in one piece and cut at any position: the scanner must report the same events. */
export function fuzz(data: Buffer): void {
  const cut = data.length === 0 ? 0 : (data[0] ?? 0) % data.length;
  const whole = scannedEvents([data]);
  const pieces = scannedEvents([data.subarray(0, cut), data.subarray(cut)]);
  if (whole !== pieces) throw new Error(`cut at ${cut}:\n${whole}\n${pieces}`);
}

function scannedEvents(pieces: readonly Buffer[]): string {
  const events: string[] = [];
  const scanner = new VtScanner({
    osc: (...said) => void events.push(JSON.stringify(said)),
    bell: () => void events.push("bell"),
    mode: (...said) => void events.push(JSON.stringify(said)),
  });
  for (const piece of pieces) scanner.push(piece);
  return events.join("\n");
}
