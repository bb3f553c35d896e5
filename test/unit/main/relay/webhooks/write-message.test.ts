import { expect, test } from "vitest";
import { SessionId } from "../../../../../core/protocol/ids.ts";
import { type HookItem, joined, messageOf } from "../../../../../main/relay/webhooks/hook-message.ts";
import { formatError, writeMessage } from "../../../../../main/relay/webhooks/write-message.ts";

const session = SessionId.parse("session-1");
const item: HookItem = {
  event: "question.opened",
  at: "2026-11-24T10:00:00.000Z",
  session: { id: session, name: "work" },
  title: "claude asks: rm <all> & *go*",
  text: "<!channel> @everyone [here](https://evil.example)",
  data: { id: 7 },
};
const linkOf = (id: string) => `http://127.0.0.1:7717/s/${id}`;

function written(
  format: "json" | "ntfy" | "slack" | "discord",
  url = "https://example.com/a/b?x=1",
  message = messageOf(item),
) {
  const result = writeMessage(message, { url: new URL(url), format, linkOf });
  return { url: result.url.href, body: JSON.parse(result.body) as Record<string, unknown> };
}

test("json carries the event, with its type and time as Standard Webhooks has them", () => {
  expect(written("json")).toEqual({
    url: "https://example.com/a/b?x=1",
    body: {
      type: "question.opened",
      timestamp: item.at,
      data: { title: item.title, text: item.text, link: linkOf(session), session: item.session, event: { id: 7 } },
    },
  });
});

test("a message about several events tells of each, without its data", () => {
  const { body } = written("json", undefined, joined(messageOf(item), { ...item, event: "agent.idle", title: "idle" }));
  expect(body).toMatchObject({
    type: "several",
    data: {
      title: "2 events: 1 question.opened, 1 agent.idle",
      counts: { "question.opened": 1, "agent.idle": 1 },
      events: [
        { type: "question.opened", link: linkOf(session) },
        { type: "agent.idle", title: "idle" },
      ],
    },
  });
  expect(JSON.stringify(body)).not.toContain('"id":7');
});

test("ntfy is published to above the topic, with the topic in the body", () => {
  expect(written("ntfy", "https://ntfy.example/sub/my-topic?auth=x")).toEqual({
    url: "https://ntfy.example/sub/?auth=x",
    body: { topic: "my-topic", title: item.title, message: item.text, click: linkOf(session) },
  });
  expect(formatError(new URL("https://ntfy.sh/"), "ntfy")).toContain("a topic");
  expect(formatError(new URL("https://ntfy.sh/a%20b"), "ntfy")).toContain("a topic");
  expect(formatError(new URL("https://ntfy.sh/my-topic"), "ntfy")).toBeUndefined();
  expect(formatError(new URL("https://example.com/"), "json")).toBeUndefined();
});

test("what an agent writes calls nobody and makes no link in Slack and Discord", () => {
  expect(written("slack").body.text).toBe(
    `*claude asks: rm &lt;all&gt; &amp; *go**\n&lt;!channel&gt; @everyone [here](https://evil.example)\n${linkOf(session)}`,
  );
  const { body } = written("discord");
  expect(body.allowed_mentions).toEqual({ parse: [] });
  expect(body.content).toContain("\\[here\\]\\(https://evil.example\\)");
  const long = messageOf({ ...item, title: "*".repeat(200), text: "*".repeat(1000) });
  expect(String(written("discord", undefined, long).body.content).length).toBeLessThan(2000);
});
