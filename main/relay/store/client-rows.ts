import { z } from "zod";
import { ClientId, type SessionId } from "../../../core/protocol/ids.ts";
import { json } from "./columns.ts";
import { ignoreDiskErrors } from "./disk-errors.ts";
import type { StoreDatabase } from "./open-store.ts";

/** A client that may reconnect, with the state that it saved last; undefined before it has saved any. */
export interface ClientRow {
  readonly id: ClientId;
  readonly state: unknown;
  /** Who may come back to it: `owner`, or `guest:<id>`; null for a client of a version that did not record it. */
  readonly holder: string | null;
}

/** Table `client_states`: the clients of each session by their place (`desktop`, or a name made from a resume token). */
export class ClientRows {
  readonly #database: StoreDatabase;
  /** Prepared once: every command that changes a layout saves it. */
  readonly #put: ReturnType<StoreDatabase["prepare"]>;

  constructor(database: StoreDatabase) {
    this.#database = database;
    this.#put = database.prepare(
      "INSERT OR REPLACE INTO client_states (session_id, place, client_id, state, holder) VALUES (?, ?, ?, ?, ?)",
    );
  }

  list(session: SessionId): (ClientRow & { readonly place: string })[] {
    const statement = this.#database.prepare(
      // The one that was saved last is the last.
      "SELECT place, client_id AS id, state, holder FROM client_states WHERE session_id = ? ORDER BY rowid",
    );
    return z.array(PlacedRow).parse(statement.all([session]));
  }

  get(session: SessionId, place: string): ClientRow | undefined {
    const statement = this.#database.prepare(
      "SELECT client_id AS id, state, holder FROM client_states WHERE session_id = ? AND place = ?",
    );
    return Row.optional().parse(statement.get([session, place]));
  }

  put(session: SessionId, place: string, { id, state, holder }: ClientRow): void {
    this.#put.run([session, place, id, state === undefined ? null : JSON.stringify(state), holder]);
  }

  /** Removes a client. A row that the disk does not let go expires again after the next start. */
  remove(session: SessionId, place: string): void {
    const statement = this.#database.prepare("DELETE FROM client_states WHERE session_id = ? AND place = ?");
    ignoreDiskErrors(() => statement.run([session, place]));
  }
}

const Row = z.object({
  id: ClientId,
  state: z.union([json(z.unknown()), z.null().transform(() => undefined)]),
  holder: z.string().nullable(),
});
const PlacedRow = Row.extend({ place: z.string() });
