import Database from "libsql";
import { afterEach, beforeEach, expect, test } from "vitest";
import { guardTexts } from "../../../../../main/relay/store/guard-texts.ts";

let database: Database.Database;
beforeEach(() => {
  database = new Database(":memory:");
  database.exec("CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB)");
  database.exec("INSERT INTO rows VALUES (1, 'b\u00fc', x'01ff'), (2, 'a', NULL), (3, NULL, x'')");
  guardTexts(database);
});
afterEach(() => void database.close());

test("values, their order and parameters are as without it", () => {
  const all = database.prepare('SELECT id, text AS "the text" FROM rows WHERE id <= ?2 ORDER BY text DESC LIMIT ?1');
  expect(all.all([5, 2])).toMatchObject([
    { id: 1, "the text": "b\u00fc" },
    { id: 2, "the text": "a" },
  ]);
  expect(database.prepare("SELECT text, 1 AS one FROM rows WHERE id = ?").get([3])).toMatchObject({
    text: null,
    one: 1,
  });
  expect(database.prepare("SELECT text FROM rows WHERE id = ?").get([9])).toBeUndefined();
  expect(database.prepare("SELECT text, text, id FROM rows ORDER BY id DESC").raw().all([])).toEqual([
    [null, null, 3],
    ["a", "a", 2],
    ["b\u00fc", "b\u00fc", 1],
  ]);
  expect(
    database.prepare("WITH one (n) AS (VALUES ('x')) SELECT n || text AS n FROM one, rows").all([])[0],
  ).toMatchObject({
    n: "xb\u00fc",
  });
});

test("bytes stay bytes", () => {
  const { bytes } = database.prepare("SELECT bytes FROM rows WHERE id = 1").get([]) as { bytes: ArrayBuffer };
  expect(Buffer.from(bytes)).toEqual(Buffer.from([1, 255]));
});

test.each(["SELECT text FROM rows", "SELECT 'x' || text AS text FROM rows", "SELECT max(text) AS text FROM rows"])(
  "a text that is no UTF-8 is an error: %s",
  (sql) => {
    database.exec("UPDATE rows SET text = CAST(x'61ed' AS TEXT)");
    const damaged = expect.objectContaining({
      code: "SQLITE_CORRUPT",
      message: expect.stringMatching(/no UTF-8 in text$/),
    });
    expect(() => database.prepare(sql).get([])).toThrow(damaged);
    expect(() => database.prepare(sql).raw().all([])).toThrow(damaged);
  },
);
