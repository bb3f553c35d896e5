import { copyFile, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { type DebianRoot, startDebian } from "./debian-root.ts";
import { changes, filesBelow } from "./files-below.ts";
import { given } from "./given.ts";
import { PACKAGED, TESTER, Tester } from "./tester.ts";

/** What docs/install.md says stays: the data of the user's Patchbay, and what bash and the system's libraries keep for themselves. */
const KEPT = [
  /^\+ home\/tester\/\.local(\/share(\/patchbay(\/.*)?)?)?$/,
  /^\+ home\/tester\/\.config(\/patchbay(\/.*)?)?$/,
  /^\+ home\/tester\/\.cache(\/(fontconfig|mesa_shader_cache)(\/.*)?)?$/,
  /^\+ home\/tester\/\.bash_history$/,
];
const INSTALL = "apt-get install -y --no-install-recommends";

/** One story, told in order: each test goes on where the last one ended. */
let debian: DebianRoot;
let tester: Tester;
let before: ReadonlyMap<string, string>;

beforeAll(async () => {
  debian = await startDebian(given("PATCHBAY_DEBIAN"));
  tester = new Tester(debian);
  await debian.must(`useradd --create-home --shell /bin/bash ${TESTER}`);
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
  await debian.must(`${INSTALL} /var/tmp/PATCHBAY_DEB.deb`);
  const libraries = await debian.must(
    `find ${PACKAGED} -type f \\( -name '*.so*' -o -name '*.node' -o -perm /111 \\) -exec ldd {} + 2>&1 || true`,
  );
  expect(libraries).toContain("libgtk-3.so.0");
  expect(libraries.split("\n").filter((line) => line.includes("not found"))).toEqual([]);
  expect(await debian.must("dpkg --verify patchbay")).toBe("");
  expect(await debian.must(`stat -c '%a %U' ${PACKAGED}/chrome-sandbox`)).toBe("4755 root");
});

test("the menu, the icons, the store's description and the links know it, and are valid", async () => {
  expect(await debian.must("desktop-file-validate /usr/share/applications/patchbay.desktop")).toBe("");
  const description = "/usr/share/metainfo/dev.patchbay.app.metainfo.xml";
  expect(await debian.must(`appstreamcli validate --no-net ${description}`)).toContain("Validation was successful");
  expect(await debian.must("cat /usr/share/applications/mimeinfo.cache")).toContain(
    "x-scheme-handler/patchbay=patchbay.desktop",
  );
  expect(await iconSizes()).toEqual([16, 24, 32, 48, 64, 128, 256, 512, 1024]);
});

test("the manual has both names, for every user", async () => {
  expect(await tester.must("man patchbay | col -b")).toContain("live terminal sessions");
  expect(await tester.must("man service-func | col -b")).toContain("get-layout");
});

test("bash, zsh and fish find the completions", async () => {
  const bash =
    ". /usr/share/bash-completion/bash_completion; _completion_loader patchbay; " +
    "COMP_WORDS=(patchbay func show-t); COMP_CWORD=2; _patchbay; echo $COMPREPLY";
  expect(await debian.must(`bash -c '${bash}'`)).toBe("show-tree");
  const zsh = "autoload -Uz compinit && compinit -D -u && autoload +X $_comps[patchbay] && echo $_comps[patchbay]";
  expect(await debian.must(`zsh -fc '${zsh}'`)).toBe("_patchbay");
  // fish keeps things in a home, which is not to be the user's here.
  expect(await debian.must(`HOME=$(mktemp -d) fish -c 'complete -C "patchbay func show-t"'`)).toMatch(/^show-tree\t/);
});

test("the command line runs without Node, and leaves the system's own service alone", async () => {
  expect((await debian.run("command -v node")).code).not.toBe(0);
  expect(await tester.must("command -v patchbay && patchbay --version")).toMatch(/^\/usr\/bin\/patchbay\n0\.\d+\.\d+$/);
  expect(await tester.must("command -v service")).toBe("/usr/sbin/service");
  expect((await tester.run("service func get-layout")).output).not.toContain("No relay is running");
  expect(await tester.service("", "func get-layout")).toMatchObject({
    code: 5,
    output: expect.stringContaining("No relay is running"),
  });
});

test("the doctor advises nothing that the user of a package cannot do", async () => {
  const { output } = await tester.run("patchbay doctor");
  expect(output).toContain("Patchbay 0.");
  expect(output).not.toContain("Install Node");
});

test.each(["--remote-debugging-port=0", "--remote-debugging-pipe"])(
  "it does not start with %s, and says why",
  async (word) => {
    const { code, output } = await tester.run(`dbus-run-session xvfb-run -a ${PACKAGED}/patchbay --port 0 ${word}`);
    expect([code, output]).toEqual([2, expect.stringContaining(`${word.split("=")[0]}: `)]);
  },
);

test("it does not start without Chromium's sandbox, and says so in a box too", async () => {
  debian.start(`dbus-run-session xvfb-run -a ${PACKAGED}/patchbay --port 0 --no-sandbox >/tmp/unsafe 2>&1`, {
    user: TESTER,
  });
  await until("the reason", async () => (await debian.run("cat /tmp/unsafe")).output.includes("--no-sandbox: "));
  expect((await tester.run("cat ~/.config/patchbay/relay.json")).code).not.toBe(0);
  await debian.must(`pkill -KILL -u ${TESTER} -f ^${PACKAGED}/ && rm /tmp/unsafe`);
  await tester.programsEnd();
});

test("an ordinary user starts the app on a display, with the sandbox on", async () => {
  const { pid } = await tester.startApp();
  const page = await until("a page's process", async () => {
    const { output } = await debian.run(`pgrep -u ${TESTER} -f -- --type=renderer | head -1`);
    return output.trim() || undefined;
  });
  const words = await debian.must(`tr '\\0' ' ' < /proc/${page}/cmdline`);
  expect(words).not.toContain("--no-sandbox");
  // Filtered system calls, and a view of processes of its own.
  expect(await debian.must(`grep ^Seccomp: /proc/${page}/status`)).toMatch(/\t2$/);
  const [own, apps] = await Promise.all(
    [page, String(pid)].map((process) => debian.must(`readlink /proc/${process}/ns/pid`)),
  );
  expect(own).not.toBe(apps);
});

test("the quick start works over HTTP and on the command line", async () => {
  const { url, session } = await tester.relayFile();
  const key = await tester.newKey("quick");
  const base = `${url}/v1/sessions/${session}/remote`;
  const body = JSON.stringify({ method: "createShell", params: {} });
  const head = `-H 'X-Service-Token: ${key}' -H 'Content-Type: application/json'`;
  const shells = async () => {
    const { result } = JSON.parse(await tester.must(`curl -sS ${head} ${base}/shells`)) as { result: unknown[] };
    return result;
  };
  // The window of the first run has one.
  await until("the user's first shell", async () => (await shells()).length === 1);
  const created = await tester.must(`curl -sS ${head} -d '${body}' ${base}/command`);
  expect(JSON.parse(created)).toMatchObject({ result: { shellId: expect.any(Number) } });
  expect(await shells()).toMatchObject([{ running: true }, { running: true }]);
  expect(await tester.mustService(key, "func run --wait 'echo $((6 * 7))'")).toContain("42");
  expect((await tester.service(key, "func run --wait '(exit 7)'")).code).toBe(7);
  // In a shell of Patchbay's `service` is its own, and needs no key.
  const inside = await tester.mustService(key, "func run --wait 'command -v service && service func get-role'");
  expect(inside).toMatch(/^\/usr\/lib\/patchbay\/bin\/service\s+role: admin$/);
});

test("an upgrade leaves the app and its shells running, and both go on working", async () => {
  const key = await tester.newKey("upgrade");
  const { pid } = await tester.relayFile();
  const shell = await tester.mustService(key, "func run --wait 'kept=yes; echo $$'");
  await debian.must(`${INSTALL} /var/tmp/PATCHBAY_HIGHER_DEB.deb`);
  expect(await debian.must("dpkg-query --show patchbay")).toMatch(/\t1\./);
  expect(await tester.must("patchbay --version")).toMatch(/^1\./);
  expect((await tester.relayFile()).pid).toBe(pid);
  expect(await tester.mustService(key, "func run --wait 'echo $kept $$'")).toBe(`yes ${shell}`);
  await tester.mustService(key, "func create-shell --no-focus");
  const shells = JSON.parse(await tester.mustService(key, "func list-shells --json"));
  expect(shells).toMatchObject([{ running: true }, { running: true }, { running: true }]);
  // Its archive is another file now, in which everything lies elsewhere.
  const [served, built] = await Promise.all([servedPageParts(), builtPageParts()]);
  expect(served.size).toBeGreaterThan(3);
  expect([...served].filter(([name, sum]) => built.get(name) !== sum)).toEqual([]);
});

test("the new version takes over the shells of the old one, and its data", async () => {
  const { pid } = await tester.relayFile();
  const key = await tester.newKey("again");
  const shell = await tester.mustService(key, "func run --wait 'echo $$'");
  // As a crash would: what ends in order ends its shells, or asks.
  await debian.must(`kill -KILL ${pid}`);
  await tester.programsEnd({ keep: true });
  expect((await tester.startApp()).pid).not.toBe(pid);
  expect(await tester.mustService(key, "func run --wait 'echo $kept $$'")).toBe(`yes ${shell}`);
});

test("removed and purged, nothing is left but the user's data", async () => {
  await debian.must(`kill -TERM ${(await tester.relayFile()).pid}`);
  await tester.programsEnd();
  await debian.must("apt-get remove -y patchbay");
  expect((await debian.run("command -v patchbay")).code).not.toBe(0);
  await debian.must("dpkg --purge patchbay");
  const left = changes(before, await filesBelow(debian.folder));
  expect(left.filter((line) => !KEPT.some((kept) => kept.test(line)))).toEqual([]);
});

/** The width that stands in each icon (PNG: the first number of the first chunk), where folder and height say the same. */
async function iconSizes(): Promise<number[]> {
  const theme = path.join(debian.folder, "usr/share/icons/hicolor");
  const sizes: number[] = [];
  for (const folder of await readdir(theme)) {
    const png = await readFile(path.join(theme, folder, "apps/patchbay.png")).catch(() => undefined);
    if (png === undefined) continue;
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    expect(folder).toBe(`${width}x${height}`);
    sizes.push(width);
  }
  return sizes.sort((a, b) => a - b);
}

/** What the running relay gives a browser for its page: the sum of each file, by name. */
async function servedPageParts(): Promise<ReadonlyMap<string, string>> {
  const { url, session } = await tester.relayFile();
  const page = await tester.must(`curl -sSf ${url}/s/${session}`);
  const names = [...new Set([...page.matchAll(/\.\/assets\/([^"]+)/g)].map(([, name]) => String(name)))];
  const sums = names.map((name) => tester.must(`curl -sSf ${url}/s/assets/${name} | sha256sum`));
  return new Map((await Promise.all(sums)).map((sum, at) => [names[at] ?? "", sum.split(" ")[0] ?? ""]));
}

/** The same of all that the package was made from. */
async function builtPageParts(): Promise<ReadonlyMap<string, string>> {
  const files = await filesBelow(path.join(import.meta.dirname, "../../dist/renderer/assets"));
  return new Map([...files].map(([name, what]) => [name, what.split(" ").at(-1) ?? ""]));
}
