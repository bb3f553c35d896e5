import { useState } from "react";
import { errorText } from "../../../core/protocol/error-text.ts";
import type { Webhook } from "../../../core/protocol/webhooks.ts";
import { asSentence } from "../format.ts";
import { usePanel } from "../use-panel.ts";
import { usePolling } from "../use-polling.ts";
import { words } from "../words/index.ts";
import { SecretCard } from "./secret-card.tsx";
import { WebhookCard } from "./webhook-card.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import "./webhooks.css";

const POLL_INTERVAL_MS = 10_000;

/** The webhooks of the relay: add, test, remove, and what became of their messages. */
export function WebhookSettings() {
  const { ask } = usePanel();
  const [hooks, setHooks] = useState<readonly Webhook[]>();
  const [refusal, setRefusal] = useState<string>();
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string>();
  const list = () =>
    ask("listWebhooks", {}).catch((error: unknown) => {
      setRefusal(errorText(error));
      throw error;
    });
  const listed = (now: readonly Webhook[]) => {
    setHooks(now);
    setRefusal(undefined);
  };
  const refresh = usePolling(list, listed, POLL_INTERVAL_MS);
  return (
    <div className="panel-section">
      <div className="panel-row">
        <p className="panel-faint">{words.webhooks.about}</p>
        {hooks !== undefined && (
          <button type="button" className="button outlined" onClick={() => setAdding(true)}>
            {words.webhooks.add}
          </button>
        )}
      </div>
      {refusal !== undefined && (
        <p className="panel-error" role="alert">
          {asSentence(refusal)}
        </p>
      )}
      {isAdding && (
        <WebhookForm
          added={(made) => {
            setAdding(false);
            setSecret(made);
            refresh();
          }}
          close={() => setAdding(false)}
        />
      )}
      {secret !== undefined && (
        <SecretCard
          title={words.webhooks.secret}
          copied={words.webhooks.secretCopied}
          secret={secret}
          close={() => setSecret(undefined)}
        />
      )}
      {hooks?.length === 0 && !isAdding && <p className="panel-faint">{words.webhooks.none}</p>}
      {hooks !== undefined && hooks.length > 0 && (
        <ul className="panel-list" aria-label={words.webhooks.title}>
          {hooks.map((hook) => (
            <WebhookCard key={hook.id} hook={hook} changed={refresh} />
          ))}
        </ul>
      )}
      {hooks !== undefined && (
        <p className="panel-faint">{words.webhooks.more({ command: <code>service webhooks add</code> })}</p>
      )}
    </div>
  );
}
