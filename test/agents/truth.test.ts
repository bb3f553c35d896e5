import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installOnly } from "./programs.ts";
import { QuestionLab } from "./question-lab.ts";
import {
  isInTime,
  type JudgedSpan,
  MATRIX_HEAD,
  matrixLines,
  rightOf,
  SUM_HEAD,
  sumLine,
  transitionLines,
} from "./reported-states.ts";
import { type TruthKind, TruthRun } from "./truth-run.ts";

const claude: TruthKind = {
  words: "--model claude-sonnet-4-6 --permission-mode default",
  ready: /^\s*[│|]?\s*[❯>](?:\s|$)/mu,
  busy: /\besc to interrupt\b/iu,
  dialog: /Do you want to proceed\?/u,
  allow: ["Enter"],
  deny: ["Escape"],
  stop: ["Escape"],
  fresh: "/clear",
  quit: ["/exit", "Enter"],
};
const codex: TruthKind = {
  ready: /^\s*›(?:\s|$)/mu,
  busy: /\besc to interrupt\b/iu,
  dialog: /Would you like to run/u,
  allow: ["y"],
  deny: ["Escape"],
  stop: ["Escape"],
  fresh: "/clear",
  quit: ["/quit", "Enter"],
};
const gemini: TruthKind = {
  ready: /Type your message/u,
  busy: /\besc to cancel\b/iu,
  dialog: /Allow execution|Yes, allow once|Allow once/u,
  allow: ["Enter"],
  deny: ["Escape"],
  stop: ["Escape"],
  fresh: "/clear",
  quit: ["/quit", "Enter"],
};

const qwen: TruthKind = { ...gemini, dialog: /Allow execution of|Yes, allow once/u };
const opencode: TruthKind = {
  ready: /ctrl\+p|Ask anything/u,
  busy: /\besc (?:again to )?interrupt\b/iu,
  dialog: /Permission required/u,
  allow: ["Enter"],
  deny: ["Escape"],
  stop: ["Escape", "Escape"],
  fresh: "/new",
  quit: ["/exit", "Enter"],
};
const kinds: readonly (readonly [program: string, kind: TruthKind])[] = [
  ["claude", claude],
  ["claude-2.1.197", claude],
  ["codex", codex],
  ["codex-0.160", codex],
  ["codex-0.98", codex],
  ["gemini", gemini],
  ["qwen", qwen],
  ["opencode", opencode],
  [
    "copilot",
    {
      ready: /Interactive · /u,
      busy: /^\s*[◎◉○◌]\s+Working\b/mu,
      dialog: /Do you want to run/u,
      allow: ["Enter"],
      deny: ["Escape"],
      stop: ["Escape"],
      keepsCommands: true,
      fresh: "/clear",
      quit: ["/exit", "Enter"],
    },
  ],
];

const tables: { readonly sums: string[]; readonly matrix: string[] } = { sums: [], matrix: [] };
afterAll(() => console.log([...SUM_HEAD, ...tables.sums, "", ...MATRIX_HEAD, ...tables.matrix].join("\n")));

function show(program: string, spans: readonly JudgedSpan[]): void {
  console.log([program, ...transitionLines(spans)].join("\n"));
  tables.sums.push(sumLine(program, spans));
  tables.matrix.push(...matrixLines(program, spans));
}

/** The real programs, as they are without being connected: what Patchbay reports, against what is true. */
describe.each(kinds)("the state of %s", { timeout: 600_000 }, (program, kind) => {
  beforeAll(() => installOnly(program), 900_000);

  test("is the true one a second after each change, and never wrong for five", async () => {
    const { words = "" } = kind;
    await using agent = await QuestionLab.open({ program, words, connect: () => undefined });
    using run = new TruthRun(agent, kind);
    try {
      await run.started("start");
      await run.prompt("prompt", "Do it. SLOW{3500} SAY{answer-1}");
      await run.answered("answer", "answer-1");
      if (kind.dialog !== undefined) {
        await run.prompt("prompt for a command", "Do it. ASK{touch made; sleep 3.1} SLOW{2500} SAY{answer-2}");
        await run.asks("question");
        await run.allow("allow", "3.1");
        await run.answered("answer after the command", "answer-2");
        await run.prompt("prompt for a second command", "Do it. ASK{touch made; sleep 3.2} SAY{answer-3}");
        await run.asks("second question");
        await run.deny("deny");
      }
      if (kind.dialog !== undefined && kind.keepsCommands !== true) {
        await run.prompt("prompt for a long command", "Do it. ASK{touch made; sleep 60.1} SAY{answer-4}");
        await run.asks("third question");
        await run.allow("allow again", "60.1");
        await run.stopCommand("Escape during the command", "60.1");
      }
      await run.prompt("long prompt", "Do it. SLOW{60000} SAY{answer-5}");
      await run.stopCall("Escape during the call");
      await run.fails("429", 429);
      await run.fails("500", 500);
      await run.fresh(kind.fresh);
      await run.prompt("prompt in the new conversation", "Do it. SLOW{3500} SAY{answer-6}");
      await run.answered("answer in the new conversation", "answer-6");
      await run.prompt("second prompt", "Do it. SLOW{3500} SAY{answer-7}");
      await run.answered("second answer", "answer-7");
      await run.quit("quit");
      await run.startAgain("second start");
      await run.prompt("last prompt", "Do it. SLOW{60000} SAY{answer-8}");
      await run.kill("SIGKILL");
    } finally {
      show(program, run.states.judged());
    }
    const spans = run.states.judged();
    const [right, all] = rightOf(spans);
    expect(spans.filter((span) => !isInTime(span)).map(({ name }) => name)).toEqual([]);
    expect(right / all).toBeGreaterThan(0.99);
    expect(Math.max(...spans.map(({ wrongMs }) => wrongMs))).toBeLessThan(5000);
  });
});
