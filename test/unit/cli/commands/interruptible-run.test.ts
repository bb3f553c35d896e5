import { expect, test } from "vitest";
import { runInterruptibly } from "../../../../cli/commands/interruptible-run.ts";
import { RemoteClient } from "../../../../client/remote-client.ts";
import { ok, refuse, startFakeRelay } from "../fake-relay.ts";

test("runs at a relay of an earlier version, which lists the tiles of the visible workspace only", async () => {
  await using relay = await startFakeRelay(({ body }, response) => {
    const { method, params } = body as { method: string; params: object };
    if (method === "runCommand") ok(response, { exitCode: 0 });
    else if ("all" in params) {
      refuse(response, 400, "invalid_params", 'params."all": no such parameter; this method takes none.');
    } else ok(response, [{ key: 4, type: "shell", id: 2, active: true }]);
  });
  const client = new RemoteClient({ url: relay.url, token: "k", session: "Abcdefgh12345678" });
  const io = { program: "service", stderr: process.stderr } as const;
  const { result } = await runInterruptibly(io, client, { command: "true", wait: true }, () => () => undefined);
  expect(result).toEqual({ exitCode: 0 });
  expect(relay.received.at(-1)?.body).toMatchObject({ method: "runCommand", params: { command: "true", tile: 4 } });
});
