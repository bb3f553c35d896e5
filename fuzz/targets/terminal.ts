import { VtScanner } from "../../main/shells/vt-scanner.ts";

export const seeds = [
  Buffer.from(
    "plain \u001b[1;32mgreen\u001b[0m \u001b]133;A\u0007$ \u001b]2;title\u001b\\ \u001b[?2004h \u001bPq#1\u001b\\ ü😀\u0007",
  ),
];

/** Terminal output, in one piece and cut anywhere: the scanner must hear the same. */
export function fuzz(data: Buffer): void {
  const cut = data.length === 0 ? 0 : (data[0] ?? 0) % data.length;
  const whole = heard([data]);
  const pieces = heard([data.subarray(0, cut), data.subarray(cut)]);
  if (whole !== pieces) throw new Error(`cut at ${cut}:\n${whole}\n${pieces}`);
}

function heard(pieces: readonly Buffer[]): string {
  const told: string[] = [];
  const scanner = new VtScanner({
    osc: (...said) => void told.push(JSON.stringify(said)),
    bell: () => void told.push("bell"),
    mode: (...said) => void told.push(JSON.stringify(said)),
  });
  for (const piece of pieces) scanner.push(piece);
  return told.join("\n");
}
