import type { SessionId } from "../../../core/protocol/ids.ts";
import type { WebhookFormat } from "../../../core/protocol/webhooks.ts";
import { eventCount, eventNameOf, type HookMessage, titleOf } from "./hook-message.ts";

/** Characters of a text that every service takes: Discord takes 2000 and ntfy 4096 bytes for all. */
const LONGEST_SHOWN = 1000;
/** Lines of a message about many events. */
const MOST_LINES = 10;

const NTFY_TOPIC = /^[-_A-Za-z0-9]{1,64}$/;

/** A message as a receiver takes it. */
interface WrittenMessage {
  readonly url: URL;
  readonly body: string;
  readonly contentType: string;
}

/** Returns why a URL is none of a format's, as the end of a sentence; undefined where it may be. */
export function formatError(url: URL, format: WebhookFormat): string | undefined {
  if (format !== "ntfy" || NTFY_TOPIC.test(topicOf(url))) return undefined;
  return "expected the URL of a topic, such as https://ntfy.sh/my-topic";
}

/** Writes a message for a receiver. `linkOf` returns the address of a session's page. */
export function writeMessage(
  message: HookMessage,
  { url, format, linkOf }: { url: URL; format: WebhookFormat; linkOf: (session: SessionId) => string },
): WrittenMessage {
  const [first] = message.items;
  const link = first?.session == null ? "" : linkOf(first.session.id);
  const title = titleOf(message);
  const text = shownText(message);
  switch (format) {
    case "json":
      return json(url, jsonBody(message, { title, text, link, linkOf }));
    case "ntfy":
      return json(ntfyUrl(url), { topic: topicOf(url), title, message: text || title, ...(link && { click: link }) });
    case "slack":
      return json(url, { text: [`*${slackText(title)}*`, slackText(text), link].filter(Boolean).join("\n") });
    case "discord":
      return json(url, {
        content: [`**${discordText(title)}**`, discordText(text), link].filter(Boolean).join("\n"),
        allowed_mentions: { parse: [] },
      });
  }
}

function json(url: URL, value: unknown): WrittenMessage {
  return { url, body: JSON.stringify(value), contentType: "application/json" };
}

function jsonBody(
  message: HookMessage,
  { title, text, link, linkOf }: { title: string; text: string; link: string; linkOf: (session: SessionId) => string },
) {
  const [first] = message.items;
  if (eventCount(message) === 1) {
    const session = first?.session ?? null;
    const data = { title, text, link, session, event: first?.data ?? null };
    return { type: eventNameOf(message), timestamp: first?.at, data };
  }
  const events = message.items.map(({ event, at, title: its, text: said, session }) => {
    return {
      type: event,
      timestamp: at,
      title: its,
      text: said,
      link: session === null ? "" : linkOf(session.id),
      session,
    };
  });
  return { type: eventNameOf(message), timestamp: first?.at, data: { title, link, counts: message.counts, events } };
}

function shownText(message: HookMessage): string {
  const [first] = message.items;
  const lines = message.items.slice(0, MOST_LINES).map(({ title }) => title);
  const text = eventCount(message) === 1 ? (first?.text ?? "") : lines.join("\n");
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN - 1)}…` : text;
}

function topicOf({ pathname }: URL): string {
  return pathname.slice(pathname.lastIndexOf("/") + 1);
}

/** A message as JSON goes to the address above the topic. */
function ntfyUrl(url: URL): URL {
  const parent = new URL(url);
  parent.pathname = url.pathname.slice(0, url.pathname.lastIndexOf("/") + 1);
  return parent;
}

/** Slack reads `<!channel>` as a call to everybody, and `<address|text>` as a link. */
function slackText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function discordText(text: string): string {
  return text.slice(0, LONGEST_SHOWN / 2).replace(/[\\*_~`|>[\]()#<@]/g, "\\$&");
}
