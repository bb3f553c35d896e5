import { mutantsOf } from "../../scripts/setup/mutant.mjs";

const acp = ["test/security/acp.test.ts"];

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
      find: "value === null || depth === 0) return null;",
      replace: "value === null) return null;",
      tests: acp,
    },
    {
      guard: "texts of an agent have a limited length",
      find: "return value.slice(0, acpLimits.text);",
      replace: "return value;",
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
  ...mutantsOf("main/agents/adapters/agent-home.ts", [
    {
      guard: "the folder of an agent in a sandbox is not read once it is a link",
      find: 'if (home.endsWith(sep) && real + sep !== home) throw new Error("the agent\'s folder leads elsewhere");',
      replace: "",
      tests: ["test/unit/main/agents/line-reader.test.ts"],
    },
  ]),
];
