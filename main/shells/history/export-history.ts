import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import type { ExportedHistory, ExportFormat } from "../../../core/protocol/history-export.ts";
import { redactOutput, redactSecrets } from "../../system/redact-secrets.ts";
import { plainScreen } from "../plain-screen.ts";
import type { HistoryReader } from "./history-reader.ts";
import type { OutputFrame, SegmentOwner } from "./segment.ts";

/** Output that is exported at most. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Output before the beginning that is shown at once there, so that the screen is what it was. */
const LEAD_BYTES = 256 * 1024;

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
type RecordedStep =
  | { readonly at: number; readonly kind: "output"; readonly text: string }
  | ({ readonly at: number; readonly kind: "size" } & Size);

interface Recording {
  readonly size: Size;
  readonly steps: readonly RecordedStep[];
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

/**
 * Writes what a shell has printed within a time as a recording or as text; undefined where nothing is kept of it.
 *
 * @param player the folder of asciinema-player's files
 */
export async function exportHistory(
  reader: Pick<HistoryReader, "frames">,
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
    let redacted = 0;
    const count = () => {
      redacted += 1;
    };
    const content = redacts ? redactSecrets(text, count) : text;
    return { content, redacted };
  }
  const { shown, redacted } = redacts ? redactedRecording(recording) : { shown: recording, redacted: 0 };
  const write = { asciicast: asciicast2, asciicast3, html: (cast: Recording) => page(asciicast2(cast), player) };
  return { content: await write[format](shown), redacted };
}

async function readRecording(
  reader: Pick<HistoryReader, "frames">,
  { owner, since, until }: ExportWish,
): Promise<Recording> {
  const recording = new RecordingBuilder(since, until);
  let expected: number | undefined;
  for await (const frame of reader.frames(owner)) {
    if (frame.kind === "event") {
      if (frame.event.kind === "size") recording.resize(frame.event);
      continue;
    }
    if (frame.at >= until || recording.isCut) break;
    const known = Math.max(0, (expected ?? frame.offset) - frame.offset);
    // What follows a gap can be read from the first piece that knows its state.
    if (frame.offset > (expected ?? frame.offset) && frame.before === undefined) continue;
    expected = Math.max(expected ?? 0, frame.offset + frame.bytes.length);
    for (const piece of piecesOf(frame, known)) recording.add(piece);
  }
  return recording.build();
}

interface Piece {
  readonly at: number;
  readonly bytes: Buffer;
}

/** Takes what was printed in its order, and keeps what belongs to a time, and what is shown at its beginning. */
class RecordingBuilder {
  isCut = false;
  readonly #since: number;
  readonly #until: number;
  readonly #decoder = new StringDecoder("utf8");
  readonly #steps: RecordedStep[] = [];
  readonly #pieces: Buffer[] = [];
  #lead: Buffer[] = [];
  #leadLength = 0;
  #length = 0;
  #size: Size = { cols: 80, rows: 24 };

  constructor(since: number, until: number) {
    this.#since = since;
    this.#until = until;
  }

  resize({ at, cols, rows }: Size & { readonly at: number }): void {
    if (this.#steps.length === 0) this.#size = { cols, rows };
    else if (at < this.#until) this.#steps.push({ at, kind: "size", cols, rows });
  }

  add({ at, bytes }: Piece): void {
    if (at >= this.#until) return;
    if (at < this.#since) {
      if (this.#steps.length === 0) this.#addLead(bytes);
      return;
    }
    this.isCut ||= this.#length >= MOST_BYTES;
    if (this.isCut) return;
    this.#length += bytes.length;
    if (this.#steps.length === 0 && this.#lead.length > 0) this.#push(at, Buffer.concat(this.#lead));
    this.#push(at, bytes);
  }

  build(): Recording {
    return { size: this.#size, steps: this.#steps, bytes: Buffer.concat(this.#pieces), isCut: this.isCut };
  }

  #push(at: number, bytes: Buffer): void {
    this.#pieces.push(bytes);
    const text = this.#decoder.write(bytes);
    if (text !== "") this.#steps.push({ at, kind: "output", text });
  }

  #addLead(bytes: Buffer): void {
    this.#lead.push(bytes);
    this.#leadLength += bytes.length;
    for (let [first] = this.#lead; first !== undefined; [first] = this.#lead) {
      if (this.#leadLength - first.length < LEAD_BYTES) break;
      this.#leadLength -= first.length;
      this.#lead = this.#lead.slice(1);
    }
  }
}

/** Splits a frame by the times at which its bytes came, without the first `known` bytes. */
function piecesOf({ at, times, bytes }: OutputFrame, known: number): Piece[] {
  const marks: (readonly [number, number])[] = [[0, 0], ...times];
  return marks.flatMap(([from, later], index) => {
    const end = marks[index + 1]?.[0] ?? bytes.length;
    const piece = bytes.subarray(Math.max(from, known), end);
    return piece.length === 0 ? [] : [{ at: at + later, bytes: piece }];
  });
}

/** Hides secrets, also those that came in several pieces: places in the text stay what they are. */
function redactedRecording(recording: Recording): { readonly shown: Recording; readonly redacted: number } {
  const { text: all, count } = redactOutput(
    recording.steps.map((step) => (step.kind === "output" ? step.text : "")).join(""),
  );
  let at = 0;
  const steps = recording.steps.map((step) => {
    if (step.kind !== "output") return step;
    const text = all.slice(at, at + step.text.length);
    at += step.text.length;
    return { ...step, text };
  });
  return { shown: { ...recording, steps }, redacted: count };
}

/** https://docs.asciinema.org/manual/asciicast/v2/ */
function asciicast2({ size, steps }: Recording): string {
  const start = steps[0]?.at ?? 0;
  const head = { version: 2, width: size.cols, height: size.rows, timestamp: Math.floor(start / 1000) };
  return linesOf(head, steps, (at) => (at - start) / 1000);
}

/** https://docs.asciinema.org/manual/asciicast/v3/ */
function asciicast3({ size, steps }: Recording): string {
  let before = steps[0]?.at ?? 0;
  const head = { version: 3, term: { cols: size.cols, rows: size.rows }, timestamp: Math.floor(before / 1000) };
  return linesOf(head, steps, (at) => {
    const interval = at - before;
    before = at;
    return interval / 1000;
  });
}

/** Times never go back, also where a clock did. */
function linesOf(head: object, steps: readonly RecordedStep[], timeOf: (at: number) => number): string {
  const lines = [JSON.stringify(head)];
  let latest = 0;
  for (const step of steps) {
    latest = Math.max(latest, step.at);
    const event = step.kind === "output" ? ["o", step.text] : ["r", `${step.cols}x${step.rows}`];
    lines.push(JSON.stringify([timeOf(latest), ...event]));
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
