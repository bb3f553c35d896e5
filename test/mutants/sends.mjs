import { mutantsOf } from "../../tools/mutants/mutant.mjs";

const queues = ["test/unit/main/relay/sends/sends.test.ts"];
const doors = ["test/security/budgets.test.ts"];

export default [
  ...mutantsOf("main/relay/sends/sends.ts", [
    {
      guard: "an agent changes only the prompts that it has sent itself",
      find: "if (byAgent && prompt.account !== account) {",
      replace: "if (false) {",
      tests: queues,
    },
    {
      guard: "a prompt with another text is its editor's",
      find: "{ rewritten: { by, text, account, byAgent, restrictsShell } }",
      replace: "{ rewritten: { ...this.#book.get(id).prompt, by, text } }",
      tests: queues,
    },
  ]),
  ...mutantsOf("main/relay/sends/receipt-book.ts", [
    {
      guard: "programs that fill a queue keep no person out of it",
      find: "(isAutomated ? limit : Number.POSITIVE_INFINITY)",
      replace: "limit",
      tests: queues,
    },
  ]),
  ...mutantsOf("main/relay/session/client-connection.ts", [
    {
      guard: "a client that joined with a key for automation is no person",
      find: " && !own.isAutomated;",
      replace: ";",
      tests: doors,
    },
  ]),
  ...mutantsOf("main/relay/session/client-connection.ts", [
    {
      guard: "a plugin is no person",
      find: " && by === undefined",
      replace: "",
      tests: doors,
    },
  ]),
  ...mutantsOf("main/relay/operations/questions.ts", [
    {
      guard: "a key for automation answers no question of a budget",
      find: "forRelay: !caller.isAutomated",
      replace: "forRelay: caller.principal.shell === undefined",
      tests: doors,
    },
  ]),
];
