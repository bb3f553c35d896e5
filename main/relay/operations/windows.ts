import type { OperationResult } from "../../../core/operations/index.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { LOCAL_MACHINE } from "../../../core/protocol/machines.ts";
import type { Handlers } from "../calls/calls.ts";
import type { Sessions } from "../session/sessions.ts";

/** Opens windows of sessions; the app that the relay runs in, if any. */
export interface WindowOpener {
  /** Opens the window of a session of this machine. */
  openLocal(session: string): void;
  /** Opens a session of another machine, by its name or id there. Rejects with a RemoteError. */
  openRemote(machine: string, session: string): Promise<Omit<OperationResult<"openWindow">, "machine">>;
}

interface WindowSources {
  readonly sessions: Sessions;
  readonly user: string;
  /** Undefined for a relay without the app. */
  readonly opener: () => WindowOpener | undefined;
}

export function windowHandlers({ sessions, user, opener }: WindowSources): Handlers<"openWindow"> {
  return {
    async openWindow({ target }) {
      const app = opener();
      if (app === undefined)
        throw new RemoteError("invalid_request", "This relay runs without the app: it has no windows.");
      // Session names may contain slashes, names of machines do not.
      const [, named, wanted = ""] = /^([^/]*)\/(.*)$/.exec(target) ?? [undefined, LOCAL_MACHINE, target];
      const machine = named ?? LOCAL_MACHINE;
      if (machine !== LOCAL_MACHINE) return { machine, ...(await app.openRemote(machine, wanted)) };
      const own = sessions.all().filter(({ owner }) => owner === user);
      const found = own.find(({ id }) => id === wanted) ?? own.find(({ state }) => state.now.session.name === wanted);
      if (found === undefined) throw new RemoteError("unknown_session", `No session of this machine is ${wanted}.`);
      app.openLocal(found.id);
      return { machine, session: found.id, state: "opened" };
    },
  };
}
