import { mutantsOf } from "../../tools/mutants/mutant.mjs";

const U = "test/unit/main";
const R = `${U}/relay`;

/** Ordinary behaviour whose loss no test once noticed. */
export default [
  ...mutantsOf("main/relay/audit/verify-chain.ts", [
    {
      guard: "a log that ends before the head that the user kept is broken",
      find: "?? whyShort(at, expected)",
      replace: "",
      tests: [`${R}/audit/verify-chain.test.ts`],
    },
  ]),
  ...mutantsOf("main/agents/ledger.ts", [
    {
      guard: "a sum is approximate where one side is",
      find: "doubtsOf(one.unpriced ?? other.unpriced ?? false, sumOfKnown(approximateCostOf(one), approximateCostOf(other)))",
      replace: "doubtsOf(one.unpriced ?? other.unpriced ?? false, undefined)",
      tests: [`${U}/agents/ledger.test.ts`, `${U}/agents/session-account.test.ts`],
    },
  ]),
  ...mutantsOf("main/agents/session-account.ts", [
    {
      guard: "the calls of a sub-agent change neither model nor context",
      find: "if (call.subagent) return;",
      replace: "",
      tests: [`${U}/agents/session-account.test.ts`, `${U}/agents/adapters/all.fixtures.test.ts`],
    },
    {
      guard: "a compaction empties the context",
      find: 'if (type === "compacted" && data.subagent !== true) this.context = undefined;',
      replace: "",
      tests: [`${U}/agents/session-account.test.ts`, `${U}/agents/adapters/all.fixtures.test.ts`],
    },
  ]),
  ...mutantsOf("main/relay/sends/sends.ts", [
    {
      guard: "a prompt that is to be written now does not wait for those that wait for the agent",
      find: 'queue.find(({ receipt }) => receipt.when === "now") ?? queue[0]',
      replace: "queue[0]",
      tests: [`${R}/sends/sends.test.ts`],
    },
  ]),
  ...mutantsOf("main/relay/sends/type-prompt.ts", [
    {
      guard: "no prompt is entered into a dialog that has just opened",
      find: "if (isThere && found === undefined) return undefined;",
      replace: "if (isThere) return undefined;",
      tests: [`${R}/sends/type-prompt.test.ts`],
    },
  ]),
  ...mutantsOf("main/relay/sends/leases.ts", [
    {
      guard: "a person ends the lease of any program",
      find: "if (by.isAutomated) this.#checkHolder(shell, by);\n    return this.end(shell);",
      replace: "this.#checkHolder(shell, by);\n    return this.end(shell);",
      tests: [`${R}/sends/leases.test.ts`],
    },
    {
      guard: "there is no lease to hand over where nobody holds one",
      find: "if (!this.#held.has(shell)) {",
      replace: "if (false) {",
      tests: [`${R}/sends/leases.test.ts`],
    },
  ]),
  ...mutantsOf("main/relay/fleet/request-check.ts", [
    {
      guard: "requests whose pieces are missing have room for 16 MiB",
      find: "16 * 1024 * 1024",
      replace: "16 * 1024 * 1024 * 1024",
      tests: [`${R}/fleet/request-check.test.ts`],
    },
    {
      guard: "a request that is whole or late gives its room back",
      find: "this.#count(entry, -1);",
      replace: "",
      tests: [`${R}/fleet/request-check.test.ts`],
    },
  ]),
  ...mutantsOf("main/relay/fleet/call-owner.ts", [
    {
      guard: "a request that no relay has received is sent again at once",
      find: "if (data.length === 0) {",
      replace: "if (false) {",
      tests: [`${R}/fleet/call-owner.test.ts`],
    },
  ]),
  ...mutantsOf("main/relay/fleet/kept-questions.ts", [
    {
      guard: "of more questions than are kept, the newest are",
      find: "questions.slice(-MOST_QUESTIONS)",
      replace: "questions.slice(0, MOST_QUESTIONS)",
      tests: [`${R}/fleet/kept-questions.test.ts`],
    },
  ]),
  ...mutantsOf("main/relay/tunnels/tunnel-gate.ts", [
    {
      guard: "a guest who is made a reader no longer uses a tunnel",
      find: 'return now !== undefined && now.role !== "reader";',
      replace: "return now !== undefined;",
      tests: [`${R}/tunnels/tunnel-gate.test.ts`],
    },
  ]),
  ...mutantsOf("main/relay/budgets/governor.ts", [
    {
      guard: "the question of yesterday's budget is withdrawn",
      find: "if (day !== this.#day) this.#beginDay(day);",
      replace: "",
      tests: [`${R}/budgets/governor.test.ts`],
    },
  ]),
  ...mutantsOf("main/relay/store/audit-rows.ts", [
    {
      guard: "a search of the audit log takes its text as it is written",
      find: 'text.replace(/[\\\\%_]/g, "\\\\$&")',
      replace: "text",
      tests: [`${R}/store/audit-rows.test.ts`],
    },
    {
      guard: "the filter for failed calls finds them",
      find: "outcome <> 'ok'",
      replace: "outcome = 'failed'",
      tests: [`${R}/store/audit-rows.test.ts`],
    },
  ]),
  ...mutantsOf("main/relay/session/shells.ts", [
    {
      guard: "a shell in the place of one whose rights were lowered has no more",
      find: "byGuest: true } });",
      replace: "} });",
      tests: [`${R}/session/restorer.test.ts`],
    },
  ]),
  ...mutantsOf("core/protocol/parse-params.ts", [
    {
      guard: "parameters have only so many lists and objects",
      find: "if (nodes > MOST_NODES) throw",
      replace: "if (nodes > 1e9) throw",
      tests: ["test/unit/core/protocol/parse-params.test.ts"],
    },
    {
      guard: "an entry that schemas leave out is refused wherever it stands",
      find: 'if (Object.hasOwn(value, "__proto__")) throw',
      replace: 'if (value === params && Object.hasOwn(value, "__proto__")) throw',
      tests: ["test/unit/core/protocol/parse-params.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/session/restorer.ts", [
    {
      guard: "always resumes an agent only with a line that was shown",
      find: "agent !== undefined && !lines.includes(lineOf(agent))",
      replace: "agent !== undefined && agent === undefined",
      tests: ["test/security/restart.test.ts"],
    },
  ]),
  ...mutantsOf("main/system/redact-secrets.ts", [
    {
      guard: "a secret that a program breaks over lines is hidden",
      find: "  if (divisions.length > 0) redacted = withoutDivided(known, redacted, { divisions, rules, note });\n",
      replace: "",
      tests: [`${U}/system/redact-secrets.test.ts`],
    },
  ]),
  ...mutantsOf("core/protocol/shown-name.ts", [
    {
      guard: "letters of other scripts make no other label",
      find: "return foldLookalikes(shown",
      replace: "return String.prototype.toLowerCase.call(shown",
      tests: [`${U}/agents/hooks/acp-hooks.test.ts`],
    },
  ]),
  ...mutantsOf("main/desktop/tray/tray-menu.ts", [
    {
      guard: "the tray's icon shows that something is wrong",
      find: 'if (state.trouble !== undefined) return "trouble";',
      replace: "",
      tests: [`${U}/desktop/tray/tray-menu.test.ts`],
    },
  ]),
  ...mutantsOf("main/agents/ended-agents.ts", [
    {
      guard: "a session that a daemon holds is not called read at the end of its terminal",
      find: "if (kept && agent.found.adapter.worksOn?.(home, sessionId) !== true)",
      replace: "if (kept)",
      tests: ["test/unit/main/agents/ended-agents.test.ts"],
    },
    {
      guard: "a session that was left in mid-turn is followed",
      find: 'account?.status?.status === "working" && !agent.ended)',
      replace: "account === undefined)",
      tests: ["test/unit/main/agents/ended-agents.test.ts"],
    },
    {
      guard: "a session without a transcript is tried a few times only",
      find: "|| tries >= TRIES) continue;",
      replace: ") continue;",
      tests: ["test/unit/main/agents/ended-agents.test.ts"],
    },
  ]),
  ...mutantsOf("main/agents/running-agents.ts", [
    {
      guard: "an agent in the background runs on",
      find: "const isKept = startedBy !== undefined || there.has(shellKey(shell));",
      replace: "const isKept = false;",
      tests: ["test/unit/main/agents/running-agents.test.ts"],
    },
  ]),
  ...mutantsOf("main/agents/unseen-runs.ts", [
    {
      guard: "a run is guessed only where nobody looked long enough",
      find: "if (command.unseenMs >= SHORTEST_RUN_MS && !command.hadAgent)",
      replace: "if (!command.hadAgent)",
      tests: ["test/unit/main/agents/unseen-runs.test.ts"],
    },
    {
      guard: "a run is guessed only where one session fits",
      find: "if (sessionId === undefined || others.length > 0) return false;",
      replace: "if (sessionId === undefined) return false;",
      tests: ["test/unit/main/agents/unseen-runs.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/calls/route-command.ts", [
    {
      guard: "a command is recorded as it was executed",
      find: "command.onRead?.(given);",
      replace: "",
      tests: ["test/unit/main/relay/calls/calls.test.ts"],
    },
  ]),
];
