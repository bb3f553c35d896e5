import { EventEmitter } from "node:events";
import type { Session } from "electron";
import { beforeEach, expect, test, vi } from "vitest";
import { guardDownloads } from "../../../../../main/desktop/app/guard-contents.ts";

// Modules that other files have loaded do not have what is mocked here.
vi.hoisted(() => vi.resetModules());
vi.mock("electron", () => ({ app: {}, session: {} }));

interface Download {
  readonly pressed: boolean;
  state: "progressing" | "completed" | "cancelled";
  savePath: string;
}

let session: EventEmitter;
beforeEach(() => {
  session = new EventEmitter();
  guardDownloads(session as unknown as Session);
});

/** Begins a download, and returns whether it was admitted. */
function begins(download: Download): boolean {
  let admitted = true;
  const event = {
    preventDefault() {
      admitted = false;
    },
  };
  session.emit("will-download", event, {
    hasUserGesture: () => download.pressed,
    getState: () => download.state,
    getSavePath: () => download.savePath,
  });
  return admitted;
}

const pressed = (): Download => ({ pressed: true, state: "progressing", savePath: "" });

test("what no press began is not saved", () => {
  expect(begins({ ...pressed(), pressed: false })).toBe(false);
});

test("one at a time asks where to save it", () => {
  const first = pressed();
  expect(begins(first)).toBe(true);
  expect(begins(pressed())).toBe(false);
  first.savePath = "/home/ann/file";
  const second = pressed();
  expect(begins(second)).toBe(true);
  second.state = "cancelled";
  expect(begins(pressed())).toBe(true);
});
