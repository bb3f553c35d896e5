import { expect, test } from "vitest";
import { ClientId, ShellId } from "../../../../../core/protocol/ids.ts";
import { CallerBudgets } from "../../../../../main/relay/session/caller-budgets.ts";
import { Uploads } from "../../../../../main/relay/session/uploads.ts";
import { shellRecord } from "../small-session.ts";

test("the owner can upload however many guests do, and each of them has two at a time", async () => {
  await using uploads = new Uploads({ shells: { running: () => shellRecord(1) }, budgets: new CallerBudgets() });
  const start = (client: number, guest?: true) => {
    const params = { shell: ShellId.parse(1), files: [{ name: "a", size: 1 }] };
    return uploads.start({ id: ClientId.parse(client), guest }, params, { account: `client ${client}` });
  };
  const refusal = { code: "too_many_requests" };
  for (const client of [1, 2, 3]) {
    await start(client, true);
    await start(client, true);
  }
  await expect(start(4, true)).rejects.toMatchObject(refusal);
  const first = await start(9);
  await start(9);
  await expect(start(10)).rejects.toMatchObject(refusal);
  await uploads.cancel(ClientId.parse(9), first.upload);
  await expect(start(4, true)).rejects.toMatchObject(refusal);
  await start(10);
});
