import { mutantsOf } from "../../scripts/setup/mutant.mjs";

const tests = ["test/security/questions.test.ts"];

export default [
  ...mutantsOf("main/relay/questions/questions.ts", [
    {
      guard: "the token of a shell settles the questions of that shell only",
      find: "return question.shellId === shell && question.agentSessionId",
      replace: "return question.agentSessionId",
      tests,
    },
    {
      guard: "an agent does not type where an agent waits",
      find: 'agent.shellId === shell && agent.state === "waiting"',
      replace: "false",
      tests,
    },
  ]),
  ...mutantsOf("main/relay/questions/proofs.ts", [
    {
      guard: "the token of a shell proves the answers given in that shell only",
      find: "(shell === undefined || expected.shell === shell) &&",
      replace: "",
      tests,
    },
  ]),
  ...mutantsOf("main/relay/questions/question-book.ts", [
    {
      guard: "the programs of one shell keep those of no other from asking",
      find: " || here.length >= MOST_OPEN_IN_SHELL",
      replace: "",
      tests: ["test/unit/main/relay/questions/questions.test.ts"],
    },
  ]),
];
