import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { freePort } from "../../../../support/free-port.ts";
import { brokerProgram, untilBrokerAnswers } from "../../../../support/nats-server.ts";
import { startServeLab } from "../../../../support/start-serve.ts";
import { until } from "../../../../support/until.ts";
import { builtProgram } from "../../../cli/built-program.ts";

test("the two-minute start of docs/fleet.md works: init, a broker, two relays, a command on the other one", {
  tags: "slow",
}, async () => {
  using program = await builtProgram();
  const folder = join(program.folder, "fleet");
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const init = await program.run([
    "fleet",
    "init",
    "laptop",
    "box",
    "--folder",
    folder,
    "--host",
    "127.0.0.1",
    "--listen",
    address,
  ]);
  expect([init.code, init.err]).toEqual([0, ""]);
  expect(init.out).toContain(`nats-server -c ${folder}/nats-server.conf`);
  expect(init.out).toContain(`--fleet nats://${address} --fleet-creds ${folder}/box.creds`);
  const again = await program.run(["fleet", "init", "laptop", "--folder", folder]);
  expect([again.code, again.err]).toEqual([1, expect.stringContaining("holds a fleet already")]);

  const broker = spawn(brokerProgram(), ["-c", join(folder, "nats-server.conf")], { stdio: "ignore" });
  await using laptop = await startServeLab();
  await using box = await startServeLab();
  try {
    await untilBrokerAnswers(port);
    const joins = (name: string) => [
      "--client",
      "--fleet",
      `nats://${address}`,
      "--fleet-creds",
      join(folder, `${name}.creds`),
    ];
    const here = await laptop.serve(joins("laptop"));
    const there = await box.serve(joins("box"));
    const key = await box.makeKey();
    const call = (args: readonly string[]) =>
      program.run([...args, "--url", here.url, "--json"], { SERVICE_TOKEN: key });
    const listed = await until("the laptop to list the session of the box", async () => {
      const { out } = await call(["sessions"]);
      return out.includes(there.session) ? out : undefined;
    });
    expect(JSON.parse(listed)).toMatchObject([{ id: there.session, relay: "box" }]);
    const made = await call(["func", "create-shell", "--session", "box/default"]);
    expect([made.code, made.err]).toEqual([0, ""]);
    const ran = await call(["func", "run", "--wait", "echo from the box", "--session", there.session]);
    expect([ran.code, ran.out]).toEqual([0, expect.stringContaining("from the box")]);
    const ownKey = await laptop.makeKey();
    const status = await program.run(["fleet", "--url", here.url, "--json"], { SERVICE_TOKEN: ownKey });
    expect([status.code, JSON.parse(status.out)]).toMatchObject([
      0,
      { state: "joined", members: [{}, { name: "box" }] },
    ]);

    const more = await program.run(["fleet", "add", "desk", "--folder", folder]);
    expect([more.code, more.out]).toEqual([0, expect.stringContaining("desk.creds")]);
    expect((await program.run(["fleet", "remove", "desk", "--folder", folder])).code).toBe(0);
    await there.stop();
    const away = await program.run(["sessions", "--url", here.url, "--json"], { SERVICE_TOKEN: ownKey });
    expect(JSON.parse(away.out)).toContainEqual(
      expect.objectContaining({ id: there.session, relay: "box", awaySince: expect.any(String) }),
    );
  } finally {
    broker.kill("SIGKILL");
    await once(broker, "exit");
  }
});

test("a relay without --fleet loads nothing of the fleet", { tags: "slow" }, async () => {
  await using lab = await startServeLab();
  const loaded = async (args: readonly string[]) => {
    const folder = mkdtempSync(join(tmpdir(), "patchbay-loaded-"));
    try {
      const running = await lab.serve(args, { NODE_V8_COVERAGE: folder });
      expect(await running.stop()).toBe(0);
      return scriptsIn(folder).filter((text) => text.includes("NatsConnectionImpl")).length;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  using program = await builtProgram();
  const folder = join(program.folder, "fleet");
  await program.run(["fleet", "init", "laptop", "--folder", folder, "--host", "127.0.0.1"]);
  expect(await loaded([])).toBe(0);
  // A broker that is not there keeps no relay from starting.
  const address = `nats://127.0.0.1:${await freePort()}`;
  expect(await loaded(["--fleet", address, "--fleet-creds", join(folder, "laptop.creds")])).toBeGreaterThan(0);
});

test.each([
  ["--fleet alone", ["--fleet", "nats://127.0.0.1:4222"], /give both/],
  ["credentials that are not there", ["--fleet", "nats://127.0.0.1", "--fleet-creds", "/none.creds"], /cannot be read/],
  ["another protocol", ["--fleet", "http://127.0.0.1", "--fleet-creds", "/none.creds"], /expected an address such as/],
])("a relay does not start with %s", async (_what, args, message) => {
  using program = await builtProgram();
  const { code, err } = await program.run(["serve", "--port", "0", ...args]);
  expect(code).toBeGreaterThan(0);
  expect(err).toMatch(message);
});

/** Returns the sources of the program's own scripts that a process has loaded, by its coverage. */
function scriptsIn(folder: string): string[] {
  const reports = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  const urls = reports.flatMap((report) => [...report.matchAll(/"url":"(file:[^"]+)"/g)].map(([, url = ""]) => url));
  return urls.map((url) => readFileSync(fileURLToPath(url), "utf8"));
}
