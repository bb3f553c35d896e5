import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { RelayEvent } from "../../core/protocol/events.ts";
import { builtProgram } from "../integration/cli/built-program.ts";
import { freePort } from "../support/free-port.ts";
import { brokerProgram, untilBrokerAnswers } from "../support/nats-server.ts";
import { type ServeLab, type ServeProcess, startServeLab } from "../support/start-serve.ts";
import { until } from "../support/until.ts";
import { earlierTree } from "./earlier-tree.ts";

const MAKE_MS = 1_200_000;
const today = resolve(import.meta.dirname, "../..");
let earlier = "";

beforeAll(() => {
  earlier = earlierTree();
}, MAKE_MS);

/** Tells a user what to do about two versions. */
const TELLS = /update|restart|reload|another version|newer|older/i;

describe.each([
  ["today's relay and callers of the earlier version", () => ({ relayOf: undefined, callerOf: earlier })],
  ["a relay of the earlier version and today's callers", () => ({ relayOf: earlier, callerOf: undefined })],
])("%s", (_name, trees) => {
  let lab: ServeLab;
  let relay: ServeProcess;
  let key = "";
  let caller: Awaited<ReturnType<typeof builtProgram>>;

  beforeAll(async () => {
    const { relayOf, callerOf } = trees();
    [lab, caller] = await Promise.all([startServeLab({ tree: relayOf }), builtProgram({ tree: callerOf })]);
    relay = await lab.serve(["--client"]);
    key = await lab.makeKey();
  });
  afterAll(async () => {
    caller[Symbol.dispose]();
    await lab[Symbol.asyncDispose]();
  });

  test("the command line calls commands and operations over HTTP", async () => {
    const call = (...words: string[]) => caller.run([...words, "--url", relay.url], { SERVICE_TOKEN: key });
    expect(await call("func", "create-shell")).toMatchObject({ code: 0, err: "" });
    const ran = await call("func", "run", "--wait", "echo out-$((40+2))");
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining("out-42") });
    expect(await call("func", "send-chat", "hello")).toMatchObject({ code: 0, err: "" });
    expect((await call("func", "get-chat")).out).toContain("hello");
    expect(await call("func", "toast", "shown?")).toMatchObject({ code: 0, err: "" });
    expect((await call("sessions")).out).toContain("default");
    expect(await call("invite", "list")).toMatchObject({ code: 0, err: "" });
  });

  test("in the relay's own data folder the command line works, or says what to do", async () => {
    for (const words of [["func", "list-shells"], ["keys", "list"], ["status"]]) {
      const { code, err } = await caller.run(words, { PATCHBAY_DATA: lab.data, SERVICE_TOKEN: key });
      expect(code === 0 || TELLS.test(err), `${words.join(" ")}: ${code} ${err}`).toBe(true);
    }
  });

  test("a remote is added, and asked by its name", async () => {
    const env = { SERVICE_TOKEN: key, SERVICE_TOKEN_BOX: key };
    expect(await caller.run(["remotes", "add", "box", "--url", relay.url], env)).toMatchObject({ code: 0 });
    const listed = await caller.run(["func", "list-shells", "--on", "box", "--json"], env);
    expect(listed).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(listed.out)).toMatchObject([{ running: true }]);
  });

  test("an open page reconnects: it types, reads, chats, and executes what others ask of it", async () => {
    const tree = trees().callerOf ?? today;
    const { Client } = (await import(
      join(tree, "core/client/client.ts")
    )) as typeof import("../../core/client/client.ts");
    const { socketLink } = (await import(
      join(tree, "core/client/socket-link.ts")
    )) as typeof import("../../core/client/socket-link.ts");
    const address = `${relay.url.replace("http", "ws")}/v1/sessions/${relay.session}/socket`;
    const socket = new WebSocket(address, { headers: { "X-Service-Token": key } });
    socket.binaryType = "arraybuffer";
    await once(socket, "open");
    const toasts: string[] = [];
    const client = new Client({
      kind: "browser",
      device: "page",
      toast({ message }) {
        toasts.push(message);
        return "toast";
      },
      notify: () => "log",
      viewport: () => ({ cols: 160, rows: 48 }),
    });
    const events: RelayEvent[] = [];
    client.onEvent((event) => events.push(event));
    await client.connect(socketLink(socket));
    const { shellId } = (await client.execute("createShell", {})) as { shellId: number };
    await client.ask("writeShell", { shell: shellId, data: "echo typed-$((1+1))\r", raw: true });
    await client.execute("waitFor", { id: shellId, text: "typed-2", since: 0 });
    expect(await client.execute("getShellOutput", { id: shellId, plain: true })).toMatchObject({
      output: expect.stringContaining("typed-2"),
    });
    await client.execute("sendChat", { message: "from the page" });
    const id = String(client.self?.id);
    const words = ["func", "toast", "for the page", "--client", id, "--url", relay.url];
    const shown = await caller.run(words, { SERVICE_TOKEN: key });
    expect(shown).toMatchObject({ code: 0, err: "" });
    expect(toasts).toEqual(["for the page"]);
    await until("the session to hear of it", () => events.some(({ type }) => type === "toast"));
    await client.execute("closeShell", { id: shellId });
    client.disconnect("done");
  });
});

test("a fleet of both versions: each asks the other's session", async () => {
  using program = await builtProgram();
  await using now = await startServeLab();
  await using before = await startServeLab({ tree: earlier });
  const folder = join(program.folder, "fleet");
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const words = ["fleet", "init", "now", "before", "--folder", folder, "--host", "127.0.0.1", "--listen", address];
  expect(await program.run(words)).toMatchObject({ code: 0, err: "" });
  const broker = spawn(brokerProgram(), ["-c", join(folder, "nats-server.conf")], { stdio: "ignore" });
  try {
    await untilBrokerAnswers(port);
    const joins = (name: string) => [
      ...["--client", "--fleet", `nats://${address}`],
      ...["--fleet-creds", join(folder, `${name}.creds`)],
    ];
    const [here, there] = [await now.serve(joins("now")), await before.serve(joins("before"))];
    for (const [asked, of, key] of [
      [here, there, await before.makeKey()],
      [there, here, await now.makeKey()],
    ] as const) {
      const call = (args: readonly string[]) =>
        program.run([...args, "--session", of.session, "--url", asked.url], { SERVICE_TOKEN: key });
      await until("the other's session", async () => (await call(["func", "get-session"])).code === 0);
      expect(await call(["func", "create-shell"])).toMatchObject({ code: 0, err: "" });
      const ran = await call(["func", "run", "--wait", "echo over-$((40+2))"]);
      expect(ran).toMatchObject({ code: 0, out: expect.stringContaining("over-42") });
    }
  } finally {
    broker.kill("SIGKILL");
    await once(broker, "exit");
  }
});
