import { app } from "electron";
import type { BudgetAlert } from "../../../core/protocol/budgets.ts";
import type { DesktopSettings } from "../../../core/protocol/desktop-settings.ts";
import { errorText } from "../../../core/protocol/error-text.ts";
import type { ShownBy } from "../../../core/protocol/events.ts";
import { SessionId } from "../../../core/protocol/ids.ts";
import { Undo } from "../../../core/undo.ts";
import { noticeOfBudget } from "../notifications/agent-notices.ts";
import { notifyAboutAgents } from "../notifications/agent-notifications.ts";
import type { NativeNotifications } from "../notifications/native-notifications.ts";
import { NoticeGate } from "../notifications/notice-gate.ts";
import { createNotifications, type Notifications } from "../notifications/notifications.ts";
import { notifyAboutRoleRequests } from "../notifications/role-notifications.ts";
import type { DesktopClient } from "../sessions/desktop-client.ts";
import type { DesktopSessions } from "../sessions/desktop-sessions.ts";
import { messageOfNotice, type Notice, type NoticeSource, pastNotice, type Toast } from "../sessions/notices.ts";
import type { RelayDesk } from "../sessions/relay-for-desktop.ts";
import { ToastWindow } from "../windows/toast-window.ts";
import { words } from "../words.ts";

interface Options {
  readonly relay: RelayDesk;
  readonly native: NativeNotifications;
  /** Path of the preload script. */
  readonly preload: string;
  readonly settings: () => DesktopSettings;
  readonly sessions: () => DesktopSessions;
  /** Shows a toast in the session's window; false when that cannot be seen. */
  readonly toastInWindow: (session: string, toast: Toast) => boolean;
  readonly inFront: (session: string) => boolean;
  readonly clicked: (source: NoticeSource) => void;
  /** Called when a shell was muted or its sound came back. */
  readonly changed: () => void;
  /** Called when an agent's usage or status changed. */
  readonly usageChanged: () => void;
  readonly log: (line: string) => void;
}

/** What the app tells its user: notifications of the system, toasts, and what the panel keeps of them. */
export class DesktopNotices implements Disposable {
  readonly gate: NoticeGate;
  readonly toasts: ToastWindow;
  readonly #notifications: Notifications;
  readonly #options: Options;
  readonly #undo = new Undo();

  constructor(options: Options) {
    this.#options = options;
    const { relay, native, preload, settings, clicked, changed, log } = options;
    this.#notifications = this.#owned(
      createNotifications({
        clicked,
        muted: ({ id, shell }) => {
          if (shell !== undefined) this.gate.mute(id, shell, true);
          changed();
        },
        answered: (source, question, option) => void this.#answer(source, question, option),
        log,
        native,
      }),
    );
    this.gate = this.#owned(
      new NoticeGate({
        settings,
        show: (notice, source) => this.#notify(notice, source),
        keep: (notice, source, shown) => relay.keepNotice(pastNotice(notice, source, shown)),
      }),
    );
    this.toasts = this.#owned(new ToastWindow({ preload, log, clicked }));
    this.#undo.add(relay.onBudgetAlert((alert) => this.#budgetReached(alert)));
  }

  /** Shows what a program or script of the session sends. */
  message(session: string, notice: Notice, shell?: NoticeSource["shell"]): ShownBy | Promise<ShownBy> {
    return this.gate.offer("messages", notice, { ...this.#source(session), shell });
  }

  /** Shows a toast in the session's window while that can be seen, else at the corner of the screen. */
  toast(session: string, toast: Toast, shell?: NoticeSource["shell"]): Promise<ShownBy> {
    return this.#toast(toast, { ...this.#source(session), shell });
  }

  /** Tells about the agents of a session from now on. */
  watchAgents(client: DesktopClient): void {
    notifyAboutAgents(client, {
      changed: this.#options.usageChanged,
      tell: (id, notice) =>
        this.gate.offer(notice.kind, notice, {
          ...this.#source(id),
          shell: notice.shell,
          agent: true,
          question: notice.question,
        }),
      closed: (id, question) => this.#notifications.closeQuestion(id, question),
      ended: (id, shell) => this.gate.mute(id, shell, false),
      inFront: this.#options.inFront,
    });
  }

  /** Tells about people who ask to type in a session from now on. */
  watchRoleRequests(client: DesktopClient): void {
    const { inFront } = this.#options;
    notifyAboutRoleRequests(client, {
      tell: (id, notice) => void this.gate.offer("waiting", notice, this.#source(id)),
      inFront,
    });
  }

  [Symbol.dispose](): void {
    this.#undo.dispose();
  }

  #owned<T extends Disposable>(part: T): T {
    this.#undo.add(() => part[Symbol.dispose]());
    return part;
  }

  #budgetReached(alert: BudgetAlert): void {
    const [first] = this.#options.sessions().all();
    const session = alert.scope === "shell" ? alert.of.slice(0, alert.of.lastIndexOf("/")) : alert.of;
    const about = this.#options
      .sessions()
      .all()
      .some(({ id }) => id === session)
      ? session
      : (first?.id ?? "");
    this.gate.offer(
      "budget",
      noticeOfBudget(alert, this.#source(about).name, app.getLocale() || undefined),
      this.#source(about),
    );
  }

  /** Answers from a notification. A refusal, for example because another answer was first, is a notification itself. */
  async #answer(source: NoticeSource, id: number, option: string): Promise<void> {
    try {
      const session = SessionId.parse(source.id);
      const { digest } = source.question ?? {};
      const given = { session, id, option, ...(digest !== undefined && { digest }), confirmScreen: false, wait: 0 };
      await this.#options.relay.run("answerQuestion", given);
    } catch (error) {
      const body = errorText(error);
      await this.#notify({ title: words.notices.notUsed, body }, { ...source, question: { id, options: [] } });
    }
  }

  /** As a notification of the system, else as a toast; the panel lists it in any case. */
  async #notify(notice: Notice, source: NoticeSource): Promise<ShownBy> {
    if (await this.#notifications.show(notice, source)) return "native";
    return this.#toast({ message: messageOfNotice(notice), kind: "info" }, source);
  }

  async #toast(toast: Toast, source: NoticeSource): Promise<ShownBy> {
    if (this.#options.toastInWindow(source.id, toast)) return "toast";
    return (await this.toasts.show(toast, source)) ? "toast" : "log";
  }

  #source(session: string): NoticeSource {
    return { id: session, name: this.#options.sessions().find(session)?.name() ?? session };
  }
}
