import { basename, join } from "node:path";
import { z } from "zod";
import { errorText } from "../../../core/protocol/error-text.ts";
import { readRegularFile } from "../../system/regular-files.ts";
import { list } from "./adapter-files.ts";
import amp from "./amp.json" with { type: "json" };
import auggie from "./auggie.json" with { type: "json" };
import cline from "./cline.json" with { type: "json" };
import cursorAgent from "./cursor-agent.json" with { type: "json" };
import kilo from "./kilo.json" with { type: "json" };
import { Manifest } from "./manifest.ts";
import pi from "./pi.json" with { type: "json" };

/** A manifest, and where it is from. */
export interface LoadedManifest {
  readonly kind: string;
  /** Path of the user's file; absent for one that is built in. */
  readonly file?: string;
  readonly manifest?: Manifest;
  /** Why it is not used, in a sentence. */
  readonly problem?: string;
}

const BUILT_IN = [amp, auggie, cline, cursorAgent, kilo, pi];
const MOST_FILES = 100;
const MOST_BYTES = 64 * 1024;

/**
 * Loads the manifests: those that are built in, and the user's own from a folder, which replace built-in ones of their kind.
 * The later name of two files of one kind counts, and the other has a problem; so has the first of those that are too many.
 * @param reserved - kinds that have an adapter, and no manifest
 */
export function loadManifests(folder: string | undefined, reserved: readonly string[]): readonly LoadedManifest[] {
  const loaded = new Map<string, LoadedManifest>();
  for (const one of BUILT_IN) {
    const manifest = Manifest.parse(one);
    loaded.set(manifest.kind, { kind: manifest.kind, manifest });
  }
  const bad: LoadedManifest[] = [];
  const files = folder === undefined ? [] : list(folder).filter((name) => name.endsWith(".json"));
  const paths = files.sort().map((name) => join(folder ?? "", name));
  for (const file of paths.slice(0, MOST_FILES)) {
    const one = readManifest(file, reserved);
    if (one.problem !== undefined) {
      bad.push(one);
      continue;
    }
    const before = loaded.get(one.kind)?.file;
    loaded.set(one.kind, one);
    if (before !== undefined)
      bad.push({ kind: one.kind, file: before, problem: `Another file describes the kind "${one.kind}": ${file}.` });
  }
  const [file, ...more] = paths.slice(MOST_FILES);
  if (file !== undefined) {
    const problem = `Only ${MOST_FILES} manifests are read: not this file, and ${more.length} more after it.`;
    bad.push({ kind: basename(file, ".json"), file, problem });
  }
  return [...loaded.values(), ...bad];
}

function readManifest(file: string, reserved: readonly string[]): LoadedManifest {
  const kind = basename(file, ".json");
  try {
    const manifest = parseManifest(readRegularFile(file, MOST_BYTES).toString("utf8"));
    if (!reserved.includes(manifest.kind)) return { kind: manifest.kind, file, manifest };
    return { kind, file, problem: `The kind "${manifest.kind}" is built in, and has no manifest.` };
  } catch (error) {
    return { kind, file, problem: errorText(error) };
  }
}

/** Reads a manifest. @throws Error with a sentence that says what is wrong in it */
export function parseManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`The manifest is not JSON: ${errorText(error)}.`);
  }
  const parsed = Manifest.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Error(
    `The manifest is not valid: ${z
      .prettifyError(parsed.error)
      .split("\n")
      .map((line) => line.trim())
      .join(" ")}.`,
  );
}
