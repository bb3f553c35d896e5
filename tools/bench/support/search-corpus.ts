import { execFileSync } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../../setup/checkout.mjs";

/** Longest line of which an index finds every part. */
const MAX_LINE = 8192;
/** Files of installed packages beyond this are mostly generated, in few long lines. */
const MAX_FILE_BYTES = 512 * 1024;
const TEXT = /\.(?:[cm]?[jt]sx?|md|json|css|txt|html)$/;
const MAX_PRINTED_BYTES = 512 * 1024 * 1024;

/**
 * Writes files of text as terminals see it, together at least `bytes` long: what git and the compiler print of this
 * checkout, its transcripts of agents, and the sources of its packages; then the same with a time before each line, as a
 * log, until there is enough.
 *
 * @returns the files
 */
export function writeCorpus(folder: string, files: number, bytes: number): string[] {
  const names = Array.from({ length: files }, (_, index) => join(folder, `corpus-${index}`));
  const open = names.map((name) => openSync(name, "w"));
  let written = 0;
  let pieces = 0;
  const write = (text: string) => {
    const file = open[pieces++ % files];
    if (file !== undefined && text !== "") written += writeSync(file, text);
  };
  try {
    for (let copy = 0; written < bytes; copy += 1) {
      for (const text of texts()) {
        if (written >= bytes) break;
        write(copy === 0 ? text : logged(text, copy));
      }
    }
  } finally {
    open.forEach(closeSync);
  }
  return names;
}

/** Lines that a terminal shows as they are. */
function* texts(): Generator<string> {
  yield* cut(run("git", ["log", "--patch", "--no-color"]));
  yield* cut(
    run(process.execPath, [join("node_modules", "typescript", "bin", "tsc"), "-p", "core", "--traceResolution"]),
  );
  for (const folder of [join("test", "fixtures"), "node_modules"]) yield* filesIn(join(checkout, folder));
}

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || (!/\.jsonl$/.test(entry.name) && !TEXT.test(entry.name))) continue;
    if (statSync(file).size <= MAX_FILE_BYTES) yield* cut(readFileSync(file, "utf8"));
  }
}

function* cut(text: string): Generator<string> {
  const lines = text
    .split("\n")
    .filter((line) => line.length < MAX_LINE && !/[\p{Cc}\p{Cf}\p{Cs}\uFFFD]/u.test(line.replaceAll("\t", "")));
  for (let at = 0; at < lines.length; at += 2000) yield `${lines.slice(at, at + 2000).join("\n")}\n`;
}

function logged(text: string, copy: number): string {
  const start = Date.UTC(2026, copy, 1);
  return text.replace(/^(?=.)/gm, (_, at: number) => `${new Date(start + at * 37).toISOString()} worker[${copy}] `);
}

function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, { cwd: checkout, encoding: "utf8", maxBuffer: MAX_PRINTED_BYTES });
}
