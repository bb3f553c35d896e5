import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ParsePurpose, TranscriptSink } from "../../../main/agents/adapters/adapter.ts";
import { allAdapters } from "../../../main/agents/adapters/all.ts";

const adapters = allAdapters();
const session = "11111111-1111-4111-8111-111111111111";
const purposes: readonly ParsePurpose[] = ["usage", "events"];

// `tools/fuzz/fuzz.mjs` runs a target in the checkout; where its bundle lies is that script's own affair.
export const seeds = ["claude", "codex", "gemini"].flatMap((agent) => pieces(`test/fixtures/agents/${agent}`));

/** The first lines of some recorded transcripts. */
function pieces(folder: string): Buffer[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.jsonl?$/.test(entry.name))
    .slice(0, 5)
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)).subarray(0, 4000));
}

/** The records of every agent's transcript, line by line, as the reader passes them on. A line is decoded once for all. */
export function fuzz(data: Buffer): void {
  const parsers = adapters.flatMap((adapter) => purposes.map((purpose) => adapter.parser(session, purpose)));
  let start = 0;
  while (start < data.length) {
    const found = data.indexOf(10, start);
    const end = found === -1 ? data.length : found;
    const wanted = parsers.filter((parser) => parser.matters(data, start, end) !== "no");
    const record = wanted.length === 0 ? undefined : recordOf(data.subarray(start, end));
    if (record !== undefined) for (const parser of wanted) parser.record(record, start % 2 === 1, sink);
    start = end + 1;
  }
}

/** The reader skips lines that are not JSON. */
function recordOf(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    return undefined;
  }
}

const sink: TranscriptSink = {
  call({ tokens }) {
    for (const [part, count] of Object.entries(tokens)) {
      if (!Number.isFinite(count) || count < 0) throw new Error(`${part} is ${count}`);
    }
  },
  event() {},
  status() {},
  model() {},
  reported() {},
  context() {},
  windows() {},
  facts() {},
  skip() {},
};
