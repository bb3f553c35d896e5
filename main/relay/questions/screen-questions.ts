import type { Agent } from "../../../core/protocol/agent-records.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import {
  type GivenAnswer,
  isAnsweredOnScreen,
  type Question,
  type QuestionKind,
  questionLimits,
} from "../../../core/protocol/questions.ts";
import { dialogOn, endOf, optionsOn, showsDialog } from "../../../core/protocol/screen-dialog.ts";
import { isBeside } from "./agent-ref.ts";
import { type TypedAnswer, typedAnswer } from "./call-record.ts";
import { TERMINAL } from "./closings.ts";
import { type Closing, closedError, type NewQuestion, type QuestionBook } from "./question-book.ts";
import { originOf } from "./question-digest.ts";

/** The terminals of the session's shells. */
export interface ScreenPort {
  /** Resolves to the text of a shell's screen. */
  readonly read: (shell: ShellId) => Promise<string>;
  readonly type: (shell: ShellId, keys: string) => Promise<unknown>;
  /** Whether a hook of the agent should have reported what it asks. */
  readonly expectsHook?: (agent: Agent) => boolean;
  /** Returns when a client last typed into a shell, in ms since the epoch. */
  readonly lastInputAt: (shell: ShellId) => number;
}

interface ScreenQuestionsOptions {
  readonly book: QuestionBook;
  readonly screen: ScreenPort;
  readonly isWaiting: (agent: Agent) => boolean;
  /** Whether an agent reports to the relay, so that it will report its question too. */
  readonly reports: (agent: Agent) => boolean;
  /** Called when the key of an answer was typed and the dialog is still there. */
  readonly dialogStays: (id: number) => void;
}

const NO_HOOK =
  "The agent is connected, but its hook did not report: `service agents hooks` shows when one last did, and what may turn hooks off.";
/** An answer that is being typed. */
interface Typing {
  /** Settles when its key was typed or refused. */
  readonly typed: Promise<unknown>;
  /** Resolves when the dialog has gone, or was given the time to. */
  readonly done: Promise<unknown>;
}

/** A hook reports its question, and an agent draws its dialog, within this time of the agent's status. */
const HOOK_FIRST_MS = 1000;
/** The screen shows what a key has done within this time. */
const INPUT_SHOWN_MS = 1000;
/** A dialog closes within this time of its key. */
const DIALOG_GONE_MS = 2000;
/** An agent that tells of a question before it shows its dialog shows it within this time. */
const DIALOG_WITHIN_MS = 10_000;
const DIALOG_LOOK_MS = 100;

/**
 * Questions of agents without hooks: that one waits is known from its status, what it asks only from the screen. Such a
 * question is answered only by a caller who has seen the screen as it still is.
 */
export class ScreenQuestions implements Disposable {
  readonly #options: ScreenQuestionsOptions;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** The next look for the dialog of a question, by its id. */
  readonly #dialogs = new Map<number, NodeJS.Timeout>();
  /** The shells into which an answer is being typed: nothing else is typed there by a program or another answer. */
  readonly #typing = new Map<ShellId, Typing>();
  readonly #pauses = new Set<NodeJS.Timeout>();
  #disposed = false;

  constructor(options: ScreenQuestionsOptions) {
    this.#options = options;
  }

  /** An agent waits; `asked`: a question of it is open, which its screen may have replaced by the next one. */
  noticed(agent: Agent, asked: boolean): void {
    const key = keyOf(agent);
    if (this.#timers.has(key) || (asked && this.#openIn(agent.shellId)?.source !== "screen")) return;
    const until = Date.now() + HOOK_FIRST_MS;
    const lookAfter = (milliseconds: number) => {
      const look = () =>
        void this.#open(agent, Date.now() >= until).then(
          (isDone) => {
            if (isDone) this.#timers.delete(key);
            else if (this.#timers.get(key) === timer && !this.#disposed) lookAfter(DIALOG_LOOK_MS);
          },
          () => this.#timers.delete(key),
        );
      const timer = setTimeout(look, milliseconds).unref();
      this.#timers.set(key, timer);
    };
    const { reports, screen } = this.#options;
    lookAfter(reports(agent) || screen.expectsHook?.(agent) === true ? HOOK_FIRST_MS : 0);
  }

  /** Whether an answer is being typed into a shell. */
  isTyping(shell: ShellId): boolean {
    return this.#typing.has(shell);
  }

  /** Reads the dialog of a question that its agent has told of, as soon as the screen shows its options. */
  readDialog({ id, shellId }: Pick<Question, "id" | "shellId">): void {
    const until = Date.now() + DIALOG_WITHIN_MS;
    const look = () => {
      this.#dialogs.delete(id);
      this.#options.screen.read(shellId).then(
        (text) => {
          const screen = endOf(text);
          const options = optionsOn(text);
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
   * Closes the question and types the option's key, while the dialog is the one that the question shows: looks at it when
   * the effect of earlier input can be seen, and again after the key.
   *
   * @throws RemoteError `question_not_answerable`, `screen_changed`, `question_closed`, or what typing is refused with
   */
  async answer(
    question: Question,
    { confirmScreen }: GivenAnswer,
    closing: Closing & { state: "answered" },
  ): Promise<TypedAnswer> {
    const { id, shellId } = question;
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
    for (let other = this.#typing.get(shellId); other !== undefined; other = this.#typing.get(shellId)) {
      await other.typed.catch(() => undefined);
      this.#checkOpen(id);
      await other.done;
    }
    const typed = this.#type(question, closing);
    const done = typed
      .then(() => this.#watch(question))
      .catch(() => undefined)
      .finally(() => this.#typing.delete(shellId));
    this.#typing.set(shellId, { typed, done });
    return typed;
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    for (const timer of [...this.#timers.values(), ...this.#dialogs.values(), ...this.#pauses]) clearTimeout(timer);
    this.#timers.clear();
    this.#dialogs.clear();
    this.#pauses.clear();
  }

  async #type(question: Question, closing: Closing & { state: "answered" }): Promise<TypedAnswer> {
    const { id, shellId, options } = question;
    const { book, screen } = this.#options;
    let left = screen.lastInputAt(shellId) + INPUT_SHOWN_MS - Date.now();
    do {
      // A key that was pressed before may have answered the dialog that the screen still shows.
      if (left > 0) await this.#pause(left);
      const isSame = await this.#isOn(question);
      this.#checkOpen(id);
      if (!isSame) {
        throw new RemoteError(
          "screen_changed",
          `The screen of shell ${shellId} has changed since question ${id}: look at it again.`,
        );
      }
      left = screen.lastInputAt(shellId) + INPUT_SHOWN_MS - Date.now();
    } while (left > 0);
    const option = options.find((one) => one.id === closing.answer?.option);
    if (option === undefined) throw new Error(`question ${id} has no option ${closing.answer?.option}`);
    book.close(id, closing);
    const answer = typedAnswer(question, option, Date.now());
    await screen.type(shellId, option.key);
    return answer;
  }

  /** Looks until the dialog of an answer that was typed has gone. */
  async #watch(question: Question): Promise<void> {
    const until = Date.now() + DIALOG_GONE_MS;
    while (!this.#disposed && (await this.#isOn(question))) {
      if (Date.now() >= until) {
        this.#options.dialogStays(question.id);
        return;
      }
      await this.#pause(DIALOG_LOOK_MS);
    }
  }

  /** Whether the screen shows the dialog of a question. */
  async #isOn({ shellId, detail }: Question): Promise<boolean> {
    return dialogOn(endOf(await this.#options.screen.read(shellId))) === dialogOn(detail.screen ?? "");
  }

  /** @throws RemoteError `question_closed` */
  #checkOpen(id: number): void {
    const { question } = this.#options.book.get(id);
    if (question.state !== "open") throw closedError(question);
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#pauses.delete(timer);
        resolve();
      }, milliseconds).unref();
      this.#pauses.add(timer);
    });
  }

  /** Returns an open question of an agent in a shell. */
  #openIn(shell: ShellId): Question | undefined {
    return this.#options.book
      .openOnes()
      .map(({ question }) => question)
      .find((question) => question.shellId === shell && question.source !== "governor" && !isBeside(question));
  }

  /** Opens the question of an agent that waits, once its dialog is there or `isDue`. Resolves to whether it need look no more. */
  async #open(agent: Agent, isDue: boolean): Promise<boolean> {
    const shown = await this.#options.screen.read(agent.shellId);
    const screen = endOf(shown);
    if (!isDue && !showsDialog(screen)) return false;
    const open = this.#openIn(agent.shellId);
    if (!this.#options.isWaiting(agent)) return true;
    if (open !== undefined) {
      // It may be of the dialog before, and be closed in a moment.
      if (agent.inPane === true || !isReplaced(open, screen)) return isDue;
      this.#options.book.close(open.id, TERMINAL);
    }
    const options = agent.inPane === true ? [] : optionsOn(shown);
    const isCut = agent.inPane !== true && options.length === 0 && showsDialog(screen);
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
      risk: {
        level: "high",
        reasons: ["read from the screen only", ...(isCut ? ["longer than what is shown"] : [])],
      },
      answerable: options.length > 0,
      source: "screen",
      confidence: "low",
      rule: `${agent.agentType}/${source}`,
    };
    this.#options.book.open(asked, originOf(asked));
    return true;
  }
}

function keyOf({ shellId, agentType }: Pick<Agent, "shellId" | "agentType">): string {
  return `${shellId}/${agentType}`;
}

/** Tells whether a screen shows another dialog than the one that an open question was read from: that one was answered. */
function isReplaced({ source, detail }: Question, screen: string): boolean {
  const before = detail.screen ?? "";
  return source === "screen" && showsDialog(before) && showsDialog(screen) && dialogOn(before) !== dialogOn(screen);
}

function kindOf(detail: string): QuestionKind {
  if (/auth|login/i.test(detail)) return "login";
  return /question/i.test(detail) ? "choice" : "permission";
}
