import { mutantsOf } from "../../tools/mutants/mutant.mjs";

const folding = ["test/unit/main/shells/host/event-fold.test.ts"];
const lateRelay = ["test/integration/main/shells/host/late-relay.test.ts"];
const answers = ["test/unit/main/relay/session/terminal-answers.test.ts"];

export default [
  ...mutantsOf("main/shells/host/event-fold.ts", [
    {
      guard: "a shell sends the relay a bounded number of events",
      find: "shell.allowance.take() && this.#allowance.take()",
      replace: "this.#allowance.take()",
      tests: folding,
    },
    {
      guard: "all shells together send the relay a bounded number of events",
      find: "shell.allowance.take() && this.#allowance.take()",
      replace: "shell.allowance.take()",
      tests: folding,
    },
    {
      guard: "events wait while the relay does not read",
      find: "shell.events.size === 0 && this.#options.hasRoom() &&",
      replace: "shell.events.size === 0 &&",
      tests: folding,
    },
    {
      guard: "the mark of a command comes after what its shell had said before",
      find: "this.#sendWaiting(shell, () => true);",
      replace: "",
      tests: folding,
    },
    {
      guard: "the waiting queries of a shell are bounded",
      find: "if (shell.queries >= MOST_QUERIES) return;",
      replace: "",
      tests: folding,
    },
    {
      guard: "the waiting reports of a shell are bounded",
      find: "shell.reports < MOST_REPORTS",
      replace: "shell.reports < Number.POSITIVE_INFINITY",
      tests: folding,
    },
    {
      guard: "a change of an agent's state does not fold with the state before",
      find: "[signal.query, app, id, state, kind]",
      replace: "[signal.query, app, id, kind]",
      tests: folding,
    },
    {
      guard: "notifications that are left out are counted",
      find: "earlier + 1 +",
      replace: "earlier +",
      tests: folding,
    },
  ]),
  ...mutantsOf("main/shells/host/relay-peer.ts", [
    {
      guard: "long results wait until the relay has read those before",
      find: "if (this.#wire.hasRoom) send();",
      replace: "if (this.#wire.hasRoom || true) send();",
      tests: lateRelay,
    },
    {
      guard: "output waits until the relay has read what was sent before",
      find: "if (this.#wire.hasRoom && this.#batch.bytes < TURN_BYTES) return true;",
      replace: "return true;",
      tests: lateRelay,
    },
  ]),
  ...mutantsOf("main/shells/reading-turn.ts", [
    {
      guard: "a shell whose output takes long leaves the event loop to others",
      find: "this.#spentMs < LONGEST_MS || this.#next !== undefined",
      replace: "this.#spentMs >= 0",
      tests: ["test/unit/main/shells/reading-turn.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/session/terminal-answers.ts", [
    {
      guard: "a shell has a bounded number of queries that wait for an answer",
      find: "if (turn.waiting >= MOST_WAITING) return;",
      replace: "",
      tests: answers,
    },
    {
      guard: "a shell whose screen is costly to draw waits between two answers",
      find: "if (tookMs > LONG_MS)",
      replace: "if (tookMs < 0)",
      tests: answers,
    },
  ]),
  ...mutantsOf("main/relay/http/fair-turns.ts", [
    {
      guard: "a caller that queues leaves others most of the processor",
      find: "this.#isShared ? (this.#clocks.processorMs() - this.#processorBefore) * REST_FACTOR : 0",
      replace: "0",
      tests: ["test/unit/main/relay/http/fair-turns.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/session/caller-budgets.ts", [
    {
      guard: "a caller that reads all the time leaves others most of the processor",
      find: "if (restMs < 1) this.#endRead(caller, use);",
      replace: "if (restMs >= 0) this.#endRead(caller, use);",
      tests: ["test/unit/main/relay/session/caller-budgets.test.ts"],
    },
  ]),
  ...mutantsOf("main/agents/line-reader.ts", [
    {
      guard: "a transcript that grows without end costs the relay a part of its time",
      find: "if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));",
      replace: "",
      tests: ["test/unit/main/agents/line-reader.test.ts"],
    },
  ]),
];
