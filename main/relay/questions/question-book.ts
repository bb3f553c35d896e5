import { RemoteError } from "../../../core/protocol/errors.ts";
import type { RelayEvent } from "../../../core/protocol/events.ts";
import type { SessionId, ShellId } from "../../../core/protocol/ids.ts";
import type { SessionDiff } from "../../../core/protocol/mirror.ts";
import { answerText, needsAttention, type Question, SETTLED_SHOWN_MS } from "../../../core/protocol/questions.ts";
import { TokenBuckets } from "../../../core/protocol/rate-limits.ts";
import { shownLine } from "../../../core/protocol/shown-line.ts";
import { ignoreDiskErrors } from "../store/disk-errors.ts";
import type { QuestionOrigin, QuestionRows, StoredQuestion } from "../store/question-rows.ts";
import { digestOfDialog } from "./question-digest.ts";

/** The session that the questions belong to, as far as they change it. */
export interface QuestionsSession {
  readonly id: SessionId;
  apply(diff: SessionDiff): void;
  emit(event: RelayEvent): void;
}

/** A question before the book has given it an id and a state. */
export type NewQuestion = Omit<
  Question,
  "id" | "session" | "askedAt" | "state" | "answeredBy" | "answer" | "closedAt" | "closedBecause" | "receipt" | "digest"
>;

/** How a question ends. */
export type Closing =
  | (Pick<Question, "answer" | "answeredBy"> & { readonly state: "answered"; readonly receipt: Question["receipt"] })
  | { readonly state: "withdrawn" | "expired"; readonly because: string };

/** More would serve only to make people click. */
const MOST_OPEN = 50;
/** So that the programs of one shell keep those of no other from asking. */
const MOST_OPEN_IN_SHELL = 20;
/** So many questions of each shell are asked though others, which one program may have made, have asked as many as a session has. */
const ALWAYS_OPEN_IN_SHELL = 5;
const MOST_CLOSED = 200;
/**
 * Characters of a shell's questions, at once and in each second from then on: each is twice in the log of events, of which
 * one shell takes a quarter, however fast its questions end. Agents ask far less.
 */
const SHARE = { capacity: 4 * 1024 * 1024, perSecond: 32 * 1024 };
/** The size that a question has at least: the log bounds the number of events too. */
const LEAST_SIZE = 4096;

/**
 * The questions of a session and their states: open, then once and for good answered, withdrawn or expired. An answer is
 * in the store before it is published.
 */
export class QuestionBook {
  readonly #session: QuestionsSession;
  readonly #rows: QuestionRows;
  readonly #known: Map<number, StoredQuestion>;
  /** The questions that the clients know, with the timer that takes a settled one from them. */
  readonly #shown = new Map<number, NodeJS.Timeout | undefined>();
  readonly #shares = new TokenBuckets(SHARE, () => performance.now());

  constructor(session: QuestionsSession, rows: QuestionRows) {
    this.#session = session;
    this.#rows = rows;
    this.#known = new Map(rows.list(session.id).map((stored) => [stored.question.id, stored]));
  }

  /** Returns the kept questions, oldest first. */
  all(): StoredQuestion[] {
    return [...this.#known.values()];
  }

  openOnes(): StoredQuestion[] {
    return this.all().filter(({ question }) => question.state === "open");
  }

  find(id: number): StoredQuestion | undefined {
    return this.#known.get(id);
  }

  /** @throws RemoteError `unknown_question` */
  get(id: number): StoredQuestion {
    const stored = this.#known.get(id);
    if (stored !== undefined) return stored;
    throw new RemoteError("unknown_question", `The session has no question ${id}, or keeps it no longer.`);
  }

  /**
   * Records a question; undefined where too many are open already, or its shell has asked too much. Those of the relay itself, of which there is one for
   * each budget, are always recorded. `quiet`: it is announced by its answer, or later.
   */
  open(asked: NewQuestion, origin: QuestionOrigin, { quiet = false } = {}): Question | undefined {
    if (asked.source !== "governor" && (this.#isFull(asked.shellId) || !this.#takeShare(asked))) return undefined;
    const question: Question = {
      ...asked,
      id: this.#rows.nextId(this.#session.id),
      session: this.#session.id,
      askedAt: new Date().toISOString(),
      state: "open",
      answeredBy: null,
      answer: null,
      closedAt: null,
      closedBecause: null,
      receipt: null,
      digest: origin.digest,
    };
    this.#rows.add({ question, origin });
    this.#known.set(question.id, { question, origin });
    if (!quiet) this.announce(question.id);
    return question;
  }

  /** Tells of an open question. */
  announce(id: number): void {
    const { question } = this.get(id);
    this.#publish(question);
    this.#session.emit({ type: "question.opened", data: question });
  }

  /**
   * Closes an open question: the one transition that decides between several answers.
   *
   * @throws RemoteError `question_closed` with the earlier answer, `unknown_question`, `storage_failed`
   */
  close(id: number, closing: Closing): Question {
    const { question, origin } = this.get(id);
    if (question.state !== "open") throw closedError(question);
    const { state, answer, answeredBy, receipt, because } = { ...NOTHING, ...closing };
    const closedAt = new Date().toISOString();
    const closed: Question = {
      ...question,
      ...{ state, answer, answeredBy, receipt, closedAt, closedBecause: because, answerable: false },
    };
    const isGiven = answeredBy !== null && answeredBy.kind !== "terminal";
    if (!isGiven) ignoreDiskErrors(() => this.#rows.close(closed));
    else if (!this.#rows.close(closed)) throw closedError(question);
    this.#known.set(id, { question: closed, origin });
    this.#publish(closed);
    this.#session.emit({ type: state === "answered" ? "question.answered" : "question.withdrawn", data: closed });
    this.#dropOld();
    return closed;
  }

  /** Says whether an answer can reach the agent. Changes open questions only. */
  setAnswerable(id: number, answerable: boolean): void {
    const { question, origin } = this.get(id);
    if (question.state !== "open" || question.answerable === answerable) return;
    const changed = { ...question, answerable };
    this.#known.set(id, { question: changed, origin });
    this.#publish(changed);
  }

  /**
   * Completes an open question by its dialog, as the screen shows it. Once only: from then on it can be answered, and what a
   * question shows that can be answered does not change.
   */
  setDialog(id: number, screen: string, options: Question["options"]): void {
    const { question, origin } = this.get(id);
    if (question.state !== "open" || question.detail.screen !== "") return;
    const detail = { ...question.detail, screen };
    const digest = digestOfDialog(question.digest, screen, options);
    const changed = { ...question, detail, options, digest, answerable: options.length > 0 };
    ignoreDiskErrors(() => this.#rows.update(changed));
    this.#known.set(id, { question: changed, origin });
    this.#publish(changed);
  }

  /** Records what is known of an answer's arrival. */
  setReceipt(id: number, state: NonNullable<Question["receipt"]>["state"], evidence: string): void {
    const stored = this.#known.get(id);
    if (stored === undefined) return;
    const receipt = { state, evidence, at: new Date().toISOString() };
    const changed = { ...stored.question, receipt };
    ignoreDiskErrors(() => this.#rows.update(changed));
    this.#known.set(id, { ...stored, question: changed });
    this.#publish(changed);
  }

  #isFull(shell: ShellId): boolean {
    const open = this.openOnes().filter(({ question }) => question.source !== "governor");
    const here = open.filter(({ question }) => question.shellId === shell);
    return here.length >= (open.length >= MOST_OPEN ? ALWAYS_OPEN_IN_SHELL : MOST_OPEN_IN_SHELL);
  }

  /** Returns whether the shell may ask now, and counts the question then. */
  #takeShare(asked: NewQuestion): boolean {
    const share = this.#shares.of(String(asked.shellId));
    if (share.spend(0) > 0) return false;
    share.spend(LEAST_SIZE + JSON.stringify(asked).length);
    return true;
  }

  /** Tells the clients of the questions that a restart of the relay has left. */
  announceKept(): void {
    for (const { question } of this.all()) if (needsAttention(question)) this.#publish(question);
  }

  [Symbol.dispose](): void {
    for (const timer of this.#shown.values()) clearTimeout(timer);
    this.#shown.clear();
  }

  /** Clients that saw a question see what became of its answer before it goes. */
  #publish(question: Question): void {
    const { id, state } = question;
    const settled = !needsAttention(question);
    if (settled && (state !== "answered" || !this.#shown.has(id))) {
      this.#hide(id);
      return;
    }
    clearTimeout(this.#shown.get(id));
    this.#shown.set(id, settled ? setTimeout(() => this.#hide(id), SETTLED_SHOWN_MS).unref() : undefined);
    this.#session.apply({ kind: "question", question });
  }

  #hide(id: number): void {
    clearTimeout(this.#shown.get(id));
    this.#shown.delete(id);
    this.#session.apply({ kind: "question-gone", id });
  }

  /** The shell with the most closed questions loses its oldest, so that a program's questions push no answers to others out. */
  #dropOld(): void {
    const closed = this.all().flatMap(({ question }) => (question.state === "open" ? [] : [question]));
    while (closed.length > MOST_CLOSED) {
      const counts = new Map<ShellId, number>();
      for (const { shellId } of closed) counts.set(shellId, (counts.get(shellId) ?? 0) + 1);
      const most = Math.max(...counts.values());
      const oldest = closed.findIndex(({ shellId }) => counts.get(shellId) === most);
      for (const { id } of closed.splice(oldest, 1)) {
        ignoreDiskErrors(() => this.#rows.remove(this.#session.id, id));
        this.#known.delete(id);
        if (this.#shown.has(id)) this.#hide(id);
      }
    }
  }
}

/** Characters of an answer that an error quotes. */
const MAX_SAID = 200;
const NOTHING = { answer: null, answeredBy: null, receipt: null, because: null };

/** Says who closed a question, and how. */
export function closedError(question: Question): RemoteError {
  return new RemoteError("question_closed", `Question ${question.id} ${describeEnd(question)}.`);
}

/** Says that an answer was given to something else. */
export function changedError({ id }: Question): RemoteError {
  return new RemoteError(
    "question_changed",
    `Question ${id} asks something else than what the answer was given to: read it again, and answer what it asks now.`,
  );
}

function describeEnd({ state, answer, answeredBy, closedAt, closedBecause, options, choices }: Question): string {
  if (state !== "answered") return `was ${state} at ${closedAt}: ${closedBecause}`;
  const where = answeredBy?.kind === "terminal" ? "in the terminal" : `by ${answeredBy?.name}`;
  const label = options.find(({ id }) => id === answer?.option)?.label;
  const said = answer?.option == null ? answerText({ options, choices, answer }) : undefined;
  const text = said === undefined ? "" : JSON.stringify(shownLine(said, MAX_SAID));
  const what = [answer?.option, label && `(${label})`, text].filter(Boolean).join(" ");
  return `was answered ${where} at ${closedAt}${what === "" ? "" : `: ${what}`}`;
}
