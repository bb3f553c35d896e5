import { mutantsOf } from "../../tools/mutants/mutant.mjs";

const tests = ["test/security/questions.test.ts"];
const unit = ["test/unit/main/relay/questions/questions.test.ts"];

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
    {
      guard: "a hook continues a question only with the same event",
      find: "ofKey.find((one) => one.origin.digest === origin.digest)",
      replace: "ofKey[0]",
      tests,
    },
    {
      guard: "what a program asks people takes no question of its agent away",
      find: "if (event.isBeside !== true) this.#screens.replacedBy(question);",
      replace: "this.#screens.replacedBy(question);",
      tests: unit,
    },
    {
      guard: "an answer that carries a digest is for what that names",
      find: "if (given.digest !== undefined && given.digest !== question.digest) throw changedError(question);",
      replace: "",
      tests,
    },
  ]),
  ...mutantsOf("core/operations/questions.ts", [
    {
      guard: "a program offers people no two options that look the same",
      find: "new Set(labels.map(asSeen)).size",
      replace: "new Set(labels).size",
      tests: ["test/security/asked-people.test.ts"],
    },
    {
      guard: "a program asks people nothing that cannot be seen",
      find: 'asSeen(text) !== ""',
      replace: "true",
      tests: ["test/security/asked-people.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/questions/agent-ref.ts", [
    {
      guard: "no agent settles what a program asks people, whatever the program calls itself",
      find: "if (isBeside(one) || isBeside(other)) return mine === theirs;",
      replace: "",
      tests: unit,
    },
  ]),
  ...mutantsOf("main/relay/questions/question-digest.ts", [
    {
      guard: "a digest names the thread, the call and the whole event",
      find: "[origin.thread, origin.call, event],",
      replace: "",
      tests: unit,
    },
  ]),
  ...mutantsOf("main/agents/hooks/question-content.ts", [
    {
      guard: "what has no part of its own is shown",
      find: "const json = Object.keys(input).length === 0 ? undefined : visibleJson(input);",
      replace: "const json = undefined;",
      tests,
    },
    {
      guard: "a question that is cut is not answered here",
      find: "const isWhole = all.every((part) => part.isWhole) && files.length <= questionLimits.files;",
      replace: "const isWhole = true;",
      tests,
    },
    {
      guard: "characters that show nothing are named",
      find: "if (all.some(({ hides }) => hides))",
      replace: "if (false)",
      tests: ["test/unit/main/agents/hooks/claude-hooks.test.ts"],
    },
  ]),
  ...mutantsOf("main/agents/hooks/claude-actions.ts", [
    {
      guard: "a tool call that is not known in full has a high risk",
      find: "risk: joinRisks(assessRisk({ usesNetwork: isWeb, cwd }), UNKNOWN_ACTION),",
      replace: "risk: assessRisk({ usesNetwork: isWeb, cwd }),",
      tests,
    },
    {
      guard: "the sandbox is named",
      find: "risk: dangerouslyDisableSandbox === true ? joinRisks(risk, NO_SANDBOX) : risk,",
      replace: "risk,",
      tests: ["test/unit/main/agents/hooks/claude-hooks.test.ts"],
    },
  ]),
  ...mutantsOf("main/agents/hooks/risk.ts", [
    {
      guard: "no more of a command is read than a question shows",
      find: "const command = given.slice(0, questionLimits.command);",
      replace: "const command = given;",
      tests: ["test/unit/main/agents/hooks/risk.linear-time.test.ts"],
    },
  ]),
  ...mutantsOf("main/desktop/notifications/agent-notices.ts", [
    {
      guard: "a notification has buttons only where it shows everything",
      find: "options: isWhole && !isAnsweredOnScreen(question) ? offered(question) : [],",
      replace: "options: isAnsweredOnScreen(question) ? [] : offered(question),",
      tests: ["test/unit/main/desktop/notifications/agent-notices.test.ts"],
    },
  ]),
  ...mutantsOf("core/protocol/screen-dialog.ts", [
    {
      guard: "a line of a text in a dialog is none of its options",
      find: "numbered.filter(({ column }) => column === marked.column)",
      replace: "numbered",
      tests: ["test/unit/core/protocol/screen-dialog.test.ts"],
    },
    {
      guard: "a dialog that is not shown whole has no options",
      find: "text.length > questionLimits.screen ? [] : ",
      replace: "",
      tests: ["test/unit/core/protocol/screen-dialog.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/questions/proofs.ts", [
    {
      guard: "the end of another one's turn overrules no answer",
      find: "record !== undefined || asked !== thread",
      replace: "record !== undefined",
      tests: ["test/unit/main/relay/questions/questions.test.ts"],
    },
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
      find: "open.length >= MOST_OPEN ? ALWAYS_OPEN_IN_SHELL : MOST_OPEN_IN_SHELL",
      replace: "MOST_OPEN",
      tests: ["test/unit/main/relay/questions/questions.test.ts"],
    },
    {
      guard: "the programs of several shells keep those of no other from asking",
      find: "here.length >= (open.length >= MOST_OPEN ?",
      replace: "open.length >= MOST_OPEN || here.length >= (open.length >= MOST_OPEN ?",
      tests: ["test/unit/main/relay/questions/questions.test.ts"],
    },
    {
      guard: "a program's questions push no answers to others out",
      find: "closed.findIndex(({ shellId }) => counts.get(shellId) === most)",
      replace: "0",
      tests: ["test/unit/main/relay/questions/questions.test.ts"],
    },
  ]),
  ...mutantsOf("renderer/ui/stands-still.ts", [
    {
      guard: "a press that was meant for something else decides nothing",
      find: "if (isByKey || !isWatched || look(true)) return;",
      replace: "look(true);\n      return;",
      tests: ["test/unit/renderer/ui/stands-still.test.tsx"],
    },
    {
      guard: "who goes on pressing there still means the other thing",
      find: "|| (isPressed && !stands)) stood.current",
      replace: ") stood.current",
      tests: ["test/unit/renderer/ui/stands-still.test.tsx"],
    },
    {
      guard: "what is uncovered has to stand still again",
      find: "!isVisible || place !== stood",
      replace: "place !== stood",
      tests: ["test/unit/renderer/ui/stands-still.test.tsx"],
    },
    {
      guard: "what is covered does not stand still",
      find: "const stands = isVisible && ",
      replace: "const stands = ",
      tests: ["test/unit/renderer/ui/stands-still.test.tsx"],
    },
    {
      guard: "a press that is held back takes no keys there",
      find: "onMouseDownCapture: holdBack",
      replace: "onMouseDownCapture: () => undefined",
      tests: ["test/unit/renderer/ui/stands-still.test.tsx"],
    },
  ]),
  ...mutantsOf("renderer/tray/now/card.tsx", [
    {
      guard: "a card of the panel counts no press before it has stood where it is",
      find: "useStandsStill<HTMLDivElement>(waits && place.isOpen)",
      replace: '{ ref: useRef<HTMLDivElement>(null), "aria-disabled": undefined }',
      tests: ["test/unit/renderer/tray/app/panel.test.tsx"],
    },
  ]),
  ...mutantsOf("core/state/client-store.ts", [
    {
      guard: "a restricted program's terminal is not the next to get the keys",
      find: "withFocus(withFocusHistory(next, now), focus)",
      replace: "withFocus(next, focus)",
      tests: ["test/unit/core/state/client-state.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/session/client-connection.ts", [
    {
      guard: "a restricted program moves the focus to no tile",
      find: "const keepFocus = caller.permit?.ownership !== undefined &&",
      replace: "const keepFocus = false &&",
      tests: ["test/security/stolen-input.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/questions/answer-rights.ts", [
    {
      guard: "a key that is shown no secrets allows nothing that is hidden from it",
      find: "if (allows === false || !hidesPart(question)) return;",
      replace: "return;",
      tests: ["test/unit/main/relay/questions/answer-rights.test.ts", "test/security/questions.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/questions/call-record.ts", [
    {
      guard: "a refusal is proved by the result of its own call",
      find: "return result.data.isError === true && told === words;",
      replace: "return true;",
      tests: ["test/unit/main/relay/questions/questions.test.ts"],
    },
    {
      guard: "a choice is proved by the answer, not by a word of the question",
      find: "|| isLine || answersIn(result).includes(label);",
      replace: "|| result.includes(label);",
      tests: ["test/unit/main/relay/questions/questions.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/questions/proofs.ts", [
    {
      guard: "an agent that waits has not taken an answer that nothing proves",
      find: "if (expected.allows && typed === undefined && this.#options.isAtWork(id))",
      replace: "if (expected.allows && typed === undefined)",
      tests: ["test/unit/main/relay/questions/questions.test.ts"],
    },
  ]),
  ...mutantsOf("main/agents/hooks/opencode-hooks.ts", [
    {
      guard: "a permission of opencode whose input is not told is answered in the terminal",
      find: "const isTold = !cut && tellsInput(asked);",
      replace: "const isTold = !cut;",
      tests: ["test/unit/main/agents/hooks/opencode-hooks.test.ts"],
    },
  ]),
  ...mutantsOf("core/protocol/screen-dialog.ts", [
    {
      guard: "a line in a command does not cut the dialog",
      find: "if (DIALOG_TOP.test(line) && texts > 1 && indent <= left) return place;",
      replace: "if (DIALOG_TOP.test(line) && texts > 1) return place;",
      tests: ["test/unit/core/protocol/screen-dialog.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/mcp/asked-questions.ts", [
    {
      guard: "one shell leaves an MCP client's places to others",
      find: "ofShell >= MOST_OF_SHELL",
      replace: "ofShell >= MOST_ASKED",
      tests: ["test/unit/main/relay/mcp/asked-questions.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/questions/question-book.ts", [
    {
      guard: "one shell's questions do not empty the log of events",
      find: "if (share.spend(0) > 0) return false;",
      replace: "",
      tests: [
        "test/unit/main/relay/questions/question-book.test.ts",
        "test/unit/main/relay/questions/questions.test.ts",
      ],
    },
  ]),
];
