import { randomBytes } from "node:crypto";
import { z } from "zod";
import { AuditRows } from "./audit-rows.ts";
import { BudgetRows } from "./budget-rows.ts";
import { ChatRows } from "./chat-rows.ts";
import { ClientRows } from "./client-rows.ts";
import { GuestRows } from "./guest-rows.ts";
import { HistoryRows } from "./history-rows.ts";
import { InviteRows } from "./invite-rows.ts";
import { durably } from "./keep-synced.ts";
import { KeyRows } from "./key-rows.ts";
import { LoginRows } from "./login-rows.ts";
import { NoticeRows } from "./notice-rows.ts";
import type { StoreDatabase } from "./open-store.ts";
import { PluginRows } from "./plugin-rows.ts";
import { PolicyRows } from "./policy-rows.ts";
import { QuestionRows } from "./question-rows.ts";
import { ReceiptRows } from "./receipt-rows.ts";
import { RequestRows } from "./request-rows.ts";
import { RestrictionRows } from "./restriction-rows.ts";
import { SessionRows } from "./session-rows.ts";
import { ShellRows } from "./shell-rows.ts";
import { WebhookRows } from "./webhook-rows.ts";

/**
 * The relay's database: one field per group of tables. All SQL of the relay is in this folder. A write survives the death
 * of the process when its method returns; a durable write survives a power cut too, any other one a second later
 * (keep-synced.ts). Every method throws `storage_failed` when the disk refuses it.
 */
export class Store implements Disposable {
  readonly sessions: SessionRows;
  readonly shells: ShellRows;
  readonly chat: ChatRows;
  readonly clients: ClientRows;
  readonly keys: KeyRows;
  readonly invites: InviteRows;
  readonly guests: GuestRows;
  readonly logins: LoginRows;
  readonly plugins: PluginRows;
  readonly restrictions: RestrictionRows;
  readonly questions: QuestionRows;
  readonly policies: PolicyRows;
  readonly receipts: ReceiptRows;
  readonly budgets: BudgetRows;
  readonly requests: RequestRows;
  readonly notices: NoticeRows;
  readonly webhooks: WebhookRows;
  readonly audit: AuditRows;
  readonly history: HistoryRows;
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
    this.sessions = new SessionRows(database);
    this.shells = new ShellRows(database);
    this.chat = new ChatRows(database);
    this.clients = new ClientRows(database);
    this.keys = new KeyRows(database);
    this.invites = new InviteRows(database);
    this.guests = new GuestRows(database);
    this.logins = new LoginRows(database);
    this.plugins = new PluginRows(database);
    this.restrictions = new RestrictionRows(database);
    this.questions = new QuestionRows(database);
    this.policies = new PolicyRows(database);
    this.receipts = new ReceiptRows(database);
    this.budgets = new BudgetRows(database);
    this.requests = new RequestRows(database);
    this.notices = new NoticeRows(database);
    this.webhooks = new WebhookRows(database);
    this.audit = new AuditRows(database);
    this.history = new HistoryRows(database);
  }

  /** Returns the size of the database file in bytes, without the part of the log that is not yet moved into it. */
  size(): number {
    const statement = this.#database.prepare(
      "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()",
    );
    return SizeRow.parse(statement.get([])).bytes;
  }

  /** Returns the random id of this data folder, made at the first call. It names the command line's keychain account. */
  relayId(): string {
    const known = MetaRow.optional().parse(
      this.#database.prepare("SELECT value FROM meta WHERE key = 'relay_id'").get([]),
    );
    if (known !== undefined) return known.value;
    const id = randomBytes(8).toString("hex");
    this.#database.prepare("INSERT INTO meta (key, value) VALUES ('relay_id', ?)").run([id]);
    return id;
  }

  /** Writes something, so that the log of the database has content while it is in use. */
  noteOpened(): void {
    const statement = this.#database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('opened_at', ?)");
    durably(this.#database, () => statement.run([new Date().toISOString()]));
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

const SizeRow = z.object({ bytes: z.int() });
const MetaRow = z.object({ value: z.string() });
