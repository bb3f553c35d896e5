import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { expect, test } from "vitest";
import { BudgetRows } from "../../../../../main/relay/store/budget-rows.ts";
import { migrations } from "../../../../../main/relay/store/migrations.ts";
import { openStore, StoreError } from "../../../../../main/relay/store/open-store.ts";
import { Store } from "../../../../../main/relay/store/store.ts";
import { markStore } from "../../../../../main/relay/store/store-mark.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const versionOf = (file: string) => {
  const database = new Database(file);
  try {
    return (database.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;
  } finally {
    database.close();
  }
};

test("a new store is private to its user and up to date", () => {
  using folder = temporaryFolder();
  const data = join(folder.path, "data");
  const { database, lost } = openStore(data);
  expect(lost).toBeUndefined();
  expect(statSync(data).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(data)) expect(statSync(join(data, name)).mode & 0o077, name).toBe(0);
  database.close();
  expect(versionOf(join(data, "patchbay.db"))).toBe(migrations.length);
});

test.each(migrations.map((_, version) => version))(
  "a store of schema %i is brought up to date, and keeps what it has",
  (version) => {
    using folder = temporaryFolder();
    const file = join(folder.path, "patchbay.db");
    const old = new Database(file);
    for (const step of migrations.slice(0, version)) old.exec(step);
    old.exec(`PRAGMA user_version = ${version}`);
    if (version > 0) old.exec("INSERT INTO meta (key, value) VALUES ('kept', 'yes')");
    old.close();
    const { database } = openStore(folder.path);
    const row = database.prepare("SELECT value FROM meta WHERE key = 'kept'").get();
    expect((row as { value: string } | undefined)?.value).toBe(version > 0 ? "yes" : undefined);
    expect(() => database.prepare("SELECT * FROM plugins").all()).not.toThrow();
    database.close();
    expect(versionOf(file)).toBe(migrations.length);
  },
);

test("before a store is brought up to date, a copy of it is kept, private to its user", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "patchbay.db");
  const old = new Database(file);
  for (const step of migrations.slice(0, 3)) old.exec(step);
  old.exec("PRAGMA user_version = 3; INSERT INTO meta (key, value) VALUES ('kept', 'yes')");
  old.close();
  // What a start left that was killed while it copied.
  writeFileSync(`${file}.schema-3.new`, "half");

  openStore(folder.path).database.close();
  openStore(folder.path).database.close();

  expect(readdirSync(folder.path).filter((name) => name.includes("schema"))).toEqual(["patchbay.db.schema-3"]);
  const copy = `${file}.schema-3`;
  expect([versionOf(copy), statSync(copy).mode & 0o777]).toEqual([3, 0o600]);
  const reader = new Database(copy, { readonly: true });
  expect(reader.prepare("SELECT key, value FROM meta").all()).toEqual([{ key: "kept", value: "yes" }]);
  reader.close();
});

test("a store of the development version that had no table of requests gets it", () => {
  using folder = temporaryFolder();
  const old = new Database(join(folder.path, "patchbay.db"));
  for (const step of migrations.slice(0, 6)) old.exec(step);
  old.exec("DROP TABLE requests; PRAGMA user_version = 6");
  old.close();
  const { database } = openStore(folder.path);
  expect(database.prepare("SELECT id, body, at, answer FROM requests").all()).toEqual([]);
  database.close();
});

test("other rooms keep tables of their own, step by step", () => {
  using folder = temporaryFolder();
  openStore(folder.path, { agents: ["CREATE TABLE one (x)"] }).database.close();
  const { database } = openStore(folder.path, { agents: ["CREATE TABLE one (x)", "CREATE TABLE two (x)"] });
  expect(database.prepare("SELECT * FROM two").all()).toEqual([]);
  database.close();
  expect(() => openStore(folder.path, { agents: ["CREATE TABLE one (x)"] })).toThrow(
    /newer version.*schema 2.*knows 1/,
  );
});

test("a damaged database is kept aside, and a fresh one starts", () => {
  using folder = temporaryFolder();
  const garbage = "this is not a database at all, but it is long enough to look like one ".repeat(100);
  writeFileSync(join(folder.path, "patchbay.db"), garbage);
  const { database, lost } = openStore(folder.path);
  database.close();
  const [, aside = ""] = /kept as (\S+),/.exec(lost ?? "") ?? [];
  expect(aside).toMatch(/patchbay\.db\.damaged-/);
  expect(readFileSync(aside, "utf8")).toBe(garbage);
  expect(versionOf(join(folder.path, "patchbay.db"))).toBe(migrations.length);
});

test.each([
  ["without one of its tables", "DROP TABLE chat", "no table chat"],
  ["that says that it is new", "PRAGMA user_version = 0", "says schema 0"],
  ["with a schema below all", "PRAGMA user_version = -3", "says schema -3"],
  ["with a name that is no UTF-8", addSession("CAST(x'61ff' AS TEXT)"), "text that is no UTF-8 in table sessions"],
  [
    "with such a text after hundreds of rows",
    `${addSession("'one'")}; WITH RECURSIVE ids (id) AS (VALUES (1) UNION ALL SELECT id + 1 FROM ids WHERE id < 999)
      INSERT INTO chat SELECT 's-1', id, CASE id WHEN 990 THEN CAST(x'22c322' AS TEXT) ELSE '""' END FROM ids`,
    "text that is no UTF-8 in table chat",
  ],
  [
    "with such a text in a table without row ids",
    "CREATE TABLE more (a TEXT PRIMARY KEY, b TEXT) WITHOUT ROWID; INSERT INTO more VALUES ('a', CAST(x'ff' AS TEXT))",
    "text that is no UTF-8 in table more",
  ],
])("a database %s is damaged: it is kept aside, and a fresh one starts", (_what, change, said) => {
  using folder = temporaryFolder();
  openStore(folder.path).database.close();
  const file = join(folder.path, "patchbay.db");
  const changed = new Database(file);
  changed.exec(change);
  changed.close();
  const { database, lost } = openStore(folder.path);
  expect(lost).toMatch(/^The database was damaged \(.*\)\. It is kept as .*, and a fresh one was started\.$/);
  expect(lost).toContain(said);
  expect(database.prepare("SELECT count(*) AS lines FROM chat").get()).toMatchObject({ lines: 0 });
  database.close();
});

test("the log is written back to the database after 32 MiB of writes, not before", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "patchbay.db");
  const { database } = openStore(folder.path);
  const write = database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('large', ?)");
  const text = "x".repeat(1024 * 1024);
  const { mtimeMs: before } = statSync(file);
  for (let written = 0; written < 30; written++) write.run([text]);
  expect(statSync(file).mtimeMs).toBe(before);
  for (let written = 30; written < 36; written++) write.run([text]);
  expect(statSync(file).mtimeMs).toBeGreaterThan(before);
  database.close();
});

test("data of a newer version is refused and left alone", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "patchbay.db");
  openStore(folder.path).database.close();
  const newer = new Database(file);
  newer.exec(`PRAGMA user_version = ${migrations.length + 1}`);
  newer.close();
  expect(() => openStore(folder.path)).toThrow(StoreError);
  expect(() => openStore(folder.path)).toThrow("written by a newer version of Patchbay");
  expect(versionOf(file)).toBe(migrations.length + 1);
});

test("a folder that cannot be made says what to do", () => {
  using folder = temporaryFolder();
  // Also root cannot make a folder below a file.
  writeFileSync(join(folder.path, "file"), "");
  const attempt = () => openStore(join(folder.path, "file", "data"));
  expect(attempt).toThrow(StoreError);
  expect(attempt).toThrow("make it writable, or choose another with --data");
});

test("a process that opens the store beside a running relay takes nothing from it, whatever the log looks like", () => {
  using folder = temporaryFolder();
  const relay = openStore(folder.path).database;
  // The log exists, and is empty until the next write.
  relay.pragma("wal_checkpoint(TRUNCATE)");
  markStore(folder.path, { id: "any", inUse: true });
  const other = openStore(folder.path).database;
  relay.exec("INSERT INTO meta (key, value) VALUES ('acknowledged', 'yes')");
  const row = other.prepare("SELECT value FROM meta WHERE key = 'acknowledged'").get() as { value: string } | undefined;
  other.close();
  relay.close();
  expect(row?.value).toBe("yes");
});

/** A store of the version before the step that made this table, with what it had of its tables then. */
function olderThan(table: string, folder: string): Database.Database {
  const step = migrations.findIndex((sql) => sql.includes(`CREATE TABLE ${table} `));
  const old = new Database(join(folder, "patchbay.db"));
  for (const sql of migrations.slice(0, step)) old.exec(sql);
  old.exec(`PRAGMA user_version = ${step}`);
  return old;
}

test("a step that fails half-way changes nothing, and the store opens once the obstacle is gone", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "patchbay.db");
  const old = olderThan("budget_limits", folder.path);
  old.exec("INSERT INTO budgets VALUES ('day', 5); CREATE TABLE budget_counts (obstacle)");
  const tables = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name";
  const [before, version] = [old.prepare(tables).all([]), versionOf(file)];
  old.close();
  expect(() => openStore(folder.path)).toThrow(StoreError);
  const left = new Database(file);
  expect([left.prepare(tables).all([]), versionOf(file)]).toEqual([before, version]);
  expect(left.prepare("SELECT scope, usd FROM budgets").all([])).toEqual([{ scope: "day", usd: 5 }]);
  left.exec("DROP TABLE budget_counts");
  left.close();
  openStore(folder.path).database.close();
  expect(versionOf(file)).toBe(migrations.length);
});

test("budgets from before they could hold go on to warn only, with what they have warned of", () => {
  using folder = temporaryFolder();
  const old = olderThan("budget_limits", folder.path);
  old.exec(`INSERT INTO budgets VALUES ('day', 5), ('session', 2.5);
    INSERT INTO budget_alerts VALUES ('day', '2026-03-14', 80), ('day', '2026-03-14', 100)`);
  old.close();
  const { database } = openStore(folder.path);
  const rows = new BudgetRows(database);
  expect(rows.list()).toEqual([
    { scope: "day", subject: "", unit: "dollars", limit: 5, atLimit: "warn" },
    { scope: "session", subject: "", unit: "dollars", limit: 2.5, atLimit: "warn" },
  ]);
  expect(rows.counts({ scope: "day", subject: "", unit: "dollars" })).toEqual([
    { of: "2026-03-14", percent: 100, raised: null, state: "within", session: null, question: null },
  ]);
  database.close();
});

test("a schema that is no UTF-8 is damage", () => {
  using folder = temporaryFolder();
  const first = openStore(folder.path).database;
  first.exec("CREATE TABLE more (a TEXT DEFAULT 'QZQZ')");
  first.pragma("wal_checkpoint(TRUNCATE)");
  first.close();
  const file = join(folder.path, "patchbay.db");
  const bytes = readFileSync(file);
  bytes[bytes.indexOf("QZQZ")] = 0xff;
  writeFileSync(file, bytes);
  const { database, lost } = openStore(folder.path);
  database.close();
  expect(lost).toMatch(/^The database was damaged \(.*no UTF-8 in its schema\)\./);
});

test("a text that is damaged while the database is used is refused in a sentence, told once, and ends nothing", () => {
  using folder = temporaryFolder();
  const { database, watchDamage } = openStore(folder.path);
  using store = new Store(database);
  const found: unknown[] = [];
  watchDamage((error) => void found.push(error));
  const disk = new Database(join(folder.path, "patchbay.db"));
  disk.exec(addSession("CAST(x'61ff' AS TEXT)"));
  disk.close();
  for (const _ of [1, 2])
    expect(() => store.sessions.list()).toThrow(/^The database is damaged \(.*\): restart Patchbay/);
  expect(found).toHaveLength(1);
});

/** Returns the statement that adds a session, as SQL. */
function addSession(name: string): string {
  return `INSERT INTO sessions (id, name, owner, created_at) VALUES ('s-1', ${name}, 'ann', '')`;
}
