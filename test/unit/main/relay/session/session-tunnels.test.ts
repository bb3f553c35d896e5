import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import { SessionState } from "../../../../../main/relay/session/session-state.ts";
import { SessionTunnels } from "../../../../../main/relay/session/session-tunnels.ts";
import type { FoundPort } from "../../../../../main/system/listeners/listening-ports.ts";
import { shellRecord } from "../small-session.ts";

let state: SessionState;
let looks: number;
let found: FoundPort[];
let tunnels: SessionTunnels;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const session = { id: "session-1", name: "default", owner: "ann", createdAt: new Date(0).toISOString() };
  const nothing = {
    clients: [],
    shells: [],
    chat: [],
    tunnels: [],
    agents: [],
    adoptRequests: [],
    roleRequests: [],
    questions: [],
    plugins: [],
  };
  state = new SessionState({ session, ...nothing } as unknown as ConstructorParameters<typeof SessionState>[0]);
  looks = 0;
  found = [];
  const ports = {
    async find() {
      looks += 1;
      return found;
    },
  };
  const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const gate = { check: vi.fn(), outsideAt: undefined } as never;
  tunnels = new SessionTunnels({ ports: () => ports, gate, log }, state);
});
afterEach(async () => {
  await tunnels[Symbol.asyncDispose]();
  vi.useRealTimers();
});

const tell = (process: string | null, title = "bash") =>
  state.apply({ kind: "shell", shell: shellRecord(1, { process, title }) });

test("nothing is looked for while there is no shell", async () => {
  await vi.advanceTimersByTimeAsync(1000);
  expect(looks).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});

test("looks come every second while a program runs, and less often at a prompt or when nothing changes", async () => {
  tell("node");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(looks).toBeGreaterThan(8);
  await vi.advanceTimersByTimeAsync(30_000);
  let before = looks;
  await vi.advanceTimersByTimeAsync(9000);
  expect(looks - before).toBe(3);
  tell(null);
  await vi.advanceTimersByTimeAsync(300);
  before = looks;
  await vi.advanceTimersByTimeAsync(9000);
  expect(looks - before).toBe(3);
});

test("a title that changes all the time neither hastens the looks nor puts them off", async () => {
  tell("node");
  await vi.advanceTimersByTimeAsync(300);
  const before = looks;
  for (let tick = 0; tick < 50; tick += 1) {
    tell("node", `spinner ${tick}`);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(looks - before).toBe(5);
});

test("a port that goes to another shell is another tunnel", async () => {
  const at = (shell: number) => ({ port: 3000, shellId: shell as ShellId, process: "node", addresses: ["127.0.0.1"] });
  tell("node");
  found = [at(1)];
  await vi.waitFor(() => expect(state.now.tunnels).toMatchObject([{ port: 3000, shellId: 1 }]), 5000);
  found = [at(2)];
  await vi.waitFor(() => expect(state.now.tunnels).toMatchObject([{ port: 3000, shellId: 2 }]), 5000);
});

test("a program that listens on many ports has 64 of them offered, and those that are open stay", async () => {
  tell("node");
  const port = (number: number): FoundPort => ({
    ...{ port: number, shellId: 1 as ShellId, process: "node", addresses: ["127.0.0.1"] },
  });
  found = [port(9000)];
  await vi.advanceTimersByTimeAsync(2000);
  await vi.waitFor(() => expect(state.now.tunnels).toHaveLength(1));
  found = [...Array.from({ length: 100 }, (_, index) => port(8000 + index)), port(9000)];
  await vi.advanceTimersByTimeAsync(2000);
  await vi.waitFor(() => expect(state.now.tunnels).toHaveLength(64));
  expect(state.now.tunnels.map((tunnel) => tunnel.port)).toContain(9000);
  // One shell's program takes no place of another's.
  found = [...found, { ...port(3000), shellId: 2 as ShellId }];
  await vi.advanceTimersByTimeAsync(4000);
  await vi.waitFor(() => expect(state.now.tunnels.map((tunnel) => tunnel.port)).toContain(3000));
  expect(state.now.tunnels).toHaveLength(64);
});
