import { beforeEach, describe, expect, test } from "vitest";
import type { RelayEvent } from "../../../../../core/protocol/events.ts";
import { reportTakeovers, reportTypingRequest } from "../../../../../renderer/session/toasts/report-takeovers.ts";
import { ToastStore } from "../../../../../renderer/session/view/toast-store.ts";

const EXPIRES = new Date(Date.now() + 60_000).toISOString();

let toasts: ToastStore;
let requests: unknown[];
let changed: () => void;
let happened: (event: RelayEvent) => void;

beforeEach(() => {
  toasts = new ToastStore();
  requests = [];
  reportTakeovers({
    ui: { toasts },
    host: {
      snapshot: () => ({
        state: { tiles: {} },
        self: { id: 2, role: "writer" },
        mirror: {
          shells: [{ id: 7, title: "deploy", titleFixed: true, command: "bash", cwd: "/", ownerClientId: 1 }],
          clients: [{ id: 1, name: "Ann" }],
          agents: [],
          plugins: [],
          adoptRequests: requests,
        },
      }),
      subscribe(listener: () => void) {
        changed = listener;
        return () => undefined;
      },
      onEvent(listener: (event: RelayEvent) => void) {
        happened = listener;
        return () => undefined;
      },
    },
  } as unknown as Parameters<typeof reportTakeovers>[0]);
});

const words = () => toasts.shown.get().map(({ message }) => message);
const ask = (id: number, from = 2) => {
  requests = [{ id, shellId: 7, from: { clientId: from, name: "Lin" }, to: 1, expiresAt: EXPIRES }];
  changed();
};
const answer = (outcome: string, from = 2) => {
  requests = [];
  changed();
  happened({ type: "adopt.answered", data: { shellId: 7, from, outcome } } as unknown as RelayEvent);
};

test("who asks for a shell is told that the owner was asked, and every outcome in its place", () => {
  for (const [id, outcome, told] of [
    [1, "denied", "“deploy” stays with Ann, who said no."],
    [2, "expired", "“deploy” stays with Ann, who did not answer. You can ask again."],
    [3, "allowed", "“deploy” is yours now: Ann agreed."],
  ] as const) {
    ask(id);
    expect(words()).toEqual(["You asked Ann for “deploy”, who has 60 s to answer."]);
    answer(outcome);
    expect(words()).toEqual([told]);
  }
});

test("requests of other clients are not reported", () => {
  ask(1, 3);
  answer("denied", 3);
  expect(words()).toEqual([]);
});

describe("a request to type", () => {
  const self = 2;
  let snapshot: { connected: boolean; self: object; mirror: { roleRequests: object[] } };
  let listeners: (() => void)[];

  beforeEach(() => {
    snapshot = { connected: true, self: { id: self, role: "reader" }, mirror: { roleRequests: [] } };
    listeners = [];
    reportTypingRequest({
      ui: { toasts },
      host: {
        snapshot: () => snapshot,
        subscribe: (listener: () => void) => void listeners.push(listener),
        onEvent(listener: (event: RelayEvent) => void) {
          happened = listener;
        },
      },
    } as unknown as Parameters<typeof reportTypingRequest>[0]);
  });

  const become = (next: Partial<typeof snapshot>) => {
    snapshot = { ...snapshot, ...next };
    for (const listener of listeners) listener();
  };
  const open = { mirror: { roleRequests: [{ id: 1, from: { clientId: self } }] } };
  const none = { mirror: { roleRequests: [] } };

  test("tells the one who asked, and no one else, that it was refused or not answered", () => {
    const end = (outcome: string, from = self) =>
      happened({ type: "role.answered", data: { request: 1, from, role: "writer", outcome } } as unknown as RelayEvent);
    end("denied", 3);
    expect(words()).toEqual([]);
    end("denied");
    expect(words()).toEqual(["The host did not let you type for now. You can ask again in 5 min."]);
    end("expired");
    expect(words()).toEqual(["No one answered your request to type. You can ask again."]);
    end("allowed");
    expect(words()).toEqual([]);
  });

  test("tells who comes back that it was withdrawn meanwhile, but not who may type by then", () => {
    const away = (back: Partial<typeof snapshot>) => {
      become(open);
      become({ connected: false });
      become({ connected: true, ...none, ...back });
    };
    away({ self: { id: self, role: "writer" } });
    expect(words()).toEqual([]);
    away({ self: { id: self, role: "reader" } });
    expect(words()).toEqual(["Your request to type was withdrawn while you were not connected. You can ask again."]);
  });
});
