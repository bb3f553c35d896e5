import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Terminal } from "@xterm/headless";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type ExportWish, exportHistory } from "../../../../../main/shells/history/export-history.ts";
import { listSegments } from "../../../../../main/shells/history/trim.ts";
import { plantedSecrets } from "../../../../support/planted-secrets.ts";
import { until } from "../../../../support/until.ts";
import { historyLab, owner, PrintingShell } from "./history-lab.ts";

const START = Date.UTC(2026, 0, 1);

function exportLab() {
  const lab = historyLab();
  lab.recorder.configure(lab.options);
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  onTestFinished(() => void vi.useRealTimers());
  const player = mkdtempSync(join(tmpdir(), "player-"));
  onTestFinished(() => rmSync(player, { recursive: true, force: true }));
  writeFileSync(join(player, "asciinema-player.min.js"), "const html = '</script>';");
  writeFileSync(join(player, "asciinema-player.css"), ".ap { }");
  const wish: ExportWish = { owner, since: 0, until: Number.MAX_SAFE_INTEGER, format: "asciicast", redacts: true };
  return {
    lab,
    shell: new PrintingShell(lab.recorder),
    async made(more: Partial<ExportWish> = {}) {
      await lab.recorder.flush();
      return exportHistory(lab.reader, { ...wish, ...more }, player);
    },
  };
}

type Event = readonly [time: number, kind: string, text: string];

function eventsOf(cast: string | undefined): { head: Record<string, unknown>; events: Event[] } {
  const [head = "{}", ...events] = (cast ?? "").trimEnd().split("\n");
  return { head: JSON.parse(head), events: events.map((line) => JSON.parse(line)) };
}

async function screenOf(parts: readonly (Buffer | string | { cols: number; rows: number })[]): Promise<string[]> {
  const terminal = new Terminal({ cols: 80, rows: 24, allowProposedApi: true });
  for (const part of parts) {
    if (typeof part === "object" && "cols" in part) terminal.resize(part.cols, part.rows);
    else await new Promise<void>((resolve) => terminal.write(part, resolve));
  }
  const lines: string[] = [];
  for (let row = 0; row < terminal.rows; row++) {
    lines.push(terminal.buffer.active.getLine(terminal.buffer.active.baseY + row)?.translateToString(true) ?? "");
  }
  terminal.dispose();
  return lines;
}

test("the screens at ten instants are those of the raw bytes, with colours, a screen of its own, sizes and cut characters", async () => {
  const { lab, shell, made } = exportLab();
  await using _ = lab;
  const raw: { at: number; bytes: Buffer | { cols: number; rows: number } }[] = [];
  shell.recorder.noteEvent({ kind: "size", offset: 0, at: START, cols: 80, rows: 24 });
  for (let step = 0; step < 200; step++) {
    const at = START + step * 50;
    vi.setSystemTime(at);
    if (step === 90) {
      shell.recorder.noteEvent({ kind: "size", offset: shell.log.end, at, cols: 60, rows: 20 });
      raw.push({ at, bytes: { cols: 60, rows: 20 } });
    }
    const text =
      step === 50
        ? "\x1b[?1049h\x1b[Hfull screen"
        : step === 70
          ? "\x1b[?1049l"
          : `\x1b[3${step % 8}mrow ${step} 世界 é\x1b[0m\r\n`;
    const bytes = Buffer.from(text);
    // In the middle of a character, too.
    for (const piece of [bytes.subarray(0, 11), bytes.subarray(11)]) {
      shell.print(piece);
      raw.push({ at, bytes: piece });
    }
  }
  const cast = await made();
  const third = await made({ format: "asciicast3" });
  const { head, events } = eventsOf(cast?.content);
  expect(head).toEqual({ version: 2, width: 80, height: 24, timestamp: START / 1000 });
  const newer = eventsOf(third?.content);
  expect(newer.head).toEqual({ version: 3, term: { cols: 80, rows: 24 }, timestamp: START / 1000 });
  let time = 0;
  const summed = newer.events.map(([interval, ...rest]) => {
    time += interval;
    return [Math.round(time * 1000), ...rest];
  });
  expect(summed).toEqual(events.map(([at, ...rest]) => [Math.round(at * 1000), ...rest]));
  for (let instant = 1; instant <= 10; instant++) {
    const now = instant * 1000 - 25;
    const shown = events.filter(([at]) => at * 1000 <= now);
    const sizeOf = (text: string) => {
      const [cols = 0, rows = 0] = text.split("x").map(Number);
      return { cols, rows };
    };
    const replayed = await screenOf(shown.map(([, kind, text]) => (kind === "r" ? sizeOf(text) : text)));
    expect(replayed, `at ${now} ms`).toEqual(
      await screenOf(raw.filter(({ at }) => at - START <= now).map(({ bytes }) => bytes)),
    );
  }
});

test("a span begins with the screen as it was, and nothing outside of it is exported", async () => {
  const { lab, shell, made } = exportLab();
  await using _ = lab;
  shell.print("first\r\n");
  vi.setSystemTime(START + 60_000);
  shell.print("second\r\n");
  vi.setSystemTime(START + 120_000);
  shell.print("third\r\n");
  const cast = await made({ since: START + 30_000, until: START + 90_000 });
  expect(eventsOf(cast?.content).events).toEqual([
    [0, "o", "first\r\n"],
    [0, "o", "second\r\n"],
  ]);
  expect(cast).toMatchObject({ from: new Date(START + 60_000).toISOString(), isCut: false });
  expect(await made({ since: START + 200_000 })).toBeUndefined();
  expect((await made({ format: "text" }))?.content).toBe("first\nsecond\nthird\n");
});

test("planted secrets are in no export, also where they came in two pieces, unless they are asked for", async () => {
  const { lab, shell, made } = exportLab();
  await using _ = lab;
  const planted = plantedSecrets();
  for (const [, text] of planted) {
    const printed = Buffer.from(`\x1b[1m${text.replaceAll("\n", "\r\n")}\x1b[0m\r\n`);
    vi.setSystemTime(Date.now() + 100);
    shell.print(printed.subarray(0, printed.length >> 1));
    vi.setSystemTime(Date.now() + 100);
    shell.print(printed.subarray(printed.length >> 1));
  }
  const contents = await Promise.all(
    (["asciicast", "asciicast3", "text", "html"] as const).map(
      async (format) => (await made({ format }))?.content ?? "",
    ),
  );
  const inPage = Buffer.from(/base64,([^"]+)/.exec(contents[3] ?? "")?.[1] ?? "", "base64").toString();
  expect(eventsOf(inPage)).toEqual(eventsOf(contents[0]));
  expect(contents[3]?.match(/<\/script>/g)).toHaveLength(2);
  const whole = [...contents, inPage].map((content) =>
    content.startsWith("{")
      ? eventsOf(content)
          .events.map(([, , text]) => text)
          .join("")
      : content,
  );
  const kept = await made({ redacts: false, format: "text" });
  for (const [name, , secret] of planted) {
    for (const line of secret.split("\n")) {
      for (const content of whole) expect(content, name).not.toContain(line);
      expect(kept?.content, name).toContain(line);
    }
  }
});

test("no border of a span shows a part of a secret, whatever its times are", async () => {
  const { lab, shell, made } = exportLab();
  await using _ = lab;
  const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  const printed = `export TOKEN=${token}\r\nthe next line`;
  // As it is echoed to somebody who types it.
  for (const [place, key] of [...printed].entries()) {
    vi.setSystemTime(START + place * 1000);
    shell.print(key);
  }
  const end = START + printed.length * 1000;
  for (let to = START + 1000; to <= end; to += 1000) {
    for (const format of ["asciicast3", "text"] as const) {
      const content = (await made({ until: to, format }))?.content ?? "";
      const text =
        format === "text"
          ? content
          : eventsOf(content)
              .events.map(([, , shown]) => shown)
              .join("");
      expect(text, `until ${to - START} ms`).not.toMatch(/ghp_[a-z]/);
      if (format !== "text") expect(text).toHaveLength((to - START) / 1000);
    }
  }
  const whole = await made({ until: START + (printed.indexOf("\n") + 1) * 1000, format: "text" });
  expect(whole).toMatchObject({ content: `export TOKEN=ghp_${"•".repeat(36)}\n`, redacted: 1 });
});

test("a secret after a span is not counted", async () => {
  const { lab, shell, made } = exportLab();
  await using _ = lab;
  shell.print("\x1b[1mfirst\x1b[0m\r\n");
  vi.setSystemTime(START + 60_000);
  shell.print("password = Tr0ub4dor3xyz\r\n");
  for (const format of ["asciicast", "text"] as const) {
    expect(await made({ until: START + 1000, format })).toMatchObject({ redacted: 0 });
    expect(await made({ format })).toMatchObject({ redacted: 1 });
  }
});

test("a clock that is set back or on within a span loses nothing, and times never go back", async () => {
  const { lab, shell, made } = exportLab();
  await using _ = lab;
  const hour = 3_600_000;
  for (const [index, at] of [0, 1000, 1000 + hour, 2000, 2500, 2500 - hour, 3000, hour].entries()) {
    vi.setSystemTime(START + at);
    shell.print(`piece ${index}\r\n`);
  }
  const cast = await made({ since: START + 500, until: START + 10_000 });
  const { events } = eventsOf(cast?.content);
  // The last one is later than the span; those that only the clock puts outside of it are not.
  expect(events.map(([, , text]) => text.trim())).toEqual([0, 1, 2, 3, 4, 5, 6].map((index) => `piece ${index}`));
  const times = events.map(([at]) => at);
  expect(times).toEqual([...times].sort((one, other) => one - other));
  expect(times.at(-1)).toBe(3600 + 0.5 + 3600.5);
});

test("a size is exported where the terminal got it, also from a compressed segment", async () => {
  const { lab, shell, made } = exportLab();
  await using _ = lab;
  shell.recorder.noteEvent({ kind: "size", offset: 0, at: START, cols: 90, rows: 24 });
  shell.print("wide\r\n");
  shell.recorder.noteEvent({ kind: "size", offset: shell.log.end, at: START, cols: 40, rows: 10 });
  shell.print("narrow\r\n");
  const open = eventsOf((await made())?.content);
  expect(open.head).toMatchObject({ width: 90, height: 24 });
  expect(open.events).toEqual([
    [0, "o", "wide\r\n"],
    [0, "r", "40x10"],
    [0, "o", "narrow\r\n"],
  ]);
  await lab.recorder.flush({ rotate: true });
  await until("the compressed segment", async () => {
    const [segment] = await listSegments(lab.folder);
    return segment?.file.endsWith(".segz") === true;
  });
  expect(eventsOf((await made())?.content)).toEqual(open);
});

test("what was printed byte by byte before the span costs no more for each byte than the first of it", async () => {
  const frames = async function* (pieces: number) {
    const times = Array.from({ length: pieces - 1 }, (_, index) => [index + 1, index * 20] as const);
    const common = { kind: "output", before: undefined } as const;
    yield { ...common, offset: 0, at: 0, times, bytes: Buffer.alloc(pieces, "x") };
    yield { ...common, offset: pieces, at: START, times: [], bytes: Buffer.from("last") };
  };
  const wish: ExportWish = { owner, since: START, until: START + 1, format: "asciicast", redacts: false };
  const msOf = async (pieces: number) => {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3; round++) {
      const startedAt = performance.now();
      const made = await exportHistory({ frames: () => frames(pieces), startOf: async () => 0 }, wish, "");
      best = Math.min(best, performance.now() - startedAt);
      expect(eventsOf(made?.content).events.at(-1)?.[2]).toBe("last");
    }
    return best;
  };
  // As many bytes as are shown at the beginning; from there on each piece takes the place of another.
  const full = 256 * 1024;
  const withinMs = await msOf(full);
  expect(await msOf(full + 1024)).toBeLessThan(4 * withinMs);
}, 120_000);

describe("an export of the end", () => {
  const HOUR = 3_600_000;
  const compressed = async (folder: string, count: number) =>
    until("the compressed segments", async () => {
      const segments = await listSegments(folder);
      return segments.length === count && segments.every(({ file }) => file.endsWith(".segz"));
    });

  test("reads from the segment that can hold the first of it, and what is shown at once before that", async () => {
    const { lab, shell, made } = exportLab();
    await using _ = lab;
    const row = `${"x".repeat(98)}\r\n`;
    for (let hour = 0; hour < 4; hour++) {
      vi.setSystemTime(START + hour * HOUR);
      shell.print(`at ${hour}\r\n${row.repeat(6000)}`);
      await lab.recorder.flush({ rotate: true });
    }
    await compressed(lab.folder, 4);
    const frames = vi.spyOn(lab.reader, "frames");
    const cast = await made({ since: START + 3 * HOUR - 60_000 });
    const starts = (await listSegments(lab.folder)).map(({ start }) => start);
    expect(frames.mock.calls).toEqual([[owner, (starts[2] ?? 0) - 256 * 1024]]);
    const [[, , lead = ""] = [], [, , first = ""] = []] = eventsOf(cast?.content).events;
    expect(lead).not.toContain("at ");
    expect(lead.length).toBeGreaterThan(128 * 1024);
    expect(first.startsWith("at 3\r\n")).toBe(true);
    expect(await made({ since: START + 4 * HOUR })).toBeUndefined();
  });

  test("has what a segment holds that version 0.1.0 has compressed, which made it older than its latest output", async () => {
    const { lab, shell, made } = exportLab();
    await using _ = lab;
    // More than is shown at once before the beginning.
    const rows = `${"x".repeat(98)}\r\n`.repeat(6000);
    for (const hours of [[0, 5], [6]]) {
      for (const hour of hours) {
        vi.setSystemTime(START + hour * HOUR);
        shell.print(`at ${hour}\r\n${rows}`);
        await lab.recorder.flush();
      }
      await lab.recorder.flush({ rotate: true });
    }
    await compressed(lab.folder, 2);
    for (const { file } of (await listSegments(lab.folder)).slice(0, 1)) utimesSync(file, START / 1000, START / 1000);
    expect((await made({ since: START + 4 * HOUR }))?.content).toContain("at 5");
    for (const { file } of await listSegments(lab.folder)) utimesSync(file, START / 1000, START / 1000);
    expect((await made({ since: START + 5.5 * HOUR }))?.content).toContain("at 6");
  });

  test("has what was printed before the clock was set back", async () => {
    const { lab, shell, made } = exportLab();
    await using _ = lab;
    for (const [index, hour] of [10, 0, 1].entries()) {
      vi.setSystemTime(START + hour * HOUR);
      shell.print(`piece ${index}\r\n`);
      await lab.recorder.flush({ rotate: true });
    }
    await compressed(lab.folder, 3);
    // A segment that grows, which was written to last after the clock was set back.
    vi.setSystemTime(START + 12 * HOUR);
    shell.print("piece 3\r\n");
    await lab.recorder.flush();
    for (const { file } of (await listSegments(lab.folder)).slice(-1)) utimesSync(file, START / 1000, START / 1000);
    const texts = async (since: number) =>
      eventsOf((await made({ since }))?.content).events.map(([, , text]) => text.trim());
    expect(await texts(START + 9 * HOUR)).toEqual(["piece 0", "piece 1", "piece 2", "piece 3"]);
    expect(await texts(START + 11 * HOUR)).toEqual(["piece 0\r\npiece 1\r\npiece 2", "piece 3"]);
  });

  test("does not begin within an escape sequence", async () => {
    const { lab, shell, made } = exportLab();
    await using _ = lab;
    shell.print(`\u001b]0;${"t".repeat(4000)}\u0007line\r\n`.repeat(120));
    await lab.recorder.flush();
    vi.setSystemTime(START + HOUR);
    shell.print("last\r\n");
    const { events } = eventsOf((await made({ since: START + HOUR / 2, redacts: false }))?.content);
    const [[, , lead = ""] = []] = events;
    expect(lead.startsWith("line\r\n") || lead.startsWith("\u001b")).toBe(true);
    expect(lead.length).toBeGreaterThan(128 * 1024);
    expect(events.at(-1)?.[2]).toBe("last\r\n");
  });

  test("begins within no secret, where more was printed than is shown", async () => {
    const { lab, shell, made } = exportLab();
    await using _ = lab;
    const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    // Wherever a lead begins, a token stands there.
    shell.print(`${token} `.repeat(80).concat("\r\n").repeat(120));
    await lab.recorder.flush();
    vi.setSystemTime(START + HOUR);
    shell.print("last\r\n");
    const { events } = eventsOf((await made({ since: START + HOUR / 2 }))?.content);
    const shown = events.map(([, , text]) => text).join("");
    expect(shown.length).toBeGreaterThan(128 * 1024);
    expect(shown).not.toMatch(/[a-z]{5}/);
    expect(shown.endsWith("last\r\n")).toBe(true);
  });
});
