import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openReadOnly } from "../../../../../main/agents/adapters/agent-database.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-database-"));
  path = join(folder, "agent.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a database that its agent is only making is not opened, and once it has tables it is", () => {
  writeFileSync(path, "");
  expect(() => openReadOnly(path, [])).toThrow("it is empty");
  const agent = new Database(path);
  try {
    agent.pragma("journal_mode = WAL");
    expect(() => openReadOnly(path, ["session"])).toThrow("it has no table session");
    agent.exec("CREATE TABLE session (id TEXT)");
    openReadOnly(path, ["session"]).close();
  } finally {
    agent.close();
  }
});
