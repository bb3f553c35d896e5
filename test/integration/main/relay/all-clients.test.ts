import { expect, test } from "vitest";
import { startTestRelay } from "../../../support/test-relay.ts";

test("notify and toast reach every client of the session's owner, with a result for each", async () => {
  await using relay = await startTestRelay();
  await using desktop = await relay.join();
  await using browser = await relay.join({ kind: "browser", device: "Firefox" });
  const answer = await relay.post({ method: "notify", params: { title: "Done" }, target_client_id: "all" });
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.text)).toEqual({
    result: [desktop, browser].map(({ id }) => ({ clientId: id, shown: true, by: "native" })),
  });
  expect([desktop.notifications, browser.notifications]).toMatchObject([[{ title: "Done" }], [{ title: "Done" }]]);
  const toast = await relay.post({ method: "toast", params: { message: "Done" }, target_client_id: "all" });
  expect(JSON.parse(toast.text)).toMatchObject({ result: [{ by: "toast" }, { by: "toast" }] });
});

test("a command for one client refuses all; without a target the refusal offers it to these two alone", async () => {
  await using relay = await startTestRelay();
  await using _desktop = await relay.join();
  await using _browser = await relay.join({ kind: "browser", device: "Firefox" });
  const split = await relay.post({ method: "splitShell", params: { direction: "vertical" }, target_client_id: "all" });
  expect([split.status, split.text]).toEqual([400, expect.stringContaining('"all" is for notify and toast')]);
  const notify = await relay.post({ method: "notify", params: { title: "Done" } });
  expect([notify.status, notify.text]).toEqual([409, expect.stringContaining('or all of yours with "all"')]);
  const other = await relay.post({ method: "splitShell", params: { direction: "vertical" } });
  expect([other.status, other.text]).toEqual([409, expect.not.stringContaining('"all"')]);
  const wrong = await relay.post({ method: "notify", params: { title: "Done" }, target_client_id: "some" });
  expect(wrong.text).toContain('target_client_id: expected a whole number of at least 0, or "all", got "some"');
});
