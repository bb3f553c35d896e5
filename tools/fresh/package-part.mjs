import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { checkout } from "../setup/checkout.mjs";
import { runtimeLibraries } from "../setup/runtime-libraries.mjs";
import { FreshCheckout, USER } from "./checkout-in-root.mjs";
import { startDebian } from "./debian-root.mjs";
import { installNetworkSettings } from "./machine.mjs";
import { StepError } from "./report.mjs";

const APP = "/usr/lib/patchbay";
const SERVICE = `${APP}/bin/service`;
/** A folder outside of the system's PATH: the installed app must work without Node. */
const TOOLS = "/opt/fresh-tools";
const WAIT_MS = 60_000;
const POLL_MS = 200;

/**
 * The Debian package, made in one bare root and installed in another, where an ordinary user starts it on a virtual desktop.
 * @param {import("./report.mjs").Report} report
 * @param {{ archive: string, signal: AbortSignal }} context
 */
export async function packagePart(report, { archive, signal }) {
  /** @type {AsyncDisposable[]} */
  const roots = [];
  /** @type {FreshCheckout} */
  let source;
  /** @type {InstalledPackage} */
  let installed;
  try {
    await report.part(
      "package",
      [
        [
          "`npm run dist` on a bare Debian",
          async () => {
            source = await FreshCheckout.start({ archive, part: "package", user: "root", signal });
            roots.push(source);
            await source.must("npm run dist");
          },
        ],
        [
          "apt installs it, alone, on another",
          async () => {
            const debian = await startDebian(archive, signal);
            roots.push(debian);
            installed = new InstalledPackage(debian, installNetworkSettings(debian.folder), signal);
            return await installed.install(path.join(source.debian.folder, "root/patchbay/release"));
          },
        ],
        ["its dependencies bring every library that it loads", () => installed.hasItsLibraries()],
        ["an ordinary user starts it, with the sandbox on", () => installed.starts()],
        ["without a notification server it says so, and shows a toast", () => installed.saysWhatIsMissing()],
        ["a notification arrives over D-Bus", () => installed.notifies()],
        ["the tray has its icon and menu", () => installed.isInTheTray()],
        ["it ends, and leaves no process", () => installed.ends()],
      ],
      signal,
    );
  } finally {
    for (const root of roots.reverse()) await root[Symbol.asyncDispose]();
  }
}

class InstalledPackage {
  /** @type {import("./debian-root.mjs").Started | undefined} */
  #app;
  /** @type {import("./debian-root.mjs").Started | undefined} */
  #receiver;
  #token = "";

  /** @param {import("./debian-root.mjs").DebianRoot} debian @param {Record<string, string>} env @param {AbortSignal} signal */
  constructor(debian, env, signal) {
    this.debian = debian;
    this.env = env;
    this.signal = signal;
  }

  /** @param {string} release folder with the package */
  async install(release) {
    const name = readdirSync(release).find((file) => file.endsWith(".deb"));
    if (name === undefined) throw new StepError("`npm run dist` made no Debian package.");
    copyFileSync(path.join(release, name), path.join(this.debian.folder, "var/tmp/patchbay.deb"));
    const tools = path.join(this.debian.folder, TOOLS);
    mkdirSync(tools, { recursive: true });
    await this.debian.must(
      `mv /usr/local/bin/node ${TOOLS}/node && rm -rf /usr/local/bin/np* /usr/local/lib/node_modules`,
    );
    await bundleReceiver(path.join(tools, "receiver.mjs"));
    await this.#must("apt-get update -qq", "root");
    await this.#must("apt-get install -y -qq --no-install-recommends /var/tmp/patchbay.deb", "root");
    await this.#must(`useradd --create-home --shell /bin/bash ${USER}`, "root");
    return name;
  }

  async hasItsLibraries() {
    const files = `find ${APP} -type f \\( -name '*.so*' -o -name '*.node' -o -perm /111 \\)`;
    const linked = await this.#must(`${files} -exec ldd {} + 2>&1 || true`, "root");
    const missing = linked.split("\n").filter((line) => line.includes("not found"));
    const known = await this.#must("ldconfig -p", "root");
    const unknown = runtimeLibraries
      .filter(({ optional }) => !optional)
      .flatMap(({ libraries }) => libraries.filter((library) => !known.includes(`\t${library} `)));
    const all = [...missing, ...unknown];
    if (all.length > 0) throw new StepError(`The package does not depend on:\n${all.join("\n")}`);
  }

  async starts() {
    // Installed last, because these packages bring libraries of their own.
    await this.#must("apt-get install -y -qq --no-install-recommends xvfb xauth dbus procps", "root");
    const app = `xvfb-run -a ${APP}/patchbay --port 0`;
    this.#app = this.debian.start(`dbus-run-session -- sh -c 'echo $DBUS_SESSION_BUS_ADDRESS > ~/bus; exec ${app}'`, {
      user: USER,
      env: this.env,
    });
    const { pid } = await this.#until("the app", async () => {
      const { code, output } = await this.debian.run("cat ~/.config/patchbay/relay.json", { user: USER });
      return code === 0 ? JSON.parse(output) : undefined;
    });
    const page = await this.#until("a page's process", async () => {
      const { output } = await this.debian.run(`pgrep -u ${USER} -f -- --type=renderer | head -1`);
      return output.trim() || undefined;
    });
    const words = await this.#must(`tr '\\0' ' ' < /proc/${page}/cmdline`, "root");
    const seccomp = await this.#must(`grep ^Seccomp: /proc/${page}/status`, "root");
    const own = await this.#must(`readlink /proc/${page}/ns/pid`, "root");
    const apps = await this.#must(`readlink /proc/${pid}/ns/pid`, "root");
    if (words.includes("--no-sandbox") || !seccomp.endsWith("\t2") || own === apps)
      throw new StepError(`The sandbox is off: ${words}\n${seccomp}`);
    this.#token = await this.#must("patchbay keys create --name fresh", USER);
  }

  async saysWhatIsMissing() {
    await this.#until("the sentence in the output", async () =>
      this.#app?.output().includes("Native notifications do not work: no notification server is on the session bus."),
    );
    const log = await this.#must("cat ~/.local/share/patchbay/logs/*", USER);
    for (const sentence of ["Native notifications do not work", "There is no tray", "No keychain can be reached"])
      if (!log.includes(sentence)) throw new StepError(`The log does not say “${sentence}”:\n${log}`);
    const answer = await this.#notify("while nobody listens");
    if (answer !== '{"shown":true,"by":"toast"}') throw new StepError(`notify answered ${answer}`);
    const doctor = await this.debian.run(`${this.#bus()}; export DISPLAY=:99; patchbay doctor`, { user: USER });
    if (!doctor.output.includes("no notification server is on the session bus"))
      throw new StepError(`doctor does not say it:\n${doctor.output}`);
  }

  async notifies() {
    this.#receiver = this.debian.start(`${this.#bus()}; exec ${TOOLS}/node ${TOOLS}/receiver.mjs`, { user: USER });
    await this.#until("the desktop", async () => this.#receiver?.output().includes('"ready"'));
    const answer = await this.#notify("Build finished");
    if (answer !== '{"shown":true,"by":"native"}') throw new StepError(`notify answered ${answer}`);
    const said = await this.#received(/"notification".*"Build finished"/);
    return said;
  }

  isInTheTray() {
    return this.#received(/"tray".*"Quit Patchbay"/);
  }

  async ends() {
    const { pid } = JSON.parse(await this.#must("cat ~/.config/patchbay/relay.json", USER));
    await this.#must(`kill -TERM ${pid}`, "root");
    await this.#until("the end of its processes", async () => {
      const { output } = await this.debian.run(`pgrep -u ${USER} -f ^${APP}/`);
      return output.trim() === "";
    });
  }

  #bus() {
    return "export DBUS_SESSION_BUS_ADDRESS=$(cat ~/bus)";
  }

  /** @param {string} title */
  async #notify(title) {
    const words = `func notify '${title}' --json`;
    const answer = await this.#must(`export SERVICE_TOKEN=${this.#token}; ${SERVICE} ${words}`, USER);
    return JSON.stringify(JSON.parse(answer));
  }

  /** @param {RegExp} line */
  #received(line) {
    return this.#until(`${line} at the desktop`, async () =>
      this.#receiver
        ?.output()
        .split("\n")
        .find((said) => line.test(said)),
    );
  }

  /** @param {string} command @param {string} user */
  async #must(command, user) {
    const { code, output } = await this.debian.run(command, { user, env: this.env, signal: this.signal });
    if (code !== 0) throw new StepError(`${command} ended with ${code}:\n${output.slice(-4000)}`);
    return output.trim();
  }

  /** @template T @param {string} what @param {() => Promise<T>} ask @returns {Promise<NonNullable<T>>} */
  async #until(what, ask) {
    for (const end = performance.now() + WAIT_MS; ; ) {
      const value = await ask();
      if (value) return value;
      if (performance.now() > end)
        throw new StepError(`Waited in vain for ${what}. The app printed:\n${this.#app?.output().slice(-4000)}`);
      await delay(POLL_MS, undefined, { signal: this.signal });
    }
  }
}

/** The desktop of the end-to-end tests as one file. @param {string} file */
async function bundleReceiver(file) {
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({
    cwd: checkout,
    input: "test/support/desktop-receiver.ts",
    platform: "node",
    // Optional imports of dbus-next.
    external: ["usocket", "x11"],
    logLevel: "silent",
  });
  try {
    await bundle.write({ file, format: "esm", codeSplitting: false });
  } finally {
    await bundle.close();
  }
}
