import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { checkout } from "../setup/checkout.mjs";
import { SetUpError } from "../setup/set-up-error.mjs";
import { table } from "./bench-table.mjs";

/** @typedef {import("./bench-row.ts").BenchRow} BenchRow */

/**
 * @typedef {object} Report one run of a benchmark
 * @property {string} name
 * @property {string} at when, in ISO 8601
 * @property {{ cores: number, processor: string | undefined, node: string }} machine
 * @property {{ before: number, after: number }} load averages of one minute
 * @property {BenchRow[]} rows
 */

/** The reports of a release, by benchmark. @typedef {Record<string, Report>} Figures */

const FILE = "tools/bench/figures.json";
/** What moves by less is the noise of two runs. */
const MOVED = 0.1;

/**
 * The figures that were kept at a revision.
 * @param {string} revision as git names it
 * @returns {Figures}
 */
export function figuresAt(revision) {
  const { status, stdout, stderr } = spawnSync("git", ["show", `${revision}:${FILE}`], {
    cwd: checkout,
    encoding: "utf8",
  });
  if (status !== 0) throw new SetUpError(`There are no figures at ${revision}: ${stderr.trim()}`);
  return JSON.parse(stdout);
}

/** Keeps a run as the one that later ones are compared with. @param {Report} report */
export function keepFigures(report) {
  const file = path.join(checkout, FILE);
  /** @type {Figures} */
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const all = Object.entries({ ...kept, [report.name]: report }).sort(([a], [b]) => a.localeCompare(b));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}

/**
 * What moved by more than a tenth between two runs. Ratios to a baseline of the same run are compared where both have
 * one, because they depend less on the machine.
 * @param {readonly BenchRow[]} before
 * @param {readonly BenchRow[]} now
 * @returns {{ name: string, before: number, now: number, unit: string, change: number }[]} `change` is 0.2 for a fifth more
 */
export function movedFigures(before, now) {
  return now.flatMap((row) => {
    const old = before.find(({ name }) => name === row.name);
    if (old === undefined) return [];
    const isRatio = old.ratio !== undefined && row.ratio !== undefined;
    const [was, is] = isRatio ? [old.ratio, row.ratio] : [old.value, row.value];
    if (!was || is === undefined || is === null) return [];
    const change = is / was - 1;
    if (Math.abs(change) <= MOVED) return [];
    return [{ name: row.name, before: was, now: is, unit: isRatio ? "x" : row.unit, change }];
  });
}

/**
 * @param {Report | undefined} before
 * @param {Report} now
 * @returns {string} the moved figures in columns, or a sentence that says why there are none
 */
export function movedTable(before, now) {
  if (before === undefined) return `${now.name} has no figures to compare with.\n`;
  const moved = movedFigures(before.rows, now.rows);
  const when = `${before.at.slice(0, 10)} (load ${before.load.before}, Node ${before.machine.node})`;
  if (moved.length === 0) return `Nothing moved by more than 10 % since ${when}.\n`;
  const rows = moved.map(({ name, before: was, now: is, unit, change }) => [
    name,
    `${was} ${unit}`.trim(),
    `${is} ${unit}`.trim(),
    `${change > 0 ? "+" : ""}${Math.round(change * 100)} %`,
  ]);
  return `Moved by more than 10 % since ${when}:\n${table([["figure", "before", "now", ""], ...rows])}`;
}
