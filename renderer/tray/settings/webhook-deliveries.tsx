import type { Webhook, WebhookDelivery } from "../../../core/protocol/webhooks.ts";
import { formatTime } from "../../ui/format-time.ts";
import { asSentence } from "../format.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";

/** What became of a webhook's messages: the newest of each kind first. */
export interface Deliveries {
  readonly last: readonly WebhookDelivery[];
  readonly dead: readonly WebhookDelivery[];
}

interface Props {
  readonly hook: Webhook;
  readonly deliveries: Deliveries;
  changed(): void;
}

/** The dead letters of a webhook, which can be sent again, and its last messages. */
export function WebhookDeliveries({ hook, deliveries: { last, dead }, changed }: Props) {
  const { call, showStatus } = usePanel();
  const replay = async (delivery?: string) => {
    const sent = await call("replayWebhook", { webhook: hook.id, ...(delivery === undefined ? {} : { delivery }) });
    if (sent !== undefined) showStatus(words.webhooks.replayed(sent.replayed));
    changed();
  };
  return (
    <>
      {dead.length > 0 && (
        <details className="panel-details">
          <summary>{words.webhooks.deadLetters(hook.dead)}</summary>
          <div className="panel-actions">
            <button type="button" className="button outlined small" onClick={() => void replay()}>
              {words.webhooks.replayAll}
            </button>
          </div>
          <ul aria-label={words.webhooks.deadLettersOf(hook.to)}>
            {dead.map((delivery) => (
              <Delivery key={delivery.id} delivery={delivery} replay={() => void replay(delivery.id)} />
            ))}
          </ul>
        </details>
      )}
      <details className="panel-details">
        <summary>{words.webhooks.deliveries}</summary>
        {last.length === 0 && <p className="panel-faint">{words.webhooks.noDeliveries}</p>}
        <ul aria-label={words.webhooks.deliveriesOf(hook.to)}>
          {last.map((delivery) => (
            <Delivery key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      </details>
    </>
  );
}

function Delivery({ delivery, replay }: { readonly delivery: WebhookDelivery; replay?(): void }) {
  const { title, state, createdAt, attempts, error } = delivery;
  const about = [formatTime(createdAt), words.webhooks.states[state], words.webhooks.attempts(attempts)];
  return (
    <li className="panel-row">
      <span className="panel-text">
        <span className="ellipsis" title={title}>
          {title}
        </span>
        <span className="panel-faint">{about.join(" · ")}</span>
        {error !== null && <span className="panel-error">{asSentence(error)}</span>}
      </span>
      {replay !== undefined && (
        <button
          type="button"
          className="button outlined small"
          aria-label={words.webhooks.replayOf(title)}
          onClick={replay}
        >
          {words.webhooks.replay}
        </button>
      )}
    </li>
  );
}
