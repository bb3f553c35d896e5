import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const CALL_FROM = fileURLToPath(new URL("call-from.mjs", import.meta.url));

export interface Namespace {
  /** Program and first words that start something in it. */
  readonly within: readonly string[];
  /** The address of the hub in the network that the two share; for the hub its own loopback address. */
  readonly hubAddress: string;
  /** Sends an HTTP request from within. Status 0 stands for no answer. */
  request(method: string, url: string, options?: { headers?: Record<string, string>; body?: unknown }): Promise<Reply>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Networks extends AsyncDisposable {
  readonly hub: Namespace;
  /** By the names given, in their order. */
  of(name: string): Namespace;
  /** Links the namespace of this process to the hub as well. Returns the hub's address there. */
  linkOwn(): string;
  /** Loses everything that is sent between a namespace and the hub, in both directions, until `heal`. */
  cut(name: string): void;
  heal(name: string): void;
}

/** Returns why network namespaces cannot be made here, with what to do; undefined if they can. */
export function namespacesMissing(): string | undefined {
  if (process.platform !== "linux") return "network namespaces are Linux's";
  const name = `pbt${process.pid}`;
  try {
    ip("netns", "add", name);
    ip("netns", "delete", name);
    return undefined;
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return isMissing
      ? "it needs `ip`: run `sudo apt-get install iproute2`"
      : "it needs network namespaces: run it as root, in a container with --privileged";
  }
}

/** Names the namespace of this process to `ip`. */
const OWN = String(process.pid);

/** A namespace for each name, joined to a hub by a link of its own. Only what runs in the hub is reached by the others. */
export function startNetworks(names: readonly string[]): Networks {
  const prefix = `pb${process.pid}`;
  const hubName = `${prefix}hub`;
  const all = [hubName, ...names.map((name) => `${prefix}${name}`)];
  const callers = new Map<string, Caller>();
  const namespaceOf = (name: string, hubAddress: string): Namespace => {
    const within = ["ip", "netns", "exec", name];
    return {
      within,
      hubAddress,
      request(method, url, { headers = {}, body } = {}) {
        const caller = callers.get(name) ?? new Caller(within);
        callers.set(name, caller);
        const text = body === undefined ? {} : { body: JSON.stringify(body) };
        const type: Record<string, string> = body === undefined ? {} : { "Content-Type": "application/json" };
        return caller.request({ method, url, headers: { ...type, ...headers }, ...text });
      },
    };
  };
  for (const name of all) {
    ip("netns", "add", name);
    ip("-n", name, "link", "set", "lo", "up");
  }
  const namespaces = new Map<string, Namespace>();
  /** Returns the address of the hub on a new link. `namespace`: of the other end, or `OWN`. */
  const link = (index: number, device: string, namespace: string): string => {
    const network = `10.213.${index + 1}`;
    ip("-n", hubName, "link", "add", `to${index}`, "type", "veth", "peer", "name", device, "netns", namespace);
    ip("-n", hubName, "address", "add", `${network}.1/24`, "dev", `to${index}`);
    const within = namespace === OWN ? [] : ["-n", namespace];
    ip(...within, "address", "add", `${network}.2/24`, "dev", device);
    ip("-n", hubName, "link", "set", `to${index}`, "up");
    ip(...within, "link", "set", device, "up");
    return `${network}.1`;
  };
  for (const [index, name] of names.entries()) {
    const own = `${prefix}${name}`;
    namespaces.set(name, namespaceOf(own, link(index, "hub", own)));
  }
  const linkOf = (name: string) => `to${names.indexOf(name)}`;
  return {
    hub: namespaceOf(hubName, "127.0.0.1"),
    of(name) {
      const found = namespaces.get(name);
      if (found === undefined) throw new Error(`no namespace ${name}`);
      return found;
    },
    linkOwn: () => link(names.length, hubName, OWN),
    cut: (name) => ip("-n", hubName, "link", "set", linkOf(name), "down"),
    heal: (name) => ip("-n", hubName, "link", "set", linkOf(name), "up"),
    async [Symbol.asyncDispose]() {
      for (const caller of callers.values()) await caller.stop();
      for (const name of all) ip("netns", "delete", name);
    },
  };
}

function ip(...words: string[]): void {
  execFileSync("ip", words, { stdio: ["ignore", "ignore", "pipe"] });
}

/** A process in a namespace that sends requests from there. */
class Caller {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #sent = 0;

  constructor([program = "", ...words]: readonly string[]) {
    const child = spawn(program, [...words, process.execPath, CALL_FROM], { stdio: ["pipe", "pipe", "inherit"] });
    this.#child = child;
    createInterface(child.stdout).on("line", (line) => {
      const { id, ...reply } = JSON.parse(line) as Reply & { readonly id: number };
      this.#waiting.get(id)?.(reply);
      this.#waiting.delete(id);
    });
  }

  request(request: { method: string; url: string; headers: Record<string, string>; body?: string }): Promise<Reply> {
    const id = this.#sent++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#child.stdin?.write(`${JSON.stringify({ id, ...request })}\n`);
    });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill("SIGKILL");
    await once(this.#child, "exit");
  }
}
