import { createServer } from "node:net";
import type { ListenSettings } from "../../../core/protocol/desktop-settings.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { PanelRelayState } from "../../../preload/channels.ts";
import type { SettingsFile } from "./settings.ts";

/** Options given on the command line of this run, which override the panel's settings. */
export interface FixedOptions {
  readonly port: boolean;
  readonly listen: boolean;
}

interface Options {
  readonly settings: SettingsFile;
  readonly said: FixedOptions;
  /** The relay's base address. */
  readonly address: () => string;
}

/** The address to listen on from the next start: a port in use cannot change while clients use it. */
export class RelayAddressSetting {
  readonly #options: Options;
  readonly #started: ListenSettings;

  constructor(options: Options) {
    this.#options = options;
    this.#started = options.settings.now.relay;
  }

  facts(): PanelRelayState {
    const { settings, said } = this.#options;
    const { port, outside } = settings.now.relay;
    const restart = (!said.port && port !== this.#started.port) || (!said.listen && outside !== this.#started.outside);
    return { port, outside, portOverridden: said.port, listenOverridden: said.listen, restartNeeded: restart };
  }

  /**
   * Saves the address for the next start. Rejects when the relay could not listen there, because Patchbay would not
   * start again.
   */
  async set({ port, outside }: ListenSettings): Promise<void> {
    const { settings, address } = this.#options;
    const own = Number(new URL(address()).port);
    if (port !== null && port !== own && !(await isFree(port))) {
      throw new RemoteError("invalid_params", `Port ${port} is taken or not yours to use: choose another one.`);
    }
    settings.set({ ...settings.now, relay: { port, outside } });
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}
