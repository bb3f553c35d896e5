import { expect, test } from "vitest";
import type { RelayEvent } from "../../../../../core/protocol/events.ts";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import { autostartEntry } from "../../../../../main/desktop/app/autostart-entry.ts";
import { noticeOfBudget, noticeOfEvent } from "../../../../../main/desktop/notifications/agent-notices.ts";
import { shellRecord } from "../../relay/small-session.ts";

const agent = {
  shellId: 2 as ShellId,
  agentType: "codex",
  model: "gpt-5-codex",
  sessionId: "x",
  tokenUsage: { input: 0, output: 0, cached: 0, cost: 0 },
};
const event = (type: "agent.waiting" | "agent.ended" | "agent.updated"): RelayEvent => ({ type, data: agent });

test("an agent that waits or ended is worth a notification that names its shell; an update is not", () => {
  const shells = [shellRecord(2, { title: "migrations" })];
  expect(noticeOfEvent(event("agent.waiting"), shells)).toEqual({
    kind: "waiting",
    shell: 2,
    title: "codex waits for you",
    body: "In migrations",
  });
  expect(noticeOfEvent(event("agent.ended"), shells)).toMatchObject({ kind: "ended", title: "codex ended" });
  expect(noticeOfEvent(event("agent.updated"), shells)).toBeUndefined();
});

test("a notification calls the shell what its tile is called", () => {
  const shells = [shellRecord(2, { title: "⠙ Split the users table", cwd: "/srv/db" })];
  expect(noticeOfEvent(event("agent.waiting"), shells)?.body).toBe("In Split the users table");
  expect(noticeOfEvent(event("agent.waiting"), shells, () => "plans")?.body).toBe("In plans");
  expect(noticeOfEvent(event("agent.ended"), shells)?.body).toBe("In db");
});

test("a budget's notification says whose it is and how far it is spent", () => {
  const spent = { subject: "x", usd: 4, limit: 5 };
  expect(noticeOfBudget({ ...spent, scope: "day", percent: 80 }, "api").title).toBe("Today's budget: 80% spent");
  expect(noticeOfBudget({ ...spent, scope: "session", percent: 100 }, "api").title).toBe("The budget of api is spent");
});

test("the autostart entry quotes what its shell-like grammar would read", () => {
  expect(autostartEntry(["/opt/My $Apps/patchbay", "--hidden"])).toContain(
    'Exec="/opt/My \\\\$Apps/patchbay" "--hidden"\n',
  );
});
