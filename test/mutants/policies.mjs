import { mutantsOf } from "../../tools/mutants/mutant.mjs";

const tests = ["test/unit/main/relay/questions/policies.test.ts"];

export default [
  ...mutantsOf("main/relay/questions/policy-decision.ts", [
    {
      guard: "a policy answers no high risk",
      find: 'if (risk.level === "high")',
      replace: "if (false)",
      tests,
    },
    {
      guard: "a policy answers nothing on the screen",
      find: 'if (source === "screen" || confidence !== "high" || isAnsweredOnScreen(question))',
      replace: "if (false)",
      tests,
    },
    {
      guard: "a policy that asks counts before those that allow",
      find: "if (asks !== undefined) return",
      replace: "if (false) return",
      tests,
    },
    {
      guard: "a path leads into the folder with all links followed",
      find: "if (real === undefined || !places.isWithin(real, folder)) return false;",
      replace: "if (real === undefined) return false;",
      tests,
    },
  ]),
  ...mutantsOf("main/relay/questions/plain-command.ts", [
    {
      guard: "a command is one program with plain words",
      find: "return PLAIN.test(command) ? command.split(/ +/) : undefined;",
      replace: "return command.split(/ +/);",
      tests,
    },
    {
      guard: "a reader has no option that is not known to be harmless",
      find: "else if (!option.test(word)) return undefined;",
      replace: "",
      tests,
    },
    {
      guard: "a command runs in a folder whose text says where it is",
      find: "return isAbsolute(cwd) && !hasUp(cwd) ?",
      replace: "return isAbsolute(cwd) ?",
      tests,
    },
  ]),
  ...mutantsOf("main/agents/protocols/codex-requests.ts", [
    {
      guard: "a script is known to run in the system's shell only",
      find: "const SYSTEM_SHELL = /^(?:(?:\\/usr)?\\/bin\\/)?(?:ba|z|da)?sh",
      replace: "const SYSTEM_SHELL = /^(?:\\/?\\S*\\/)?(?:ba|z|da)?sh",
      tests,
    },
  ]),
];
