import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import Database from "libsql";
import { expect, test } from "vitest";
import { claudeAdapter } from "../../../../main/agents/adapters/claude.ts";
import { createPricing } from "../../../../main/agents/pricing.ts";
import { openAccount } from "../../../../main/agents/session-account.ts";
import { agentMigrations, usageStore } from "../../../../main/agents/usage-store.ts";

const key = { agentType: "claude", sessionId: "11111111-1111-4111-8111-111111111111" };

/** What may happen to a relay and to the transcript that it follows. */
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("call" as const),
      id: fc.nat(12),
      output: fc.integer({ min: 1, max: 50 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("read" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("flush" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("killed" as const) }) },
);

test("killed and started at any moment, the store holds each call once, with its largest output", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const home = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-restart-")));
      const database = new Database(":memory:");
      try {
        for (const sql of agentMigrations) database.exec(sql);
        const store = usageStore(database);
        const folder = join(home, "projects", "-work");
        mkdirSync(folder, { recursive: true });
        const path = join(folder, `${key.sessionId}.jsonl`);
        writeFileSync(path, "");
        const source = {
          adapter: claudeAdapter(),
          home,
          sessionId: key.sessionId,
          price: createPricing(() => []),
          log: { problem: () => {} },
        };
        const open = () => openAccount(source, store.calls(key));
        let account = await open();
        const outputs = new Map<number, number>();
        for (const now of [...steps, { kind: "read" as const }, { kind: "flush" as const }]) {
          if (now.kind === "call") {
            outputs.set(now.id, Math.max(outputs.get(now.id) ?? 0, now.output));
            appendFileSync(path, line(now.id, now.output));
          } else if (now.kind === "read") await account.update();
          else if (now.kind === "flush") account.ledger.flush((calls) => store.recordCalls(key, calls));
          else account = await open(); // what was not flushed is lost with the process
        }
        const [sum] = store.sums(key);
        expect(sum?.calls ?? 0).toBe(outputs.size);
        expect(sum?.usage.output ?? 0).toBe([...outputs.values()].reduce((total, output) => total + output, 0));
        expect(account.usage().output).toBe(sum?.usage.output ?? 0);
      } finally {
        database.close();
        rmSync(home, { recursive: true, force: true });
      }
    }),
    { numRuns: 100 },
  );
});

function line(id: number, output: number): string {
  const usage = { input_tokens: 1, output_tokens: output };
  const message = { id: `msg_${id}`, model: "claude-haiku-4-5", content: [], usage };
  const timestamp = `2026-11-21T02:00:${String(id).padStart(2, "0")}.000Z`;
  return `${JSON.stringify({ type: "assistant", uuid: `u${id}`, sessionId: key.sessionId, timestamp, message })}\n`;
}
