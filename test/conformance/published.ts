import { readFileSync } from "node:fs";
import path from "node:path";

const file = path.join(import.meta.dirname, "../../docs/conformance.md");

/** Returns the rows of docs/conformance.md whose first cell is one of `names`, as their cells. */
export function publishedRows(names: readonly string[]): string[][] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.slice(2, -2).split(" | "))
    .filter(([name]) => name !== undefined && names.includes(name));
}
