import { z } from "zod";
import type { SessionId } from "../../../core/protocol/ids.ts";
import { ToolAction } from "../../../core/protocol/policies.ts";
import { Question } from "../../../core/protocol/questions.ts";
import { json } from "./columns.ts";
import { durably } from "./keep-synced.ts";
import type { StoreDatabase } from "./open-store.ts";

/** How the relay recognizes what belongs to a question; not shown to callers. */
export const QuestionOrigin = z.object({
  /** Names one run of the hook that asked; null for a question without a hook. */
  hook: z.string().nullable(),
  thread: z.string(),
  call: z.string(),
  /** The question's digest when it was asked; null in a row of an earlier version. */
  digest: z.string().nullable().default(null),
  /** What the tool call does, where that is known for certain: policies decide by it. */
  action: ToolAction.optional().catch(undefined),
});
export type QuestionOrigin = Readonly<z.infer<typeof QuestionOrigin>>;

export interface StoredQuestion {
  readonly question: Question;
  readonly origin: QuestionOrigin;
}

/** Table `questions`. */
export class QuestionRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Returns all questions of a session, oldest first. Rows that another version wrote differently are left out. */
  list(session: SessionId): StoredQuestion[] {
    const rows = this.#database
      .prepare("SELECT record, origin FROM questions WHERE session_id = ? ORDER BY id")
      .all([session]);
    return rows.flatMap((row) => {
      const { data } = Row.safeParse(row);
      return data === undefined ? [] : [{ question: data.record, origin: data.origin }];
    });
  }

  /** Returns the id after the newest question's. */
  nextId(session: SessionId): number {
    const statement = this.#database.prepare("SELECT max(id) AS newest FROM questions WHERE session_id = ?");
    return (NewestRow.parse(statement.get([session])).newest ?? 0) + 1;
  }

  add({ question, origin }: StoredQuestion): void {
    this.#database
      .prepare("INSERT INTO questions (session_id, id, state, record, origin) VALUES (?, ?, ?, ?, ?)")
      .run([question.session, question.id, question.state, JSON.stringify(question), JSON.stringify(origin)]);
  }

  /** Closes an open question, durably. Returns false, and changes nothing, if it is not open. */
  close(question: Question): boolean {
    const statement = this.#database.prepare(
      "UPDATE questions SET state = ?, record = ? WHERE session_id = ? AND id = ? AND state = 'open'",
    );
    const values = [question.state, JSON.stringify(question), question.session, question.id];
    return durably(this.#database, () => statement.run(values).changes) > 0;
  }

  /** Replaces the record of a question, whose state stays. */
  update(question: Question): void {
    this.#database
      .prepare("UPDATE questions SET record = ? WHERE session_id = ? AND id = ?")
      .run([JSON.stringify(question), question.session, question.id]);
  }

  remove(session: SessionId, id: number): void {
    this.#database.prepare("DELETE FROM questions WHERE session_id = ? AND id = ?").run([session, id]);
  }
}

const Row = z.object({ record: json(Question), origin: json(QuestionOrigin) });
const NewestRow = z.object({ newest: z.int().nullable() });
