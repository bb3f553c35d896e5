import type { Agent } from "../../../core/protocol/agent-records.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import {
  isAnsweredOnScreen,
  type Question,
  type QuestionKind,
  type QuestionOption,
  questionLimits,
} from "../../../core/protocol/questions.ts";
import type { GivenAnswer } from "./chosen-answer.ts";
import type { Closing, NewQuestion, QuestionBook } from "./question-book.ts";
import { originOf } from "./question-digest.ts";

/** The terminals of the session's shells. */
export interface ScreenPort {
  /** Resolves to the text of a shell's screen. */
  readonly read: (shell: ShellId) => Promise<string>;
  readonly type: (shell: ShellId, keys: string) => Promise<unknown>;
  /** Whether a hook of the agent should have reported what it asks. */
  readonly expectsHook?: (agent: Agent) => boolean;
}

interface ScreenQuestionsOptions {
  readonly book: QuestionBook;
  readonly screen: ScreenPort;
  readonly isWaiting: (agent: Agent) => boolean;
}

const NO_HOOK =
  "The agent is connected, but its hook did not report: `service agents hooks` shows when one last did, and what may turn hooks off.";
/** A hook reports its question within this time of the agent's status. */
const HOOK_FIRST_MS = 1000;
/** An agent that tells of a question before it shows its dialog shows it within this time. */
const DIALOG_WITHIN_MS = 10_000;
const DIALOG_LOOK_MS = 100;
const LAST_LINES = 30;

/**
 * Questions of agents without hooks: that one waits is known from its status, what it asks only from the screen. Such a
 * question is answered only by a caller who has seen the screen as it still is.
 */
export class ScreenQuestions implements Disposable {
  readonly #options: ScreenQuestionsOptions;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** The next look for the dialog of a question, by its id. */
  readonly #dialogs = new Map<number, NodeJS.Timeout>();
  #disposed = false;

  constructor(options: ScreenQuestionsOptions) {
    this.#options = options;
  }

  /** An agent waits; `asked`: its question is known already. */
  noticed(agent: Agent, asked: boolean): void {
    const key = keyOf(agent);
    if (asked || this.#timers.has(key)) return;
    const timer = setTimeout(() => void this.#open(agent).catch(() => undefined), HOOK_FIRST_MS);
    timer.unref();
    this.#timers.set(key, timer);
  }

  /** Reads the dialog of a question that its agent has told of, as soon as the screen shows its options. */
  readDialog({ id, shellId }: Pick<Question, "id" | "shellId">): void {
    const until = Date.now() + DIALOG_WITHIN_MS;
    const look = () => {
      this.#dialogs.delete(id);
      this.#options.screen.read(shellId).then(
        (text) => {
          const screen = endOf(text);
          const options = screen.split("\n").some((line) => MARKED_OPTION.test(line)) ? optionsIn(screen) : [];
          if (this.#options.book.find(id)?.question.state !== "open" || this.#disposed) return;
          if (options.length > 0) this.#options.book.setDialog(id, screen, options);
          else if (Date.now() < until) this.#dialogs.set(id, setTimeout(look, DIALOG_LOOK_MS).unref());
        },
        () => undefined,
      );
    };
    this.#dialogs.set(id, setTimeout(look, DIALOG_LOOK_MS).unref());
  }

  /** The agent no longer waits, or has ended. */
  forget(agent: Pick<Agent, "shellId" | "agentType">): void {
    clearTimeout(this.#timers.get(keyOf(agent)));
    this.#timers.delete(keyOf(agent));
  }

  /** A hook has told of the question that the screen shows. */
  replacedBy(question: Question): void {
    this.forget(question);
    for (const { question: other } of this.#options.book.openOnes()) {
      if (other.shellId === question.shellId && other.source === "screen")
        this.#options.book.close(other.id, {
          state: "withdrawn",
          because: `its agent asks it as question ${question.id}`,
        });
    }
  }

  /**
   * Closes the question and types the option's key.
   *
   * @throws RemoteError `question_not_answerable`, `screen_changed`, `question_closed`, or what typing is refused with
   */
  async answer(
    question: Question,
    { confirmScreen }: GivenAnswer,
    closing: Closing & { state: "answered" },
  ): Promise<Question> {
    const { id, shellId, detail, options } = question;
    if (!isAnsweredOnScreen(question)) {
      throw new RemoteError(
        "question_not_answerable",
        `Question ${id} cannot be answered through Patchbay now, because its agent does not wait for it: answer in shell ${shellId}.`,
      );
    }
    if (confirmScreen !== true) {
      throw new RemoteError(
        "question_not_answerable",
        `Question ${id} is answered on the screen of shell ${shellId}: look at it, then answer with confirmScreen (--confirm-screen), or in the shell.`,
      );
    }
    const key = options.find((option) => option.id === closing.answer?.option)?.key ?? "";
    if (endOf(await this.#options.screen.read(shellId)) !== detail.screen) {
      throw new RemoteError(
        "screen_changed",
        `The screen of shell ${shellId} has changed since question ${id}: look at it again.`,
      );
    }
    const closed = this.#options.book.close(id, closing);
    await this.#options.screen.type(shellId, key);
    return closed;
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    for (const timer of [...this.#timers.values(), ...this.#dialogs.values()]) clearTimeout(timer);
    this.#timers.clear();
    this.#dialogs.clear();
  }

  async #open(agent: Agent): Promise<void> {
    const screen = endOf(await this.#options.screen.read(agent.shellId));
    this.#timers.delete(keyOf(agent));
    const known = this.#options.book
      .openOnes()
      .some(({ question }) => question.shellId === agent.shellId && question.source !== "governor");
    if (known || !this.#options.isWaiting(agent)) return;
    const options = agent.inPane === true ? [] : optionsIn(screen);
    const { detail = "", source = "process" } = agent.reason ?? {};
    const asked: NewQuestion = {
      shellId: agent.shellId,
      agentType: agent.agentType,
      agentSessionId: agent.sessionId,
      kind: kindOf(detail),
      title: `${agent.agentType} waits for you`,
      text: [detail, ...(this.#options.screen.expectsHook?.(agent) ? [NO_HOOK] : [])]
        .join("\n")
        .slice(0, questionLimits.text),
      detail: { screen },
      options,
      acceptsText: false,
      risk: { level: "high", reasons: ["read from the screen only"] },
      answerable: options.length > 0,
      source: "screen",
      confidence: "low",
      rule: `${agent.agentType}/${source}`,
    };
    this.#options.book.open(asked, originOf(asked));
  }
}

function keyOf({ shellId, agentType }: Pick<Agent, "shellId" | "agentType">): string {
  return `${shellId}/${agentType}`;
}

function kindOf(detail: string): QuestionKind {
  if (/auth|login/i.test(detail)) return "login";
  return /question/i.test(detail) ? "choice" : "permission";
}

/** The last lines of a screen, without what changes by itself: trailing spaces and empty lines. */
function endOf(screen: string): string {
  const lines = screen.split("\n").map((line) => line.trimEnd());
  const text = lines
    .slice(0, lines.findLastIndex((line) => line !== "") + 1)
    .slice(-LAST_LINES)
    .join("\n");
  return text.slice(-questionLimits.screen);
}

/** The option of a dialog that Enter would choose: other numbered lists have no mark. */
const MARKED_OPTION = /^[\s│|]*[❯›●▶]\s*[1-9][.)]\s+\S/u;

/** What a line of a dialog ends with: the side of its box. */
const BOX_SIDE = /(?<![\s│|])[\s│|]+$/u;

/**
 * Reads a numbered list of options (`❯ 1. Yes`), the last one on the screen; none where the numbers have a gap, or go
 * beyond 9: such a list has no key for each option.
 */
function optionsIn(screen: string): QuestionOption[] {
  const numbered = screen.split("\n").flatMap((line) => {
    const [, number, label] = /^[\s│|❯›>●*]*([1-9]\d?)[.)]\s+(\S.*)$/u.exec(line) ?? [];
    return number === undefined || label === undefined
      ? []
      : [{ number: Number(number), label: label.replace(BOX_SIDE, "") }];
  });
  const last = numbered.slice(numbered.findLastIndex(({ number }) => number === 1));
  if (last.length < 2 || last.length > 9 || last.some(({ number }, index) => number !== index + 1)) return [];
  return last.map(({ number, label }) => ({
    id: String(number),
    label: label.slice(0, questionLimits.label),
    key: String(number),
  }));
}
