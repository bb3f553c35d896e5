import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import headless from "@xterm/headless";
import type { BenchRow } from "../bench-row.ts";
import type { ViewLab } from "./lab.ts";

const COLOURED_LINE =
  "\u001b[32mgreen\u001b[0m some words and \u001b[38;5;200mpink\u001b[0m 0123456789 the quick brown fox\n";
const FILE_BYTES = 84_000_000;
const PIECE_BYTES = 64 * 1024;
const ROUNDS = 3;

/** Measures 84 MB of coloured text to one page against xterm.js alone in Node, in turns. */
export async function throughputRows(lab: ViewLab): Promise<BenchRow[]> {
  writeFileSync(join(lab.folder, "coloured"), COLOURED_LINE.repeat(Math.ceil(FILE_BYTES / COLOURED_LINE.length)));
  const alone: number[] = [];
  const shown: number[] = [];
  const parsed: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await headlessRate(lab));
    const { seconds, bytes } = await pageTime(lab, round);
    shown.push(FILE_BYTES / 1e6 / seconds);
    parsed.push(bytes / 1e6 / seconds);
  }
  const [base, own, drawn] = [alone, shown, parsed].map(middle) as [number, number, number];
  return [
    { name: "84 MB: xterm.js headless alone", value: rounded(base), unit: "MB/s" },
    { name: "84 MB through the relay until its end is on the page", value: rounded(own), unit: "MB/s" },
    { name: "84 MB: of that given to the page's xterm.js", value: rounded(drawn), unit: "MB/s" },
    { name: "84 MB: ratio", value: rounded(own / base), unit: "", goal: "at least 0.6", ok: own / base >= 0.6 },
  ];
}

async function headlessRate({ folder, cols, rows }: ViewLab): Promise<number> {
  const content = readFileSync(join(folder, "coloured"));
  const terminal = new headless.Terminal({ cols, rows, scrollback: 10_000, convertEol: true, allowProposedApi: true });
  const startedAt = performance.now();
  for (let at = 0; at < content.length; at += PIECE_BYTES) {
    const piece = content.subarray(at, at + PIECE_BYTES);
    await new Promise<void>((resolve) => terminal.write(piece, resolve));
  }
  const seconds = (performance.now() - startedAt) / 1000;
  terminal.dispose();
  return content.length / 1e6 / seconds;
}

/** Returns the seconds from Enter until the page shows the line after the file, and the bytes that it received. */
async function pageTime({ page, type }: ViewLab, round: number): Promise<{ seconds: number; bytes: number }> {
  const mark = `end-of-round-${round}`;
  await page.bringToFront();
  const given = () => page.evaluate(() => (window as unknown as { terminalBytes: number }).terminalBytes);
  const before = await given();
  const ended = page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        const rows = document.querySelector(".xterm-rows");
        if (rows === null) throw new Error("no terminal");
        const observer = new MutationObserver(() => {
          if (rows.textContent?.includes(wanted) !== true) return;
          observer.disconnect();
          resolve();
        });
        observer.observe(rows, { subtree: true, childList: true, characterData: true });
      }),
    mark,
  );
  const startedAt = performance.now();
  // The shell joins the two parts, so that the echo of the line differs from its output.
  await type(`cat ~/coloured; echo end-of-"round"-${round}`);
  await ended;
  const seconds = (performance.now() - startedAt) / 1000;
  return { seconds, bytes: (await given()) - before };
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}
