import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import type { ExportedHistory, ExportFormat } from "../../../core/protocol/history-export.ts";
import { withoutFirstLine, withoutLastWord } from "../../system/redact-part.ts";
import { redactOutput, redactSecrets } from "../../system/redact-secrets.ts";
import { plainScreen } from "../plain-screen.ts";
import { VtScanner, type VtState } from "../vt-scanner.ts";
import type { HistoryReader } from "./history-reader.ts";
import { type RecordedStep, recordedSteps } from "./recorded-steps.ts";
import type { SegmentOwner } from "./segment.ts";

/** Output that is exported at most. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Output before the beginning that is shown at once there, so that the screen is what it was. */
const LEAD_BYTES = 256 * 1024;
/** Output after the end in which a secret may go on that begins before it. */
const AFTER_BYTES = 32 * 1024;

/** State of a parser that is in no escape sequence. */
const OUTSIDE = new VtScanner().save();

export interface ExportWish {
  readonly owner: SegmentOwner;
  /** In ms since 1970. */
  readonly since: number;
  readonly until: number;
  readonly format: ExportFormat;
  /** Whether secrets are hidden. */
  readonly redacts: boolean;
}

interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** What was printed at a time, or the size that the terminal got. */
type ShownStep =
  | { readonly at: number; readonly kind: "output"; readonly text: string }
  | ({ readonly at: number; readonly kind: "size" } & Size);

type OutputStep = Extract<RecordedStep, { kind: "output" }>;

interface Recording {
  readonly size: Size;
  readonly steps: readonly ShownStep[];
  readonly bytes: Buffer;
  readonly isCut: boolean;
  /** Something was printed before: the first line may begin within a secret. */
  readonly isBegun: boolean;
  /** Output that follows, as far as it is read. */
  readonly after: Buffer;
}

/**
 * Writes what a shell has printed within a time as a recording or as text; undefined where nothing is kept of it.
 *
 * @param player the folder of asciinema-player's files
 */
export async function exportHistory(
  reader: Pick<HistoryReader, "frames" | "startOf">,
  wish: ExportWish,
  player: string,
): Promise<ExportedHistory | undefined> {
  const recording = await readRecording(reader, wish);
  const [first, last] = [recording.steps[0], recording.steps.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const { content, redacted } = await contentOf(recording, wish, player);
  return {
    content,
    redacted,
    from: new Date(first.at).toISOString(),
    until: new Date(last.at).toISOString(),
    bytes: recording.bytes.length,
    isCut: recording.isCut,
  };
}

async function contentOf(
  recording: Recording,
  { format, redacts }: ExportWish,
  player: string,
): Promise<Pick<ExportedHistory, "content" | "redacted">> {
  if (format === "text") {
    const text = await plainScreen(recording.bytes, recording.size);
    if (!redacts) return { content: text, redacted: 0 };
    let redacted = 0;
    const count = ({ from }: { readonly from: number }) => {
      if (from < text.length) redacted += 1;
    };
    const all = redactSecrets(text + (await plainScreen(recording.after, recording.size)), count);
    return { content: withoutBorders(all.slice(0, text.length), recording), redacted };
  }
  const { shown, redacted } = redacts ? redactedRecording(recording) : { shown: recording, redacted: 0 };
  const write = { asciicast: asciicast2, asciicast3, html: (cast: Recording) => page(asciicast2(cast), player) };
  return { content: await write[format](shown), redacted };
}

async function readRecording(
  reader: Pick<HistoryReader, "frames" | "startOf">,
  { owner, since, until }: ExportWish,
): Promise<Recording> {
  const recording = new RecordingBuilder(since, until);
  const start = await reader.startOf(owner, since);
  if (start === undefined) return recording.build();
  for await (const step of recordedSteps(reader.frames(owner, Math.max(0, start - LEAD_BYTES)))) {
    if (recording.isDone) break;
    recording.add(step);
  }
  return recording.build();
}

/**
 * Takes what was printed in its order, and keeps what belongs to a time, and what is shown at its beginning. A clock may be
 * set: what stands between two pieces of the time belongs to it whatever the clock said.
 */
class RecordingBuilder {
  readonly #since: number;
  readonly #until: number;
  readonly #decoder = new StringDecoder("utf8");
  readonly #steps: ShownStep[] = [];
  readonly #pieces: Buffer[] = [];
  /** Pieces before the first step, from `#leadFrom` on; those before it are dropped many at once. */
  #lead: OutputStep[] = [];
  #leadFrom = 0;
  #leadLength = 0;
  /** What is not of the time, unless more of it follows. */
  #held: RecordedStep[] = [];
  #heldLength = 0;
  #length = 0;
  #size: Size = { cols: 80, rows: 24 };
  #isCut = false;
  /** Where the output that is shown begins in all that was printed. */
  #begin: number | undefined;

  constructor(since: number, until: number) {
    this.#since = since;
    this.#until = until;
  }

  /** Whether nothing more is taken. */
  get isDone(): boolean {
    return this.#isCut || this.#heldLength >= MOST_BYTES;
  }

  add(step: RecordedStep): void {
    const hasBegun = this.#steps.length > 0;
    const isWithin = step.at >= this.#since && step.at < this.#until;
    if (step.kind === "output" && isWithin) {
      for (const held of this.#held.splice(0)) this.#push(held);
      this.#heldLength = 0;
      if (!hasBegun) this.#pushLead(step.at);
      this.#push(step);
    } else if (hasBegun) {
      this.#held.push(step);
      if (step.kind === "output") this.#heldLength += step.bytes.length;
    } else if (step.kind === "size") {
      this.#size = { cols: step.cols, rows: step.rows };
    } else {
      this.#addLead(step);
    }
  }

  build(): Recording {
    return {
      ...{ size: this.#size, steps: this.#steps, bytes: Buffer.concat(this.#pieces), isCut: this.#isCut },
      ...{ isBegun: (this.#begin ?? 0) > 0, after: this.#after() },
    };
  }

  #after(): Buffer {
    const pieces: Buffer[] = [];
    let length = 0;
    for (const step of this.#held) {
      if (length >= AFTER_BYTES) break;
      if (step.kind !== "output") continue;
      pieces.push(step.bytes);
      length += step.bytes.length;
    }
    return Buffer.concat(pieces);
  }

  #push(step: RecordedStep): void {
    if (step.kind === "size") {
      this.#steps.push({ kind: "size", at: step.at, cols: step.cols, rows: step.rows });
      return;
    }
    this.#isCut ||= this.#length >= MOST_BYTES;
    if (this.#isCut) return;
    this.#length += step.bytes.length;
    this.#begin ??= step.offset;
    this.#pushBytes(step.at, step.bytes);
  }

  #pushBytes(at: number, bytes: Buffer): void {
    this.#pieces.push(bytes);
    const text = this.#decoder.write(bytes);
    if (text !== "") this.#steps.push({ at, kind: "output", text });
  }

  /** Shows what was printed before, from the first piece on whose state is known: the rest of an escape sequence is no text. */
  #pushLead(at: number): void {
    const pieces = this.#lead.slice(this.#leadFrom);
    const first = pieces.findIndex(({ before }) => before !== undefined);
    const { before, offset } = pieces[first] ?? {};
    if (before === undefined) return;
    this.#begin = offset;
    const bytes = outsideOf(before, Buffer.concat(pieces.slice(first).map((piece) => piece.bytes)));
    if (bytes.length > 0) this.#pushBytes(at, bytes);
  }

  #addLead(step: OutputStep): void {
    this.#lead.push(step);
    this.#leadLength += step.bytes.length;
    for (let first = this.#lead[this.#leadFrom]; first !== undefined; first = this.#lead[this.#leadFrom]) {
      if (this.#leadLength - first.bytes.length < LEAD_BYTES) break;
      this.#leadLength -= first.bytes.length;
      this.#leadFrom += 1;
    }
    if (this.#leadFrom * 2 <= this.#lead.length) return;
    this.#lead = this.#lead.slice(this.#leadFrom);
    this.#leadFrom = 0;
  }
}

/** Returns output without its beginning, as far as that continues an escape sequence or a character. */
function outsideOf(before: VtState, bytes: Buffer): Buffer {
  if (before.phase === OUTSIDE.phase && before.need === 0) return bytes;
  let begin = bytes.length;
  const scanner = new VtScanner({
    text: (_, from) => {
      begin = Math.min(begin, from);
    },
  });
  scanner.restore(before);
  scanner.push(bytes);
  return bytes.subarray(begin);
}

/** Hides secrets, also those that came in several pieces: places in the text stay what they are. */
function redactedRecording(recording: Recording): { readonly shown: Recording; readonly redacted: number } {
  const printed = recording.steps.map((step) => (step.kind === "output" ? step.text : "")).join("");
  const { text, count } = redactOutput(printed + recording.after.toString("utf8"), printed.length);
  const all = withoutBorders(text.slice(0, printed.length), recording);
  let at = 0;
  const steps = recording.steps.map((step) => {
    if (step.kind !== "output") return step;
    const text = all.slice(at, at + step.text.length);
    at += step.text.length;
    return { ...step, text };
  });
  return { shown: { ...recording, steps }, redacted: count };
}

/**
 * Hides what a secret may be a part of that begins before an export or goes on after it: those who ask for one choose its
 * borders, and a shell that runs may print the rest next.
 */
function withoutBorders(text: string, { isBegun }: Recording): string {
  return withoutLastWord(isBegun ? withoutFirstLine(text) : text);
}

/** https://docs.asciinema.org/manual/asciicast/v2/ */
function asciicast2({ size, steps }: Recording): string {
  const start = steps[0]?.at ?? 0;
  const head = { version: 2, width: size.cols, height: size.rows, timestamp: Math.floor(start / 1000) };
  let time = 0;
  return linesOf(head, steps, (interval) => {
    time += interval;
    return time / 1000;
  });
}

/** https://docs.asciinema.org/manual/asciicast/v3/ */
function asciicast3({ size, steps }: Recording): string {
  const timestamp = Math.floor((steps[0]?.at ?? 0) / 1000);
  const head = { version: 3, term: { cols: size.cols, rows: size.rows }, timestamp };
  return linesOf(head, steps, (interval) => interval / 1000);
}

/**
 * Writes the lines of a recording. Times never go back, also where a clock did.
 *
 * @param timeOf returns what stands in a line, of the milliseconds since the line before it
 */
function linesOf(head: object, steps: readonly ShownStep[], timeOf: (interval: number) => number): string {
  const lines = [JSON.stringify(head)];
  let before = steps[0]?.at ?? 0;
  for (const step of steps) {
    const event = step.kind === "output" ? ["o", step.text] : ["r", `${step.cols}x${step.rows}`];
    lines.push(JSON.stringify([timeOf(Math.max(0, step.at - before)), ...event]));
    before = step.at;
  }
  return `${lines.join("\n")}\n`;
}

/** A page that plays a recording, with all that it needs in it. */
async function page(cast: string, player: string): Promise<string> {
  const read = (name: string) => readFile(join(player, name), "utf8");
  const [code, style] = await Promise.all([read("asciinema-player.min.js"), read("asciinema-player.css")]);
  const source = `data:text/plain;base64,${Buffer.from(cast).toString("base64")}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Terminal recording</title>
<style>
${style}
body { margin: 0; background: #121314; }
#player { max-width: 1200px; margin: 24px auto; }
</style>
<div id="player"></div>
<script>
${code.replaceAll("</script", "<\\/script")}
</script>
<script>
AsciinemaPlayer.create("${source}", document.getElementById("player"), { idleTimeLimit: 2, fit: "width" });
</script>
</html>
`;
}
