import { copyFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RelayFile } from "../../core/protocol/relay-file.ts";
import { until } from "../support/until.ts";
import { type DebianRoot, startDebian } from "./debian-root.ts";
import { changes, filesBelow } from "./files-below.ts";
import { given } from "./given.ts";

const USER = "tester";
/** What docs/install.md says stays: the data of the user's Patchbay, and what bash and the system's libraries keep for themselves. */
const KEPT = [
  /^\+ home\/tester\/\.local(\/share(\/patchbay(\/.*)?)?)?$/,
  /^\+ home\/tester\/\.config(\/patchbay(\/.*)?)?$/,
  /^\+ home\/tester\/\.cache(\/(fontconfig|mesa_shader_cache)(\/.*)?)?$/,
  /^\+ home\/tester\/\.bash_history$/,
];
const PACKAGED = "/usr/lib/patchbay";

/** One story, told in order: each test goes on where the last one ended. */
let debian: DebianRoot;
let before: ReadonlyMap<string, string>;

beforeAll(async () => {
  debian = await startDebian(given("PATCHBAY_DEBIAN"));
  await debian.must(`useradd --create-home --shell /bin/bash ${USER}`);
  for (const name of ["PATCHBAY_DEB", "PATCHBAY_HIGHER_DEB"] as const) {
    await copyFile(given(name), path.join(debian.folder, "var/tmp", `${name}.deb`));
  }
  await debian.must("apt-get update");
  // What the package depends on comes before the comparison: removing it leaves that to `apt autoremove`.
  await debian.must(
    'apt-get satisfy -y --no-install-recommends "$(dpkg-deb --field /var/tmp/PATCHBAY_DEB.deb Depends)"',
  );
  before = await filesBelow(debian.folder);
}, 600_000);

afterAll(async () => {
  await debian?.[Symbol.asyncDispose]();
});

test("apt installs it, and every library that it needs is there", async () => {
  await debian.must("apt-get install -y --no-install-recommends /var/tmp/PATCHBAY_DEB.deb");
  const libraries = await debian.must(
    `find ${PACKAGED} -type f \\( -name '*.so*' -o -name '*.node' -o -perm /111 \\) -exec ldd {} + 2>&1 || true`,
  );
  expect(libraries).toContain("libgtk-3.so.0");
  expect(libraries.split("\n").filter((line) => line.includes("not found"))).toEqual([]);
});

test("the menu, the manual, the completions and the links know it", async () => {
  expect(await debian.must("cat /usr/share/applications/mimeinfo.cache")).toContain(
    "x-scheme-handler/patchbay=patchbay.desktop",
  );
  expect(await debian.must("man -w patchbay service-func")).toContain("service-func.1");
  expect(await debian.must("man patchbay | col -b", { user: USER })).toContain("live terminal sessions");
  expect(
    await debian.must("bash -c 'source /usr/share/bash-completion/completions/patchbay && complete -p patchbay'"),
  ).toContain("_patchbay");
  expect(await debian.must(`stat -c '%a %U' ${PACKAGED}/chrome-sandbox`)).toBe("4755 root");
});

test("the command line runs without Node, and leaves the system's own service alone", async () => {
  expect((await debian.run("command -v node")).code).not.toBe(0);
  expect(await debian.must("patchbay --version", { user: USER })).toMatch(/^\d+\.\d+\.\d+/);
  expect(await debian.must("command -v service", { user: USER })).toBe("/usr/sbin/service");
  const refused = await debian.run("service func get-layout", { user: USER });
  expect(refused.output).not.toContain("No relay is running");
  const ours = await debian.run(`PATH=${PACKAGED}/bin:$PATH; service func get-layout`, { user: USER });
  expect(ours).toMatchObject({ code: 5, output: expect.stringContaining("No relay is running") });
});

test("an ordinary user starts the app on a display, with the sandbox on", async () => {
  debian.start(`dbus-run-session xvfb-run -a ${PACKAGED}/patchbay --port 0`, { user: USER });
  await relayFile();
  const page = await until("a page's process", async () => {
    const { output } = await debian.run("pgrep -u tester -f -- --type=renderer | head -1");
    return output.trim() || undefined;
  });
  const words = await debian.must(`tr '\\0' ' ' < /proc/${page}/cmdline`);
  expect(words).not.toContain("--no-sandbox");
  // Filtered system calls, and a view of processes of its own.
  expect(await debian.must(`grep ^Seccomp: /proc/${page}/status`)).toMatch(/\t2$/);
  const [own, apps] = await Promise.all(
    [page, String((await relayFile()).pid)].map((pid) => debian.must(`readlink /proc/${pid}/ns/pid`)),
  );
  expect(own).not.toBe(apps);
});

test("the quick start works over HTTP and on the command line", async () => {
  const { url, session } = await relayFile();
  const key = await debian.must("patchbay keys create --name quick", { user: USER });
  const base = `${url}/v1/sessions/${session}/remote`;
  const body = JSON.stringify({ method: "createShell", params: {} });
  const head = `-H 'X-Service-Token: ${key}' -H 'Content-Type: application/json'`;
  const created = await debian.must(`curl -sS ${head} -d '${body}' ${base}/command`, { user: USER });
  expect(JSON.parse(created)).toMatchObject({ result: { shellId: expect.any(Number) } });
  const shells = await debian.must(`curl -sS ${head} ${base}/shells`, { user: USER });
  expect(JSON.parse(shells)).toMatchObject({ result: [{ running: true }] });
  expect(await service(key, "func run --wait 'echo $((6 * 7))'")).toContain("42");
  expect((await debian.run(serviceWords(key, "func run --wait '(exit 7)'"), { user: USER })).code).toBe(7);
});

test("an upgrade leaves the app and its shells running", async () => {
  const key = await debian.must("patchbay keys create --name upgrade", { user: USER });
  const { pid } = await relayFile();
  await service(key, "func run --wait 'kept=yes'");
  await debian.must("apt-get install -y --no-install-recommends /var/tmp/PATCHBAY_HIGHER_DEB.deb");
  expect(await debian.must("dpkg-query --show patchbay")).toMatch(/\t1\./);
  expect((await relayFile()).pid).toBe(pid);
  expect(await service(key, "func run --wait 'echo $kept'")).toContain("yes");
});

test("the upgraded app starts with the old one's data", async () => {
  const { pid } = await relayFile();
  const key = await debian.must("patchbay keys create --name again", { user: USER });
  await debian.must(`kill -TERM ${pid}`);
  await programsEnd();
  debian.start(`dbus-run-session xvfb-run -a ${PACKAGED}/patchbay --port 0`, { user: USER });
  expect((await relayFile()).pid).not.toBe(pid);
  expect(JSON.parse(await service(key, "func list-shells --json"))).toMatchObject([{ running: false }]);
});

test("removed and purged, nothing is left but the user's data", async () => {
  await debian.must(`kill -TERM ${(await relayFile()).pid}`);
  await programsEnd();
  await debian.must("apt-get remove -y patchbay");
  expect((await debian.run("command -v patchbay")).code).not.toBe(0);
  await debian.must("dpkg --purge patchbay");
  const left = changes(before, await filesBelow(debian.folder));
  expect(left.filter((line) => !KEPT.some((kept) => kept.test(line)))).toEqual([]);
});

/** Everything of the package ends: the app, its pages and the process that holds its shells. */
async function programsEnd(): Promise<void> {
  const running = () => debian.run(`pgrep -u ${USER} -a -f ^${PACKAGED}/`);
  await until("the end of the app's processes", async () => (await running()).code !== 0, 30_000).catch(
    async (cause) => {
      throw new Error(`still there:\n${(await running()).output}`, { cause });
    },
  );
}

async function relayFile(): Promise<RelayFile> {
  return until(
    "relay.json",
    async () => {
      const { code, output } = await debian.run("cat ~/.config/patchbay/relay.json", { user: USER });
      const file = code === 0 ? RelayFile.safeParse(JSON.parse(output)).data : undefined;
      return file !== undefined && (await debian.run(`kill -0 ${file.pid}`)).code === 0 ? file : undefined;
    },
    60_000,
  );
}

function service(key: string, words: string): Promise<string> {
  return debian.must(serviceWords(key, words), { user: USER });
}

function serviceWords(key: string, words: string): string {
  return `PATH=${PACKAGED}/bin:$PATH; export SERVICE_TOKEN=${key}; service ${words}`;
}
