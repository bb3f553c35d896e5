import { type FormEvent, useState } from "react";
import { errorText } from "../../../core/protocol/error-text.ts";
import {
  DEFAULT_WEBHOOK_EVENTS,
  eventPatternsOf,
  WebhookFormat,
  webhookLimits,
} from "../../../core/protocol/webhooks.ts";
import { CodeText } from "../../ui/code-text.ts";
import { asSentence } from "../format.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";
import { offeredEvents } from "./webhook-events.ts";

interface Props {
  added(secret: string): void;
  close(): void;
}

/** Form for a new webhook. What the relay refuses is said in it, and nothing that was typed is lost. */
export function WebhookForm({ added, close }: Props) {
  const { ask } = usePanel();
  const [url, setUrl] = useState("");
  const [format, setFormat] = useState<WebhookFormat>("json");
  const [events, setEvents] = useState<readonly string[]>(eventPatternsOf(DEFAULT_WEBHOOK_EVENTS));
  const [contentFree, setContentFree] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [isAdding, setAdding] = useState(false);
  const isReady = url.trim() !== "" && events.length > 0 && !isAdding;
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    setAdding(true);
    setRefusal(undefined);
    try {
      const made = await ask("addWebhook", { url: url.trim(), format, events: events.join(","), contentFree });
      added(made.secret);
    } catch (error) {
      setRefusal(errorText(error));
      setAdding(false);
    }
  };
  return (
    <form
      className="panel-card webhook-form"
      aria-label={words.webhooks.add}
      onSubmit={(event) => void add(event)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
        event.preventDefault();
        close();
      }}
    >
      <div className="panel-grid">
        <label className="webhook-url">
          {words.webhooks.url}
          <input
            // biome-ignore lint/a11y/noAutofocus: the user opened the form to type here.
            autoFocus
            className="field"
            inputMode="url"
            placeholder={words.webhooks.urlExample}
            spellCheck={false}
            autoComplete="off"
            maxLength={webhookLimits.url}
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        </label>
        <label className="webhook-format">
          {words.webhooks.format}
          <select
            className="field"
            value={format}
            onChange={(event) => setFormat(WebhookFormat.parse(event.target.value))}
          >
            {WebhookFormat.options.map((one) => (
              <option key={one} value={one}>
                {words.webhooks.formats[one]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <fieldset className="webhook-events">
        <legend className="panel-faint">{words.webhooks.events}</legend>
        {offeredEvents.map((name) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={events.includes(name)}
              onChange={({ target }) =>
                setEvents(offeredEvents.filter((one) => (one === name ? target.checked : events.includes(one))))
              }
            />
            {words.webhooks.eventNames[name]}
          </label>
        ))}
      </fieldset>
      <label className="webhook-choice">
        <input type="checkbox" checked={contentFree} onChange={({ target }) => setContentFree(target.checked)} />
        {words.webhooks.contentFree}
      </label>
      {refusal !== undefined && (
        <p className="panel-error" role="alert">
          <CodeText text={asSentence(refusal.replace(/^url: /, ""))} />
        </p>
      )}
      <div className="panel-actions">
        <button type="submit" className="button primary" disabled={!isReady}>
          {isAdding ? words.webhooks.adding : words.webhooks.addIt}
        </button>
        <button type="button" className="button quiet" onClick={close}>
          {words.webhooks.cancel}
        </button>
      </div>
    </form>
  );
}
