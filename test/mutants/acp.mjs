import { mutantsOf } from "../../tools/mutants/mutant.mjs";

const acp = ["test/security/acp.test.ts"];
const acpSession = ["test/unit/cli/acp/acp-session.test.ts"];
const acpRecords = ["test/unit/main/agents/adapters/acp-records.test.ts"];
const prices = ["test/unit/main/agents/price-list.test.ts"];

export default [
  ...mutantsOf("cli/acp/permission-requests.ts", [
    {
      guard: "an agent has a limited number of requests open, and one that it took back is not asked",
      find: 'if (this.#open.size >= MOST_OPEN || signal.aborted) return { outcome: "cancelled" };',
      replace: "",
      tests: acp,
    },
    {
      guard: "an answer is one of the request's own options",
      find: "if (option !== undefined) settle({ by, option });",
      replace: "settle({ by, option: option ?? options[0] });",
      tests: acp,
    },
    {
      guard: "what is taken back is not granted",
      find: 'if (answer.by === "cancel") return { outcome: "cancelled" };\n    const',
      replace: 'if (answer.by === "cancel") return { outcome: "selected", optionId: "yes" };\n    const',
      tests: acp,
    },
  ]),
  ...mutantsOf("cli/acp/relay-reports.ts", [
    {
      guard: "values of an agent have a limited depth",
      find: "if (depth === 0) {",
      replace: "if (depth < 0) {",
      tests: ["test/unit/cli/acp/relay-reports.test.ts"],
    },
    {
      guard: "texts of an agent have a limited length",
      find: 'if (typeof value === "string") return fitting(value, text, () => value.slice(0, text));',
      replace: 'if (typeof value === "string") return value;',
      tests: acp,
    },
  ]),
  ...mutantsOf("cli/acp/agent-process.ts", [
    {
      guard: "an agent asks for permission in its own session only",
      find: 'if (params.sessionId !== this.#session) throw RequestError.invalidParams(undefined, "another session");',
      replace: "",
      tests: acp,
    },
    {
      guard: "an agent tells of its own session only",
      find: "if (params.sessionId === this.#session) this.#events.update(params.update);",
      replace: "this.#events.update(params.update);",
      tests: acp,
    },
    {
      guard: "a message of an agent has a limited size",
      find: "      maxMessageBytes: MAX_MESSAGE_BYTES,\n",
      replace: "      maxMessageBytes: 1024 * MAX_MESSAGE_BYTES,\n",
      tests: acp,
    },
  ]),
  ...mutantsOf("cli/acp/acp-session.ts", [
    {
      guard: "acp: a limited number of prompts waits",
      find: "if (this.#queue.length >= MOST_QUEUED) {",
      replace: "if (this.#queue.length > 1_000_000) {",
      tests: acpSession,
    },
    {
      guard: "acp: a limited part of what an agent writes is recorded",
      find: "if (this.#written.text.length < MOST_RECORDED) this.#written.text += text;",
      replace: "this.#written.text += text;",
      tests: acpSession,
    },
    {
      guard: "acp: a tool is told of before permission for it is asked",
      find: "this.#unclear = merged(this.#unclear, tool);\n    this.#flush();",
      replace: "this.#unclear = merged(this.#unclear, tool);",
      tests: acpSession,
    },
  ]),
  ...mutantsOf("cli/acp/describe-update.ts", [
    {
      guard: "acp: the text of an agent does not control the terminal",
      find: "return cleanText((block.text ?? ",
      replace: "return ((block.text ?? ",
      tests: acpSession,
    },
    {
      guard: "acp: the title of a tool does not control the terminal",
      find: 'return oneLine(cleanText((title || kind || "a tool").slice(0, MOST_TITLE)));',
      replace: 'return title || kind || "a tool";',
      tests: acpSession,
    },
  ]),
  ...mutantsOf("cli/acp/turn-end.ts", [
    {
      guard: "acp: thoughts that the output includes are not counted twice",
      find: "output: includesThoughts ? plain : plain + thoughts",
      replace: "output: plain + thoughts",
      tests: ["test/unit/cli/acp/turn-end.test.ts"],
    },
  ]),
  ...mutantsOf("main/agents/adapters/acp.ts", [
    {
      guard: "acp: the record of an earlier process of the same id is not joined",
      find: " || Math.abs(run.startedAt - launchedAt) > SLACK_MS",
      replace: "",
      tests: acpRecords,
    },
    {
      guard: "acp: only the own program speaks for an agent",
      find: " && isOwnProgram(process.exe())",
      replace: "",
      tests: acpRecords,
    },
  ]),
  ...mutantsOf("main/agents/adapters/acp-records.ts", [
    {
      guard: "acp: a cost of a session is not counted again in each turn",
      find: "if (calls.some(({ tokens }) => tokens.output > 0)) this.#counted = this.#cost;",
      replace: "",
      tests: acpRecords,
    },
    {
      guard: "acp: a cost of several models is not that of one",
      find: "const ownCost = calls.length === 1 ? this.#cost - this.#counted : 0;",
      replace: "const ownCost = this.#cost - this.#counted;",
      tests: acpRecords,
    },
  ]),
  ...mutantsOf("main/agents/hooks/acp-hooks.ts", [
    {
      guard: "acp: an input is left out only by a name that does nothing beside what is shown",
      find: "KNOWN_INPUTS.has(name) && typeof value",
      replace: "typeof value",
      tests: ["test/unit/main/agents/hooks/acp-hooks.test.ts"],
    },
  ]),
  ...mutantsOf("main/agents/hooks/question-text.ts", [
    {
      guard: "a label that hides a part of what it allows is not offered",
      find: "label.length <= questionLimits.label && !hides(label);",
      replace: "label.length <= questionLimits.label;",
      tests: ["test/unit/main/agents/hooks/claude-hooks.test.ts"],
    },
    {
      guard: "a lasting permission is shown to the letter",
      find: " && !hasOtherSpaces(label) && !/[\\r\\n\\t]/.test(label)",
      replace: "",
      tests: ["test/unit/main/agents/hooks/claude-hooks.test.ts"],
    },
    {
      guard: "acp: options that look the same are left to the terminal",
      find: " &&\n    new Set(labels.map(labelAsSeen)).size === labels.length",
      replace: "",
      tests: ["test/unit/main/agents/hooks/acp-hooks.test.ts"],
    },
  ]),
  ...mutantsOf("main/agents/signed-prices.ts", [
    {
      guard: "a signed price list has a limited size",
      find: "prices: z.string().max(MAX_PRICE_LIST),",
      replace: "prices: z.string(),",
      tests: prices,
    },
  ]),
  ...mutantsOf("main/agents/price-list.ts", [
    {
      guard: "an installed price list is read up to its size",
      find: "readRegularFile(path, MAX_LIST_BYTES)",
      replace: "readRegularFile(path, 1024 * MAX_LIST_BYTES)",
      tests: prices,
    },
  ]),
  ...mutantsOf("main/system/git-branch.ts", [
    {
      guard: "a branch is read from a file of a limited size",
      find: "readRegularFileLater(file, MOST_BYTES)",
      replace: "readRegularFileLater(file, 1024 * MOST_BYTES)",
      tests: ["test/unit/main/system/git-branch.test.ts"],
    },
    {
      guard: "a branch has no control characters",
      find: "([^\\p{Cc}]+)",
      replace: "([^]+)",
      tests: ["test/unit/main/system/git-branch.test.ts"],
    },
  ]),
  ...mutantsOf("main/agents/adapters/agent-home.ts", [
    {
      guard: "the folder of an agent in a sandbox is not read once it is a link",
      find: 'if (home.endsWith(sep) && real + sep !== home) throw new Error("the agent\'s folder leads elsewhere");',
      replace: "",
      tests: ["test/unit/main/agents/line-reader.test.ts"],
    },
  ]),
];
