import { describe, expect, test } from "vitest";
import { DEFAULT_WEBHOOK_EVENTS, fitsEvent, WebhookEvents } from "../../../../core/protocol/webhooks.ts";

describe("patterns of events", () => {
  test.each([
    ["*", "toast", true],
    ["question.*", "question.opened", true],
    ["question.*", "questions.opened", false],
    ["agent.idle", "agent.idle", true],
    ["agent.idle", "agent.idled", false],
    ["agent", "agent.idle", false],
  ])("%s for %s: %s", (pattern, name, fits) => expect(fitsEvent(pattern, name)).toBe(fits));

  test.each([DEFAULT_WEBHOOK_EVENTS, "*", "question.*, agent.idle ,budget.*", "toast"])("%s is a list", (list) => {
    expect(WebhookEvents.safeParse(list).success).toBe(true);
  });

  test.each(["", ",", "question.*,", "questions.*", "question.open", "*.opened", "toast,*x"])("%j is none", (list) => {
    expect(WebhookEvents.safeParse(list).success).toBe(false);
  });
});
