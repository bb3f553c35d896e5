import { RelayFile } from "../../core/protocol/relay-file.ts";
import { until } from "../support/until.ts";
import type { DebianRoot, Ended } from "./debian-root.ts";

/** Where the package puts the app. */
export const PACKAGED = "/usr/lib/patchbay";
/** An ordinary user. */
export const TESTER = "tester";

/** What that user does with the installed Patchbay. */
export class Tester {
  readonly #debian: DebianRoot;

  constructor(debian: DebianRoot) {
    this.#debian = debian;
  }

  run(command: string): Promise<Ended> {
    return this.#debian.run(command, { user: TESTER });
  }

  must(command: string): Promise<string> {
    return this.#debian.must(command, { user: TESTER });
  }

  /** Starts the app on a display and a bus of its own; resolves when its relay is up. */
  startApp(): Promise<RelayFile> {
    this.#debian.start(`dbus-run-session xvfb-run -a ${PACKAGED}/patchbay --port 0`, { user: TESTER });
    return this.relayFile();
  }

  /** What the running app's `relay.json` says. */
  relayFile(): Promise<RelayFile> {
    return until(
      "relay.json",
      async () => {
        const { code, output } = await this.run("cat ~/.config/patchbay/relay.json");
        const file = code === 0 ? RelayFile.safeParse(JSON.parse(output)).data : undefined;
        return file !== undefined && (await this.#debian.run(`kill -0 ${file.pid}`)).code === 0 ? file : undefined;
      },
      60_000,
    );
  }

  newKey(name: string): Promise<string> {
    return this.must(`patchbay keys create --name ${name}`);
  }

  /** Runs `service` with a key, as it is once its folder stands first. */
  service(key: string, words: string): Promise<Ended> {
    return this.run(`PATH=${PACKAGED}/bin:$PATH; export SERVICE_TOKEN=${key}; service ${words}`);
  }

  /** As `service`, but a failure fails the test; answers what was printed. */
  async mustService(key: string, words: string): Promise<string> {
    const { code, output } = await this.service(key, words);
    if (code !== 0) throw new Error(`service ${words}: ended with ${code}:\n${output}`);
    return output.trim();
  }

  /** Everything of the package ends: the app, its pages and, unless it is to `keep` them, the shells' process. */
  async programsEnd({ keep = false }: { keep?: boolean } = {}): Promise<void> {
    const running = async () =>
      (await this.#debian.run(`pgrep -u ${TESTER} -a -f ^${PACKAGED}/`)).output
        .split("\n")
        .filter((line) => line !== "" && !(keep && line.includes(" --shell-host")));
    await until("the end of the app's processes", async () => (await running()).length === 0, 30_000).catch(
      async (cause) => {
        throw new Error(`still there:\n${(await running()).join("\n")}`, { cause });
      },
    );
  }
}
