import type { AgentStatus } from "../../core/protocol/agent-records.ts";

/** What an agent does, as its model, its screen and its processes show it. */
export type TrueState = "none" | "idle" | "working" | "waiting";
export type ReportedState = AgentStatus | "none";

/** A time in which it is known what an agent does; in ms since the epoch. */
interface Span {
  /** What began it. */
  readonly name: string;
  readonly state: TrueState;
  readonly from: number;
  readonly until: number;
}

/** What was reported in a span. */
export interface JudgedSpan extends Span {
  /** How long each state was reported, in ms. */
  readonly reported: ReadonlyMap<ReportedState, number>;
  /** The longest time in which a wrong state was reported without a break, in ms. */
  readonly wrongMs: number;
  /** How long the right state was reported after the first second, and how long that was; in ms. */
  readonly late: { readonly right: number; readonly all: number };
}

const SAMPLE_MS = 20;
/** A machine that is busy leaves the relay, which runs in this process, no more than this of a longer gap. */
const MOST_OF_A_GAP_MS = 60;
const IN_TIME_MS = 1000;

/** What Patchbay has reported of an agent over time, and what is true. */
export class ReportedStates implements Disposable {
  readonly #samples: { readonly at: number; readonly lasted: number; readonly state: ReportedState }[] = [];
  readonly #spans: Span[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(reported: () => ReportedState) {
    let before = Date.now();
    this.#timer = setInterval(() => {
      const at = Date.now();
      this.#samples.push({ at, lasted: Math.min(at - before, MOST_OF_A_GAP_MS), state: reported() });
      before = at;
    }, SAMPLE_MS);
  }

  /** Takes that from a time on a state is true. It was unknown since the end of the span before. */
  add(name: string, state: TrueState, from: number): void {
    this.#spans.push({ name, state, from, until: Number.POSITIVE_INFINITY });
  }

  /** Ends the current span, unless it has ended before. One that had ended before it was seen is empty. */
  end(at: number): void {
    const last = this.#spans.at(-1);
    if (last?.until === Number.POSITIVE_INFINITY)
      this.#spans.splice(-1, 1, { ...last, until: Math.max(last.from, at) });
  }

  judged(): JudgedSpan[] {
    return this.#spans.map((span) => this.#judge(span));
  }

  #judge(span: Span): JudgedSpan {
    const reported = new Map<ReportedState, number>();
    const late = { right: 0, all: 0 };
    let [wrong, wrongMs, since] = [0, 0, 0];
    for (const { at, lasted, state } of this.#samples) {
      if (at < span.from || at > span.until) continue;
      const isRight = isTrue(state, span.state);
      reported.set(state, (reported.get(state) ?? 0) + lasted);
      wrong = isRight ? 0 : wrong + lasted;
      wrongMs = Math.max(wrongMs, wrong);
      since += lasted;
      if (since > IN_TIME_MS) late.all += lasted;
      if (since > IN_TIME_MS && isRight) late.right += lasted;
    }
    return { ...span, reported, wrongMs, late };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/** A turn that has failed is over. */
export function isTrue(reported: ReportedState, state: TrueState): boolean {
  return reported === state || (reported === "error" && state === "idle");
}

export function isInTime({ wrongMs }: Pick<JudgedSpan, "wrongMs">): boolean {
  return wrongMs <= IN_TIME_MS;
}

/** The transitions of an agent, a line each. */
export function transitionLines(spans: readonly JudgedSpan[]): string[] {
  return spans.map((span) => {
    const seen = [...span.reported].map(([state, ms]) => `${state} ${seconds(ms)}`).join(", ");
    return `${isInTime(span) ? "  " : "! "}${span.name}: ${span.state}; reported: ${seen} s; wrong for ${Math.round(span.wrongMs)} ms`;
  });
}

const REPORTED: readonly ReportedState[] = ["none", "idle", "working", "waiting", "error", "unknown"];

/** The matrix of an agent as lines of a table: true states in lines, reported ones in columns, in seconds and shares. */
export function matrixLines(program: string, spans: readonly JudgedSpan[]): string[] {
  return (["none", "idle", "working", "waiting"] as const).flatMap((state) => {
    const own = spans.filter((span) => span.state === state);
    const sum = (of: ReportedState) => own.reduce((all, { reported }) => all + (reported.get(of) ?? 0), 0);
    const all = REPORTED.reduce((total, of) => total + sum(of), 0);
    if (all === 0) return [];
    const cells = REPORTED.map((of) => (sum(of) === 0 ? "" : `${seconds(sum(of))} (${share(sum(of), all)})`));
    return [`| ${[program, state, ...cells].join(" | ")} |`];
  });
}

export const MATRIX_HEAD = [
  `| program | true | ${REPORTED.join(" | ")} |`,
  `|---|---|${REPORTED.map(() => "---").join("|")}|`,
];

/** How often and how long the report was right, as a line of a table. */
export function sumLine(program: string, spans: readonly JudgedSpan[]): string {
  const inTime = spans.filter(isInTime).length;
  const slowest = Math.max(0, ...spans.map(({ wrongMs }) => wrongMs));
  return `| ${[program, `${inTime} of ${spans.length}`, share(...rightOf(spans)), `${seconds(slowest)} s`].join(" | ")} |`;
}

export const SUM_HEAD = ["| program | right within 1 s | right after 1 s | wrong at most |", "|---|---|---|---|"];

/** How long the right state was reported from a second after each change on, and how long that was. */
export function rightOf(spans: readonly JudgedSpan[]): [right: number, all: number] {
  const sum = (of: "right" | "all") => spans.reduce((total, { late }) => total + late[of], 0);
  return [sum("right"), sum("all")];
}

function share(part: number, all: number): string {
  return `${((100 * part) / all).toFixed(1)}%`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
