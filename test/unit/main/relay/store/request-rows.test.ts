import { expect, test } from "vitest";
import { RemoteError } from "../../../../../core/protocol/errors.ts";
import { ClientId, ShellId } from "../../../../../core/protocol/ids.ts";
import type { Outcome } from "../../../../../core/protocol/outcome.ts";
import { Idempotency } from "../../../../../main/relay/calls/idempotency.ts";
import { openStore } from "../../../../../main/relay/store/open-store.ts";
import { RequestRows } from "../../../../../main/relay/store/request-rows.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const client = ClientId.parse(1);
const answer: Outcome = { value: { id: 7 }, client, hit: { shell: ShellId.parse(3) } };

test("a restart gives the same answers again, and never executes what it was cut off from", async () => {
  using folder = temporaryFolder();
  const { database } = openStore(folder.path);
  let runs = 0;
  const start = () => {
    const requests = new Idempotency<Outcome>(new RequestRows(database));
    return (key: string, outcome: Promise<Outcome> | Outcome, counts = true) =>
      requests.once({
        owner: "ann",
        key,
        body: { key },
        run: async () => {
          runs += 1;
          return outcome;
        },
        counts: () => counts,
      });
  };
  const first = start();
  await first("done", answer);
  const hit = { shell: ShellId.parse(3) };
  await first("refused", { error: new RemoteError("shell_exited", "Shell 3 has ended.", { hit }), client });
  await first("nobody asked", answer, false);
  // Never answered: the relay is cut off meanwhile.
  void first("cut off", new Promise<Outcome>(() => undefined));
  expect(runs).toBe(4);

  const second = start();
  expect(await second("done", answer)).toEqual({ answer, replayed: true });
  expect(await second("refused", answer)).toMatchObject({
    answer: { error: { code: "shell_exited", message: "Shell 3 has ended.", hit }, client },
    replayed: true,
  });
  await expect(second("cut off", answer)).rejects.toMatchObject({ code: "idempotency_unknown" });
  expect(runs).toBe(4);
  expect(await second("nobody asked", answer)).toMatchObject({ replayed: false });
  database.close();
});

test("what is older than 10 minutes is forgotten", () => {
  using folder = temporaryFolder();
  const { database } = openStore(folder.path);
  const rows = new RequestRows(database);
  rows.begin("ann\nold", "digest");
  database.prepare("UPDATE requests SET at = ?").run([new Date(Date.now() - 601_000).toISOString()]);
  rows.begin("ann\nnew", "digest");
  new Idempotency(rows);
  expect(rows.list().map(({ id }) => id)).toEqual(["ann\nnew"]);
  database.close();
});
