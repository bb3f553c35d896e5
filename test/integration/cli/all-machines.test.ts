import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { statSync, utimesSync } from "node:fs";
import { connect, createServer as createTcpServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type HostileRelay, sendJson, startHostileRelay } from "../../support/hostile-relay.ts";
import { type OtherMachine, startOtherMachine, startUserMachine, type UserMachine } from "../../support/machines.ts";
import type { ServeProcess } from "../../support/start-serve.ts";
import { until } from "../../support/until.ts";

/** A machine as `--all` reports it. */
interface Reported {
  readonly machine: string;
  readonly state: string;
  readonly awaySince: string | null;
  readonly sessions?: { readonly machine: string; readonly id: string }[];
}

let here: UserMachine;
let local: ChildProcess;
let box: OtherMachine;
let pi: OtherMachine;
let piRelay: ServeProcess;
let evil: HostileRelay;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  [here, box, pi, evil] = await Promise.all([
    startUserMachine(),
    startOtherMachine(),
    startOtherMachine(),
    startHostileRelay(),
  ]);
  piRelay = pi.relay;
  local = here.start(["serve", "--port", "0", "--client"]);
  let said = "";
  local.stdout?.on("data", (piece) => (said += String(piece)));
  await until("the relay of this machine", () => said.includes("Try next"));
  const key = (await here.run(["keys", "create", "--name", "me"])).out.trim();
  env = { SERVICE_TOKEN: key, SERVICE_TOKEN_BOX: box.key, SERVICE_TOKEN_PI: pi.key, SERVICE_TOKEN_EVIL: "pb_key" };
  for (const [name, url] of Object.entries({ box: box.relay.url, pi: pi.relay.url })) {
    expect(await here.run(["remotes", "add", name, "--url", url], { env })).toMatchObject({ code: 0 });
  }
}, 120_000);

afterAll(async () => {
  const ended = once(local, "exit");
  if (local.kill("SIGTERM")) await ended;
  await Promise.all([box[Symbol.asyncDispose](), pi[Symbol.asyncDispose](), evil[Symbol.asyncDispose]()]);
  here[Symbol.dispose]();
});

async function all(word = "sessions"): Promise<{ code: number | null; err: string; machines: Reported[] }> {
  const { code, out, err } = await here.run([word, "--all"], { env });
  return { code, err, machines: out === "" ? [] : (JSON.parse(out) as Reported[]) };
}

test("the sessions of this machine and of every remote are listed by machine", async () => {
  const { code, err, machines } = await all();
  expect([code, err]).toEqual([0, ""]);
  expect(machines.map(({ machine, state, awaySince }) => [machine, state, awaySince])).toEqual([
    ["local", "reachable", null],
    ["box", "reachable", null],
    ["pi", "reachable", null],
  ]);
  expect(machines[1]?.sessions).toEqual([expect.objectContaining({ machine: "box", id: box.relay.session })]);
  expect(machines[2]?.sessions).toEqual([expect.objectContaining({ machine: "pi", id: pi.relay.session })]);
  const agents = await all("agents");
  expect(agents).toMatchObject({ code: 0, err: "", machines: [{ machine: "local", agents: [] }, {}, {}] });
});

test.each([
  ["sessions", "--on", "box"],
  ["sessions", "--url", "http://127.0.0.1:1"],
  ["agents", "--session", "x"],
  ["events", "--token", "x"],
  ["sessions", "close", "x"],
])("%s --all with %s is a usage error", async (...words) => {
  const refused = await here.run([...words, "--all"], { env });
  expect(refused).toMatchObject({ code: 2, out: "", err: expect.stringContaining("--all") });
});

describe("a machine that is away", () => {
  afterEach(() => {
    piRelay.child.kill("SIGCONT");
  });

  test("hangs: it is away since it last answered, and the others are listed", { tags: "slow" }, async () => {
    const file = join(here.data, "remotes", "pi.json");
    const seen = new Date("2026-11-20T10:00:00.000Z");
    piRelay.child.kill("SIGSTOP");
    utimesSync(file, seen, seen);
    const { code, err, machines } = await all();
    expect(code).toBe(0);
    expect(machines.map(({ machine, state }) => `${machine} ${state}`)).toEqual([
      "local reachable",
      "box reachable",
      "pi away",
    ]);
    expect(machines[2]?.awaySince).toBe(seen.toISOString());
    expect(err).toMatch(/^service: pi is away since 2026-11-2\d .*does not answer/);
    const refused = await here.run(["func", "list-tiles", "--on", "pi"], { env });
    expect(refused).toMatchObject({
      code: 5,
      out: "",
      err: expect.stringContaining(`pi (${pi.relay.url}) does not answer`),
    });
    expect(refused.err).toContain(`away since ${seen.toISOString()}`);
    expect(await here.run(["doctor", "--on", "pi"], { env })).toMatchObject({
      code: 0,
      out: expect.stringContaining("away"),
    });

    piRelay.child.kill("SIGCONT");
    expect((await all()).machines[2]).toMatchObject({ state: "reachable", awaySince: null });
    expect(statSync(file).mtimeMs).toBeGreaterThan(seen.getTime());
  });

  test("is gone: its commands are refused and reach no other relay", { tags: "slow" }, async () => {
    await piRelay.kill();
    const before = await here.run(["func", "get-chat"], { env });
    const sent = await here.run(["func", "send-chat", "--on", "pi", "hello"], { env });
    expect(sent).toMatchObject({
      code: 5,
      out: "",
      err: expect.stringMatching(/^service: pi .*nothing listens there.*away since/),
    });
    expect(await here.run(["func", "get-chat"], { env })).toEqual(before);
    const { code, machines } = await all();
    expect(code).toBe(0);
    expect(machines[2]).toMatchObject({
      machine: "pi",
      state: "away",
      awaySince: expect.stringMatching(/^20/),
      sessions: [],
    });
    piRelay = await pi.lab.serve(["--client", "--port", new URL(pi.relay.url).port]);
    expect((await all()).machines[2]).toMatchObject({ state: "reachable" });
  });
});

test("no machine at all is exit code 5", async () => {
  using nobody = await startUserMachine();
  expect(await nobody.run(["sessions", "--all"])).toMatchObject({
    code: 5,
    err: expect.stringContaining("there is no remote"),
  });
});

describe("a remote that means harm", () => {
  beforeAll(async () => {
    expect(await here.run(["remotes", "add", "evil", "--url", evil.url], { env })).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await here.run(["remotes", "remove", "evil"]);
  });

  const hostileText = "\u001b]0;owned\u0007\u009b31m\u202e";

  test("cannot control the terminal", async () => {
    evil.answer = (request, response) => {
      const session = { id: `Abcdefgh${hostileText}`, name: hostileText, owner: hostileText, userCount: 0 };
      if (request.url?.includes("refuse"))
        response.writeHead(400, { "X-Service-Error": "invalid_request" }).end(hostileText);
      else if (request.url === "/v1/whoami") sendJson(response, { result: { user: hostileText } });
      else sendJson(response, { result: [session, session] });
    };
    for (const words of [
      ["sessions", "--all"],
      ["sessions", "--on", "evil"],
      ["sessions", "--on", "evil", "--json"],
      ["remotes"],
      ["doctor", "--on", "evil"],
      ["status", "--on", "evil"],
      // Lists the sessions in the sentence that asks for a choice.
      ["func", "list-tiles", "--on", "evil"],
      ["sessions", "close", "refuse", "--on", "evil"],
    ]) {
      const { out, err } = await here.run(words, { env });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
      expect(out + err, words.join(" ")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
  });

  const shapes: readonly (readonly [string, HostileRelay["answer"]])[] = [
    ["no JSON", (_request, response) => void response.end("<html>")],
    ["nothing", (_request, response) => void response.end()],
    ["a number", (_request, response) => sendJson(response, { result: 7 })],
    ["a list of numbers", (_request, response) => sendJson(response, { result: [1, null, "x"] })],
    [
      "nested lists",
      (_request, response) => void response.end(`{"result":${"[".repeat(200_000)}${"]".repeat(200_000)}}`),
    ],
    ["a way elsewhere", (_request, response) => void response.writeHead(302, { Location: box.relay.url }).end()],
    [
      "an end in the middle",
      (_request, response) =>
        void response.writeHead(200, { "Content-Length": "99" }).write("{", () => response.destroy()),
    ],
  ];

  test.each(shapes)(
    "answers %s: it is reported, and the others are listed",
    { tags: "slow" },
    async (_name, answer) => {
      evil.answer = answer;
      const { code, machines } = await all();
      expect(code).toBe(0);
      expect(machines.map(({ machine }) => machine)).toEqual(["local", "box", "evil", "pi"]);
      expect(machines.find(({ machine }) => machine === "box")?.sessions).toHaveLength(1);
      expect(machines.find(({ machine }) => machine === "evil")).toMatchObject({
        sessions: [],
        problem: expect.any(String),
      });
      for (const words of [["status"], ["func", "list-tiles"], ["func", "show-tree"], ["remotes"], ["doctor"]]) {
        const { code: own, err } = await here.run(words[0] === "remotes" ? words : [...words, "--on", "evil"], { env });
        expect([...words, own], err).toEqual([...words, expect.any(Number)]);
        // A stack trace would be a defect.
        expect(err, words.join(" ")).not.toMatch(/^\s+at /m);
      }
    },
  );

  test("sends without end: it is cut off in time, and for a single command at a bound", async () => {
    evil.answer = (_request, response) => {
      response.writeHead(200, { "Content-Type": "application/json" });
      const piece = Buffer.alloc(1024 * 1024, " ");
      const more = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on("drain", more);
      more();
    };
    const { code, machines } = await all();
    expect(code).toBe(0);
    expect(machines.find(({ machine }) => machine === "evil")).toMatchObject({ sessions: [] });
    const one = await here.run(["sessions", "--on", "evil"], { env });
    expect(one).toMatchObject({ code: 1, out: "", err: expect.stringContaining("more than 64 MiB") });
    evil.answer = (request, response) => {
      if (!request.url?.includes("/events")) return sendJson(response, { result: [{ id: "Abcdefgh1", name: "x" }] });
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      const endless = () => void (response.destroyed || response.write("x".repeat(1024 * 1024), endless));
      response.write("data: ", endless);
    };
    const events = await here.run(["events", "--on", "evil"], { env });
    expect(events).toMatchObject({ code: 1, out: "", err: expect.stringContaining("an event that is too large") });
  });

  test("gets its own key and no other", () => {
    const sent = evil.asked.map(({ headers }) => headers["x-service-token"]);
    expect(new Set(sent)).toEqual(new Set([undefined, "pb_key"]));
  });
});

describe("events of every machine", () => {
  test("the kept ones name their machine and session", async () => {
    await here.run(["func", "send-chat", "--on", "box", "from the box"], { env });
    await here.run(["func", "send-chat", "--on", "pi", "from the pi"], { env });
    const { code, out, err } = await here.run(["events", "--all", "--types", "chat.message"], { env });
    expect([code, err]).toEqual([0, ""]);
    const events = lines(out);
    expect(events).toContainEqual(
      expect.objectContaining({
        machine: "box",
        session: "default",
        data: expect.objectContaining({ text: "from the box" }),
      }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({ machine: "pi", data: expect.objectContaining({ text: "from the pi" }) }),
    );
  });

  test("a connection that is lost before the first event is resumed without losing one; a restart is told by a gap", {
    timeout: 120_000,
    tags: "slow",
  }, async () => {
    await using way = await startCuttableWay(Number(new URL(box.relay.url).port));
    const more = { ...env, SERVICE_TOKEN_WAY: box.key };
    expect(await here.run(["remotes", "add", "way", "--url", way.url], { env: more })).toMatchObject({ code: 0 });
    const follower = here.start(["events", "--all", "--follow", "--types", "chat.message"], more);
    let [out, err] = ["", ""];
    follower.stdout?.on("data", (piece) => (out += String(piece)));
    follower.stderr?.on("data", (piece) => (err += String(piece)));
    const texts = () =>
      lines(out)
        .filter(({ machine }) => machine === "way")
        .map(({ type, data }) => (type === "gap" ? "gap" : (data as { text: string }).text));
    try {
      await until("its stream", () => way.asked.some((line) => line.includes("/events?")));
      // The head of the answer has arrived too.
      await until("the position", () => way.answered.includes(": patchbay "));
      way.cut();
      await until("the loss", () => err.includes("way is away"));
      await here.run(["func", "send-chat", "--on", "box", "while it was lost"], { env });
      await way.open();
      await until("its return", () => err.includes("way answers again"), 30_000);
      await until("what came meanwhile", () => texts().includes("while it was lost"), 30_000);
      await here.run(["func", "send-chat", "--on", "box", "after"], { env });
      await until("what comes now", () => texts().includes("after"));
      expect(texts()).toEqual(["while it was lost", "after"]);

      await box.relay.stop();
      const { port } = new URL(box.relay.url);
      await box.lab.serve(["--client", "--port", port]);
      await until("the gap", () => texts().includes("gap"), 30_000);
    } finally {
      follower.kill("SIGINT");
      await once(follower, "exit");
      await here.run(["remotes", "remove", "way"]);
    }
    expect(err).not.toMatch(/^\s+at /m);
  });
});

function lines(text: string): { readonly machine: string; readonly type: string; readonly data: unknown }[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { machine: string; type: string; data: unknown });
}

/** A way to a port of this machine that can be cut and opened again. */
async function startCuttableWay(port: number) {
  const sockets = new Set<Socket>();
  const asked: string[] = [];
  let answered = "";
  const server = createTcpServer((socket) => {
    const onward = connect(port, "127.0.0.1");
    for (const each of [socket, onward]) {
      sockets.add(each);
      each.on("error", () => undefined).on("close", () => sockets.delete(each));
    }
    socket.on("data", (piece) => asked.push(String(piece))).pipe(onward);
    onward.on("data", (piece) => (answered += String(piece))).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port is free");
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    get answered() {
      return answered;
    },
    cut,
    open: () => new Promise<void>((resolve) => server.listen(address.port, "127.0.0.1", resolve)),
    async [Symbol.asyncDispose]() {
      cut();
    },
  };
}

test("a look-up that cannot be cancelled does not hold the program", async () => {
  // Stands for a name that no server answers: something that keeps the event loop alive.
  const held = { ...env, NODE_OPTIONS: "--import=data:text/javascript,setInterval(()=>{},1000)" };
  const { code, out } = await here.runProcess(["sessions", "--all"], { env: held });
  expect([code, JSON.parse(out)]).toEqual([0, expect.any(Array)]);
});
