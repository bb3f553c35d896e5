import { useState } from "react";
import { errorText } from "../../../core/protocol/error-text.ts";
import type { Webhook, WebhookDelivery } from "../../../core/protocol/webhooks.ts";
import { formatTime } from "../../ui/format-time.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { asSentence } from "../format.ts";
import { usePanel } from "../use-panel.ts";
import { usePolling } from "../use-polling.ts";
import { words } from "../words/index.ts";
import { type Deliveries, WebhookDeliveries } from "./webhook-deliveries.tsx";
import { describeEvents } from "./webhook-events.ts";

const POLL_INTERVAL_MS = 15_000;

const DOTS = { none: "info", waiting: "wait", delivered: "good", dead: "bad", failing: "bad" } as const;

/** A webhook: what it sends where, the state of its last delivery, and what can be done with it. */
export function WebhookCard({ hook, changed }: { readonly hook: Webhook; changed(): void }) {
  const { ask, call } = usePanel();
  const { id: webhook, to, events, lastError } = hook;
  const [deliveries, setDeliveries] = useState<Deliveries>();
  const [outcome, setOutcome] = useState<string>();
  const [isTesting, setTesting] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const look = async (): Promise<Deliveries> => {
    const [last, dead] = await Promise.all([
      ask("listWebhookDeliveries", { webhook }),
      hook.dead === 0 ? [] : ask("listWebhookDeliveries", { webhook, state: "dead" }),
    ]);
    return { last: last.filter(({ state }) => state !== "dead"), dead };
  };
  const refresh = usePolling(look, setDeliveries, POLL_INTERVAL_MS);
  const refreshAll = () => {
    refresh();
    changed();
  };
  const test = async () => {
    setTesting(true);
    setOutcome(undefined);
    try {
      const { ok, error } = await ask("testWebhook", { webhook });
      setOutcome(
        ok ? words.webhooks.testArrived : words.webhooks.testFailed(asSentence(error ?? words.webhooks.noAnswer)),
      );
    } catch (error) {
      setOutcome(words.webhooks.testFailed(errorText(error)));
    } finally {
      setTesting(false);
      refreshAll();
    }
  };
  const remove = async () => {
    await call("removeWebhook", { webhook });
    changed();
  };
  return (
    <li className="panel-card webhook">
      <div className="panel-row">
        <h3 className="ellipsis" title={to}>
          {to}
        </h3>
        {deliveries !== undefined && <LastState newest={newestOf(deliveries)} lastError={lastError} />}
      </div>
      <AboutWebhook hook={hook} />
      <p className="panel-faint">{describeEvents(events)}</p>
      {lastError !== null && <p className="panel-error">{words.webhooks.lastError(asSentence(lastError))}</p>}
      {deliveries !== undefined && <WebhookDeliveries hook={hook} deliveries={deliveries} changed={refreshAll} />}
      <div className="panel-row">
        <p role="status">{outcome}</p>
        <span className="panel-buttons">
          <button
            type="button"
            className="button outlined small"
            aria-label={words.webhooks.testOf(to)}
            disabled={isTesting}
            onClick={() => void test()}
          >
            {isTesting ? words.webhooks.testing : words.webhooks.test}
          </button>
          <button
            type="button"
            className="button quiet small"
            aria-label={words.webhooks.removeOf(to)}
            onClick={() => setRemoving(true)}
          >
            {words.webhooks.remove}
          </button>
        </span>
      </div>
      {isRemoving && (
        <ConfirmDialog
          title={words.webhooks.removeQuestion(to)}
          body={words.webhooks.removeBody}
          action={words.webhooks.removeIt}
          confirm={remove}
          close={() => setRemoving(false)}
        />
      )}
    </li>
  );
}

function AboutWebhook({ hook: { format, session, contentFree } }: { readonly hook: Webhook }) {
  const { sessions } = usePanel().content;
  const name = sessions.find(({ id }) => id === session)?.name ?? session;
  const about = [
    words.webhooks.formats[format],
    name === null ? words.webhooks.allSessions : words.webhooks.session(name),
    ...(contentFree ? [words.webhooks.withoutText] : []),
  ];
  return <p className="panel-faint">{about.join(" · ")}</p>;
}

interface LastStateProps {
  readonly newest: WebhookDelivery | undefined;
  readonly lastError: string | null;
}

function LastState({ newest, lastError }: LastStateProps) {
  const state = lastError !== null && newest?.state !== "dead" ? "failing" : (newest?.state ?? "none");
  return (
    <span className="panel-chip">
      <span className={`dot ${DOTS[state]}`} />
      {words.webhooks.states[state]}
      {newest !== undefined && ` · ${formatTime(newest.createdAt)}`}
    </span>
  );
}

function newestOf({ last, dead }: Deliveries): WebhookDelivery | undefined {
  return [...last, ...dead].toSorted((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt))[0];
}
