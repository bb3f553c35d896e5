import { mutantsOf } from "../../tools/mutants/mutant.mjs";

const attacks = ["test/security/history.test.ts"];
const index = ["test/unit/main/shells/history-index/history-index.test.ts"];
const filters = [
  "test/unit/main/shells/history-index/text-filter.test.ts",
  "test/unit/main/shells/history-index/filter-rows.test.ts",
];

export default [
  ...mutantsOf("main/relay/operations/history.ts", [
    {
      guard: "a guest reads of the shells that the session lists only",
      find: "return membership?.guest === true ? state.now.shells.map(({ id }) => id) : undefined;",
      replace: "return membership === undefined ? state.now.shells.map(({ id }) => id) : undefined;",
      tests: attacks,
    },
    {
      guard: "the output of a closed shell's command is no guest's to read",
      find: "if (record?.id !== id || !isReadable) throw unknownCommand(id);",
      replace: "if (record?.id !== id) throw unknownCommand(id);",
      tests: attacks,
    },
  ]),
  ...mutantsOf("main/relay/calls/calls.ts", [
    {
      guard: "a read that waits ends with its caller's credential",
      find: 'return specOf(name).effect === "read" ? await unlessEnded(caller.lifetime, result) : await result;',
      replace: "return await result;",
      tests: attacks,
    },
  ]),
  ...mutantsOf("main/relay/session/operations.ts", [
    {
      guard: "what a terminal answers is nobody's typing",
      find: "if (!isTerminals || isPersons) sources.note(shell, caller);",
      replace: "sources.note(shell, caller);",
      tests: attacks,
    },
  ]),
  ...mutantsOf("main/shells/history-index/filter-rows.ts", [
    {
      guard: "a block stays while it has a document",
      find: "if (block === undefined || block.kept > 0) return;",
      replace: "if (block === undefined) return;",
      tests: filters,
    },
  ]),
  ...mutantsOf("main/shells/history-index/text-filter.ts", [
    {
      guard: "the bits of a text depend on the key",
      find: 'hkdfSync("sha256", bytes, "",',
      replace: 'hkdfSync("sha256", "", "",',
      tests: filters,
    },
    {
      guard: "the first character alone is no run of two",
      find: "at >= PAIR - 1 && (isDense",
      replace: "(isDense",
      tests: filters,
    },
  ]),
  ...mutantsOf("core/protocol/parse-params.ts", [
    {
      guard: "a span that ends before it begins is refused",
      find: "&& since > until) {",
      replace: "&& since < until) {",
      tests: ["test/unit/core/protocol/time-or-age.test.ts"],
    },
  ]),
  ...mutantsOf("main/agents/resume-starts.ts", [
    {
      guard: "a conversation that was resumed a moment ago is not resumed again",
      find: "if (problem !== undefined) throw",
      replace: "if (false) throw",
      tests: ["test/unit/main/agents/resume-starts.test.ts", "test/unit/main/relay/session/operations.resume.test.ts"],
    },
  ]),
  ...mutantsOf("main/agents/adapters/copilot.ts", [
    {
      guard: "a file that a killed process has left holds no session",
      find: "startedAt !== undefined && startedAt <=",
      replace: "startedAt !== undefined && 0 <=",
      tests: ["test/unit/main/agents/adapters/join-by-time.test.ts"],
    },
  ]),
  ...mutantsOf("main/agents/adapters/codex-holder.ts", [
    {
      guard: "the shared daemon does not stand in the way of a terminal",
      find: "pid !== daemon && ",
      replace: "",
      tests: ["test/unit/main/agents/adapters/codex-holder.test.ts"],
    },
  ]),
  ...mutantsOf("main/shells/history-index/conversation-index.ts", [
    {
      guard: "damage of the index is no transcript that cannot be read",
      find: "if (isDamage(error)) throw error;",
      replace: "",
      tests: ["test/unit/main/shells/history-index/conversation-index.test.ts"],
    },
  ]),
  ...mutantsOf("main/shells/history-index/history-index.ts", [
    {
      guard: "a shell that has printed since the last time is indexed",
      find: "if (recorded.stamp === stamp) {",
      replace: "if (stamp !== null) {",
      tests: index,
    },
    {
      guard: "what could not be read is tried again",
      find: "if (!this.#options.reader.damage.has(file)) this.#stamp",
      replace: "this.#stamp",
      tests: index,
    },
  ]),
  ...mutantsOf("main/shells/history-index/database.ts", [
    {
      guard: "an index of other rules or another form is made anew",
      find: "if (known === form) return;",
      replace: "if (known !== 0) return;",
      tests: index,
    },
  ]),
  ...mutantsOf("main/system/redact-secrets.ts", [
    {
      guard: "a kind that the text without line breaks does not hold is not looked for, and every other one is",
      find: "ANYWHERE[at]?.test(undivided) !== false",
      replace: "ANYWHERE[at]?.test(undivided) === true",
      tests: ["test/unit/main/system/redact-secrets.test.ts"],
    },
    {
      guard: "a secret that was typed over the edge of a line is hidden",
      find: "redacted.search(REDRAWN) < 0) return redacted;",
      replace: "redacted.search(REDRAWN) >= 0) return redacted;",
      tests: ["test/unit/main/system/redact-secrets.test.ts"],
    },
    {
      guard: "what was copied to the clipboard is in no export",
      find: "pieces.fill(HIDDEN, index + head.length, index + head.length + value.length);",
      replace: "",
      tests: ["test/unit/main/system/redact-secrets.test.ts"],
    },
  ]),
];
