import { expect, test, vi } from "vitest";
import { ShellId } from "../../../../../core/protocol/ids.ts";
import { keyPermit } from "../../../../../main/relay/access/permits/permit.ts";
import { agentHandlers } from "../../../../../main/relay/operations/agents.ts";

const key = { user: "ann", scheme: "api", scopes: [], key: "k1" } as const;

test("a key from which secrets are hidden tries no patterns on a screen, which would tell of them", async () => {
  const explain = vi.fn(async () => []);
  const { explainAgents } = agentHandlers({ explain, stopTurn: vi.fn(), kinds: () => [] });
  const asked = (restrictions: NonNullable<Parameters<typeof keyPermit>[0]["restrictions"]>, manifest?: string) => {
    const session = { id: "s", shells: { get: () => ({ pid: 7 }) } };
    const context = { session, caller: { permit: keyPermit({ ...key, restrictions }) } };
    const params = { session: "s", shell: ShellId.parse(1), manifest };
    return explainAgents(params as never, context as never);
  };
  const manifest = '{ "screen": { "waiting": "ghp_a" } }';
  expect(() => asked({ secrets: "hide" }, manifest)).toThrow(expect.objectContaining({ code: "scope_forbids" }));
  expect(explain).not.toHaveBeenCalled();
  expect(await asked({ secrets: "hide" })).toEqual([]);
  expect(await asked({ readOnly: true }, manifest)).toEqual([]);
});
