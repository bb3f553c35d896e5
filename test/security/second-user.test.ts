import { execFile, spawn } from "node:child_process";
import { lookup } from "node:dns/promises";
import { chownSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtProgram } from "../integration/cli/built-program.ts";
import { type ServeLab, type ServeProcess, startServeLab } from "../support/start-serve.ts";
import { until } from "../support/until.ts";

const run = promisify(execFile);

let lab: ServeLab;
let relay: ServeProcess;
let key: string;

beforeAll(async () => {
  lab = await startServeLab();
  relay = await lab.serve(["--client"]);
  key = await lab.makeKey();
  await command("createShell");
}, 60_000);

afterAll(async () => {
  await lab[Symbol.asyncDispose]();
});

/** Returns the machine's own name where it leads to this address, as it does to 127.0.1.1 on Debian. */
async function ownNamesAt(address: string): Promise<string[]> {
  const found = await lookup(hostname(), { all: true }).catch(() => []);
  return found.some((one) => one.address === address) ? [hostname()] : [];
}

async function command(method: string, params: object = {}): Promise<void> {
  const answer = await fetch(`${relay.url}/v1/sessions/${relay.session}/remote/command`, {
    method: "POST",
    headers: { "X-Service-Token": key, "Content-Type": "application/json" },
    body: JSON.stringify({ method, params }),
  });
  expect(answer.status).toBe(200);
}

describe("another user of the machine", () => {
  test("finds every folder of ours closed, and every file and socket private", () => {
    const open = [
      lab.data,
      ...readdirSync(lab.data, { recursive: true, encoding: "utf8" }).map((name) => join(lab.data, name)),
    ]
      // What a starting shell needs only once may be gone since it was listed.
      .map((path) => ({ path, mode: (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777 }))
      .filter(({ mode }) => (mode & 0o077) !== 0);
    expect(open).toEqual([]);
    expect(readdirSync(lab.data)).toEqual(expect.arrayContaining(["relay.json", "commands.sock", "patchbay.db"]));
  });

  // Only root can become somebody else; on a machine of its own the test above has to do.
  test.runIf(process.getuid?.() === 0)(
    "can neither read the data nor use the sockets nor look at our processes",
    async () => {
      const asNobody = (script: string) =>
        run("setpriv", ["--reuid", "65534", "--regid", "65534", "--clear-groups", "/bin/sh", "-c", script]).then(
          ({ stdout }) => stdout,
          () => "refused",
        );
      expect(await asNobody("id -u")).toBe("65534\n");
      expect(await asNobody(`cat ${lab.data}/relay.json`)).toBe("refused");
      expect(await asNobody(`cat ${lab.data}/patchbay.db`)).toBe("refused");
      expect(await asNobody(`curl -sf --unix-socket ${lab.data}/commands.sock http://x/`)).toBe("refused");
      expect(await asNobody(`cat /proc/${relay.child.pid}/environ`)).toBe("refused");
      expect(await asNobody(`curl -sf ${relay.url}/v1/sessions`)).toBe("refused");
    },
  );

  test.runIf(process.platform === "linux" && process.getuid?.() === 0)(
    "gets no key at the port of a relay that has ended",
    async () => {
      using program = await builtProgram();
      const listen = `const server = require("node:net").createServer((socket) => socket.on("data", (data) => console.log(String(data))));
        server.listen({ port: 0, host: process.argv[1] }, () => console.log("port " + server.address().port));`;
      // However the address is spelt: unspecified, mapped, as a number, or by names that lead to it.
      const names = {
        "127.0.0.1": ["127.0.0.1", "0.0.0.0", "[::ffff:127.0.0.1]", ...(await ownNamesAt("127.0.0.1"))],
        "0.0.0.0": ["127.0.0.1", "localhost", ...(await ownNamesAt("127.0.1.1"))],
        "::1": ["[::1]", "localhost", "[::]"],
      };
      for (const [host, spellings] of Object.entries(names)) {
        const child = spawn(process.execPath, ["-e", listen, host], { uid: 65534, gid: 65534, cwd: "/" });
        try {
          let heard = "";
          child.stdout.on("data", (piece) => (heard += String(piece)));
          const port = await until("the listener", () => /port (\d+)/.exec(heard)?.[1]);
          for (const name of spellings) {
            const env = { SERVICE_URL: `http://${name}:${port}`, SERVICE_TOKEN: "pb_s3cret" };
            const refused = await program.run(["func", "list-shells"], env);
            expect([name, refused]).toMatchObject([name, { code: 5, err: expect.stringContaining("uid 65534") }]);
          }
          expect(heard).not.toContain("s3cret");
        } finally {
          child.kill("SIGKILL");
        }
      }
    },
  );

  test.runIf(process.platform === "linux" && process.getuid?.() === 0)(
    "keeps no login of ours out by beginning others",
    async () => {
      const begin = `const { request } = require("node:http");
        const body = "client_id=flood";
        const headers = { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": body.length };
        const send = (n) => new Promise((done) => request(process.argv[1] + "/v1/oauth/device_authorization",
          { method: "POST", headers, localAddress: "127.0.0." + (n + 2) }, (answer) => { answer.resume(); done(answer.statusCode); }).end(body));
        (async () => { const codes = []; for (let n = 0; n < 12; n++) codes.push(await send(n)); console.log(JSON.stringify(codes)); })();`;
      const flooded = await run("setpriv", [
        ...["--reuid", "65534", "--regid", "65534", "--clear-groups"],
        ...[process.execPath, "-e", begin, relay.url],
      ]);
      // The limits are those of the user, whatever address the connections come from.
      expect(JSON.parse(flooded.stdout)).toEqual([...Array(5).fill(200), ...Array(7).fill(429)]);
      const logins = async () => {
        const answer = await fetch(`${relay.url}/v1/logins`, { headers: { "X-Service-Token": key } });
        return ((await answer.json()) as { result: { code: string; name: string }[] }).result;
      };
      const ours = await fetch(`${relay.url}/v1/oauth/device_authorization`, {
        method: "POST",
        body: new URLSearchParams({ client_id: "ours" }),
      });
      expect(ours.status).toBe(200);
      const names = (await logins()).map(({ name }) => name);
      expect(names).toEqual([...Array(4).fill("flood"), "ours"]);
    },
  );

  test.runIf(process.getuid?.() === 0)("gets no socket of ours by taking its folder first", async () => {
    using program = await builtProgram();
    const temporary = join(program.folder, "tmp");
    const taken = join(temporary, "patchbay-0");
    mkdirSync(taken, { recursive: true });
    chownSync(taken, 65534, 65534);
    // Too long a path for a socket in the folder itself.
    const data = join(program.folder, "x".repeat(100));
    const ran = await program.run(["serve", "--port", "0", "--data", data], { TMPDIR: temporary });
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toMatch(/^patchbay: [^\n]+belongs to another user \(uid 65534\): start with --data [^\n]+\n$/);
    expect(readdirSync(taken)).toEqual([]);
  });
});

describe("a secret", () => {
  test("stands in no log, no command line, no file and no address", async () => {
    // One that reaches the log with the relay's own address is hidden there, and nothing else of the line.
    await using other = await startServeLab();
    const secret = `pb_${"s3cret".repeat(8)}`;
    expect((await other.serve(["--base-path", `/${secret}`])).url).toContain(secret);
    const log = readFileSync(join(other.data, "logs", "current.log"), "utf8");
    expect(log).toMatch(/"url":"http:[^"]*pb_\[hidden\]".*"msg":"started"/);
    expect(log).not.toContain("s3cret");

    const made = await run("grep", ["-rlF", key, lab.data]).then(
      ({ stdout }) => stdout,
      () => "",
    );
    expect(made).toBe("");
    const { stdout: processes } = await run("ps", ["-eo", "args"], { maxBuffer: 64 * 1024 * 1024 });
    expect(processes).not.toContain(key);
    expect(relay.said()).not.toContain(key);
    for (const place of [`?token=${key}`, `?key=${key}`, `?X-Service-Token=${key}`]) {
      const answer = await fetch(`${relay.url}/v1/sessions${place}`);
      expect(answer.status).toBe(401);
    }
  });
});
