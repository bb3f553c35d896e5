import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { remotesForPanel } from "../../../../main/entry/remotes-for-panel.ts";
import { newRemoteId, Remotes } from "../../../../main/system/remotes.ts";
import { ok, sessions, startFakeRelay } from "../../cli/fake-relay.ts";

test("the panel gets each remote with its sessions, agents and costs, and one that is away as such", async () => {
  const data = mkdtempSync(join(tmpdir(), "patchbay-panel-"));
  const agent = { shellId: 3, agentType: "claude", state: "waiting", tokenUsage: { cost: 1.5 } };
  await using relay = await startFakeRelay(({ url }, response) => {
    if (url === "/v1/health") response.end(JSON.stringify({ ok: true, version: "1.2.3" }));
    else ok(response, url === "/v1/sessions" ? sessions : [agent, { ...agent, shellId: "rubbish" }]);
  });
  try {
    const remotes = new Remotes(data);
    const addedAt = "2026-11-21T04:00:00.000Z";
    remotes.add("box", { id: newRemoteId(), url: relay.url, addedAt });
    remotes.add("pi", { id: newRemoteId(), url: "http://127.0.0.1:1", addedAt });
    expect(await remotesForPanel({ data, env: { SERVICE_TOKEN_BOX: "pb_box" } })).toMatchObject([
      {
        machine: "box",
        state: "reachable",
        key: "valid",
        sessions: sessions.map(({ id, name }) => ({ id, name })),
        agents: [{ session: "default", shellId: 3, agentType: "claude", state: "waiting" }],
        cost: 1.5,
      },
      { machine: "pi", state: "away", awaySince: expect.any(String), sessions: [], agents: [], cost: 0 },
    ]);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});
