import { describe, expect, test } from "vitest";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import type { TileContent } from "../../../../../core/state/client-state.ts";
import type { SessionSnapshot } from "../../../../../renderer/session/view/session-host.ts";
import {
  describeAgent,
  describeExit,
  shellInfo,
  tileInfo,
  workspaceTitle,
} from "../../../../../renderer/session/view/tile-info.ts";
import { formatDuration } from "../../../../../renderer/ui/format-duration.ts";
import { shellRecord } from "../../../main/relay/small-session.ts";

test.each([
  [900, ""],
  [40_000, "40 s"],
  [130_000, "2 min"],
  [7_300_000, "2 h"],
  [200_000_000, "2 d"],
  [-5_000, ""],
  [Number.NaN, ""],
])("%d ms last %j", (ms, words) => expect(formatDuration(ms)).toBe(words));

test("only agents that wait for the user are amber", () => {
  const since = "2026-01-01T00:00:00.000Z";
  const now = Date.parse(since) + 41_000;
  expect(describeAgent({ agentType: "codex", state: "waiting", since }, now)).toEqual({
    label: "waits for you · 41 s",
    dot: "wait",
  });
  expect(describeAgent({ agentType: "claude", state: "working", since }, now)).toEqual({
    label: "claude · working 41 s",
    dot: "good",
  });
  expect(describeAgent({ agentType: "claude", state: "error", since }, now)).toMatchObject({
    label: expect.stringContaining("claude · failed"),
    dot: "bad",
  });
  expect(describeAgent({ agentType: "claude", state: "waiting", since, paused: true }, now).dot).toBe("");
});

test.each([
  [{ exitCode: 137, signal: "SIGKILL" }, "ended by SIGKILL"],
  [{ exitCode: 137, signal: null }, "ended, exit code 137"],
  [{ exitCode: 0, signal: null }, "ended, exit code 0"],
  [{ exitCode: 1 }, "ended, exit code 1"],
  [{ exitCode: null, signal: null }, "ended"],
])("how a shell with %j ended", (shell, text) => {
  expect(describeExit(shell)).toBe(text);
});

describe("names", () => {
  const tile = { key: 3, type: "shell", id: 9, label: "notes" } as TileContent;
  const snapshot = {
    state: { tiles: { 3: tile } },
    mirror: {
      shells: [shellRecord(9, { title: "root@vm: /srv", cwd: "/srv", process: "vim", ownerClientId: null })],
      agents: [],
      clients: [],
      plugins: [],
    },
    self: undefined,
  } as unknown as SessionSnapshot;

  test("a tile and the lists call a shell the same, by the user's label", () => {
    expect(tileInfo(tile, snapshot)).toMatchObject({ title: "notes", detail: "vim · /srv" });
    expect(shellInfo(9, snapshot)).toMatchObject({ name: "notes", detail: "vim · /srv" });
  });

  test("without a label it is the program in front; a shell that is gone keeps its number", () => {
    const { label: _, ...plain } = tile;
    expect(tileInfo(plain, snapshot)).toMatchObject({ title: "vim", detail: "/srv" });
    expect(tileInfo({ ...plain, id: 4 as ShellId }, snapshot).title).toBe("Shell 4");
  });

  test("a workspace without a name of its own is no bare number", () => {
    expect([workspaceTitle("1"), workspaceTitle("12"), workspaceTitle("api 2")]).toEqual([
      "Workspace 1",
      "Workspace 12",
      "api 2",
    ]);
  });
});
