import { createServer } from "node:net";
import type { ListenSettings } from "../../../core/protocol/desktop-settings.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { PanelRelayState } from "../../../preload/channels.ts";
import type { SettingsFile } from "./settings.ts";

/** What the command line has fixed for this run: it goes before what is set in the panel. */
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

/** Where the relay is to listen from the next start on: a port that is in use cannot change under those who use it. */
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

  /** Keeps it for the next start. Rejects where that could not listen there: Patchbay would not come up again. */
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
