import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { masterKey } from "../../../../../main/shells/history/segment.ts";
import { CommandRows } from "../../../../../main/shells/history-index/command-rows.ts";
import { openIndex, Sealer } from "../../../../../main/shells/history-index/database.ts";
import { FilterRows } from "../../../../../main/shells/history-index/filter-rows.ts";
import { RedactionRows } from "../../../../../main/shells/history-index/redaction-rows.ts";
import { TextRows } from "../../../../../main/shells/history-index/text-rows.ts";

const KEY = masterKey(Buffer.alloc(32, 7));

/** An index that notes what is asked of it. */
function statementLab() {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-statements-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const database = openIndex(join(folder, "index.db"));
  onTestFinished(() => void database.close());
  const statements: string[] = [];
  const watched = new Proxy(database, {
    get(target, name) {
      if (name !== "prepare") return Reflect.get(target, name);
      return (statement: string) => {
        statements.push(statement);
        return target.prepare(statement);
      };
    },
  });
  return {
    watched,
    database,
    /** Returns how SQLite looks up the rows of a table in the statements that begin so, with these parameters. */
    plan(begin: string, table: string, parameters: number[]): string[] {
      const meant = statements.filter((statement) => statement.trim().startsWith(begin));
      const steps = meant.flatMap((statement) => database.prepare(`EXPLAIN QUERY PLAN ${statement}`).all(parameters));
      return steps
        .map((step) => z.object({ detail: z.string() }).parse(step).detail)
        .filter((detail) => detail.includes(table));
    },
  };
}

test("what was indexed before is not gone through where a shell has printed", () => {
  const { watched, database, plan } = statementLab();
  const rows = new TextRows(watched, new FilterRows(database, KEY), new RedactionRows(database));
  rows.remove(1, 1, { from: 4096 });
  const lookUps = plan("SELECT id FROM docs", "docs", [1, 4096, -1]);
  expect(lookUps.length).toBeGreaterThan(0);
  for (const lookUp of lookUps) expect(lookUp).toMatch(/shell_id=\? AND starts[<>]/);
});

test("documents that begin at an offset or later are removed, and those that end before one", () => {
  const { database, watched } = statementLab();
  const rows = new TextRows(watched, new FilterRows(database, KEY), new RedactionRows(database));
  const doc = (starts: number) => ({ text: "some text", starts, ends: starts + 10, at: 1 });
  const left = () =>
    database
      .prepare("SELECT starts FROM docs ORDER BY starts")
      .all([])
      .map((row) => z.object({ starts: z.int() }).parse(row).starts);
  rows.add(1, 1, [0, 10, 20, 30].map(doc));
  rows.add(1, 2, [5].map(doc));
  rows.remove(1, 1, { from: 30 });
  expect(left()).toEqual([0, 5, 10, 20]);
  rows.remove(1, 1, { before: 19 });
  expect(left()).toEqual([5, 10, 20]);
  rows.remove(1, 1, { before: Number.MAX_SAFE_INTEGER });
  expect(left()).toEqual([5]);
});

test("of the commands before one that starts only the latest is looked at", () => {
  const { watched, database, plan } = statementLab();
  const rows = new CommandRows(watched, new Sealer(KEY), new RedactionRows(database));
  rows.start({ shell: 1, from: 0 }, { at: 1, line: "make" });
  expect(plan("UPDATE commands SET output_to", "commands", [0, 1]).join("\n")).toContain("output_from=?");
});
