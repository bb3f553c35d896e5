import { z } from "zod";
import { SessionId } from "../../../core/protocol/ids.ts";
import { WebhookSettings } from "../../../core/protocol/webhooks.ts";
import { json } from "./columns.ts";
import { durably } from "./keep-synced.ts";
import type { StoreDatabase } from "./open-store.ts";

const WebhookRow = z.object({
  id: z.string(),
  session: SessionId.nullable(),
  /** Scheme and host of its URL. */
  to: z.string(),
  settings: json(WebhookSettings),
  createdAt: z.string(),
});
export type WebhookRow = Readonly<z.infer<typeof WebhookRow>>;

const DeliveryState = z.enum(["waiting", "delivered", "dead"]);
export type DeliveryState = z.infer<typeof DeliveryState>;

const DeliveryRow = z.object({
  id: z.string(),
  state: DeliveryState,
  /** What it tells of, as JSON. */
  message: z.string(),
  attempts: z.int(),
  createdAt: z.string(),
  /** When it is tried next, in ms since the epoch. */
  due: z.number(),
  status: z.int().nullable(),
  error: z.string().nullable(),
});
export type DeliveryRow = Readonly<z.infer<typeof DeliveryRow>>;

const WEBHOOK_COLUMNS = 'id, session_id AS session, address AS "to", settings, created_at AS createdAt';
const DELIVERY_COLUMNS = "id, state, message, attempts, created_at AS createdAt, due, status, error";

/** Tables `webhooks` and `webhook_deliveries`. */
export class WebhookRows {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /** Returns every hook, oldest first. */
  list(): WebhookRow[] {
    const statement = this.#database.prepare(`SELECT ${WEBHOOK_COLUMNS} FROM webhooks ORDER BY created_at, id`);
    return z.array(WebhookRow).parse(statement.all([]));
  }

  add({ id, session, to, settings, createdAt }: WebhookRow): void {
    const statement = this.#database.prepare(
      "INSERT INTO webhooks (id, session_id, address, settings, created_at) VALUES (?, ?, ?, ?, ?)",
    );
    durably(this.#database, () => statement.run([id, session, to, JSON.stringify(settings), createdAt]));
  }

  /** Removes a hook with its messages. */
  remove(id: string): void {
    durably(this.#database, () => this.#database.prepare("DELETE FROM webhooks WHERE id = ?").run([id]));
  }

  /** Returns the messages of a hook, newest first. */
  deliveries(webhook: string, { state, limit }: { state?: DeliveryState | undefined; limit: number }): DeliveryRow[] {
    const statement = this.#database.prepare(
      `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries
       WHERE webhook = ? AND (? IS NULL OR state = ?) ORDER BY seq DESC LIMIT ?`,
    );
    return z.array(DeliveryRow).parse(statement.all([webhook, state ?? null, state ?? null, limit]));
  }

  delivery(webhook: string, id: string): DeliveryRow | undefined {
    const statement = this.#database.prepare(
      `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries WHERE webhook = ? AND id = ?`,
    );
    return DeliveryRow.optional().parse(statement.get([webhook, id]));
  }

  /** Returns the waiting message of a hook that is due first; undefined where none waits. */
  next(webhook: string): DeliveryRow | undefined {
    const statement = this.#database.prepare(
      `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries
       WHERE webhook = ? AND state = 'waiting' ORDER BY due, seq LIMIT 1`,
    );
    return DeliveryRow.optional().parse(statement.get([webhook]));
  }

  /** Returns the number of messages of a hook in a state. */
  count(webhook: string, state: DeliveryState): number {
    const statement = this.#database.prepare(
      "SELECT COUNT(*) AS count FROM webhook_deliveries WHERE webhook = ? AND state = ?",
    );
    return CountRow.parse(statement.get([webhook, state])).count;
  }

  addDelivery(webhook: string, { id, message, createdAt, due }: DeliveryRow): void {
    this.#database
      .prepare(
        `INSERT INTO webhook_deliveries (webhook, id, state, message, attempts, created_at, due)
         VALUES (?, ?, 'waiting', ?, 0, ?, ?)`,
      )
      .run([webhook, id, message, createdAt, due]);
  }

  /** Removes a message that was not tried yet. */
  dropUntried(webhook: string, id: string): void {
    this.#database
      .prepare("DELETE FROM webhook_deliveries WHERE webhook = ? AND id = ? AND state = 'waiting' AND attempts = 0")
      .run([webhook, id]);
  }

  /** Replaces what a waiting message tells of. */
  setMessage(webhook: string, id: string, message: string): void {
    this.#database
      .prepare("UPDATE webhook_deliveries SET message = ? WHERE webhook = ? AND id = ? AND state = 'waiting'")
      .run([message, webhook, id]);
  }

  /** Records what an attempt came to. */
  setAttempt(webhook: string, { id, state, attempts, due, status, error }: Omit<DeliveryRow, "message" | "createdAt">) {
    this.#database
      .prepare(
        `UPDATE webhook_deliveries SET state = ?, attempts = ?, due = ?, status = ?, error = ?
         WHERE webhook = ? AND id = ?`,
      )
      .run([state, attempts, due, status, error, webhook, id]);
  }

  /** Makes messages wait for a first attempt again: one of them, or all dead letters. Returns how many. */
  replay(webhook: string, id: string | undefined, due: number): number {
    const statement = this.#database.prepare(
      `UPDATE webhook_deliveries SET state = 'waiting', attempts = 0, due = ?
       WHERE webhook = ? AND (id = ? OR (? IS NULL AND state = 'dead'))`,
    );
    return Number(durably(this.#database, () => statement.run([due, webhook, id ?? null, id ?? null]).changes));
  }

  /** Removes the oldest messages of a hook in a state beyond the newest `keep`. */
  trim(webhook: string, state: DeliveryState, keep: number): void {
    this.#database
      .prepare(
        `DELETE FROM webhook_deliveries WHERE webhook = ? AND state = ? AND seq NOT IN (
           SELECT seq FROM webhook_deliveries WHERE webhook = ? AND state = ? ORDER BY seq DESC LIMIT ?)`,
      )
      .run([webhook, state, webhook, state, keep]);
  }
}

const CountRow = z.object({ count: z.int() });
