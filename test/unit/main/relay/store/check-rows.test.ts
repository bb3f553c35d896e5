import { closeSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { reportDamage } from "../../../../../main/entry/disk-faults.ts";
import { checkInBackground } from "../../../../../main/relay/store/check-rows.ts";
import { openStore } from "../../../../../main/relay/store/open-store.ts";
import { Store } from "../../../../../main/relay/store/store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const PAGE = 4096;

test("damage in the chat of a large database is found while it is used, and puts it aside at the next start", async () => {
  using folder = temporaryFolder();
  const data = folder.path;
  const file = join(data, "patchbay.db");
  const first = openStore(data);
  const id = new Store(first.database).relayId();
  first.database.exec("INSERT INTO sessions (id, name, owner, created_at) VALUES ('session-1', 'one', 'ann', '')");
  const add = first.database.prepare("INSERT INTO chat (session_id, id, record) VALUES ('session-1', ?, ?)");
  first.database.transaction(() => {
    for (let row = 1; row <= 9000; row += 1) add.run([row, `"${"x".repeat(8000)}"`]);
  })();
  first.database.close();
  expect(statSync(file).size).toBeGreaterThan(64 * 1024 * 1024);

  const whole = openStore(data);
  expect(whole.unchecked).toContain("chat");
  expect(await damageOf(whole)).toBeUndefined();
  whole.database.close();

  overwriteRows(file);
  const { database, unchecked, lost } = openStore(data);
  expect(lost).toBeUndefined();
  const error = await damageOf({ database, unchecked });
  expect(String(error)).toMatch(/malformed|corrupt/);
  reportDamage({ data, id, log: { ...console, error: () => undefined }, error });
  database.close();

  const next = openStore(data);
  expect(next.lost).toMatch(/^The database was damaged \(.+\)\. It is kept as /);
  expect(next.unchecked).toEqual([]);
  next.database.close();
}, 60_000);

/** Resolves with the error that the check in the background reports, or with undefined at its end. */
async function damageOf({ database, unchecked }: Pick<ReturnType<typeof openStore>, "database" | "unchecked">) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    let found: unknown;
    const stop = checkInBackground(database, unchecked, (error) => {
      found = error;
    });
    await vi.runAllTimersAsync();
    stop();
    return found;
  } finally {
    vi.useRealTimers();
  }
}

/** Overwrites pages of the middle of the file, which hold chat. */
function overwriteRows(file: string): void {
  const pages = readFileSync(file).length / PAGE;
  const handle = openSync(file, "r+");
  for (let page = Math.floor(pages / 2); page < pages / 2 + 64; page += 1) {
    writeSync(handle, Buffer.alloc(PAGE, 0xa5), 0, PAGE, page * PAGE);
  }
  closeSync(handle);
}
