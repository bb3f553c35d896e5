import type { MachineWindows } from "./machine-windows.ts";
import type { WindowPlacementStore } from "./window-placement.ts";

interface Options {
  readonly places: WindowPlacementStore;
  /** Opens the window of a session of this machine; false where there is no such session any more. */
  readonly openLocal: (session: string) => boolean;
  readonly openMachine: MachineWindows["open"];
  /** Called when a window of another machine did not come back, after the others. */
  readonly missing: () => void;
  readonly log: (line: string) => void;
}

/** Opens the windows that were open when the app ended last, with the first call only. Returns a function for that. */
export function keptWindows({ places, openLocal, openMachine, missing, log }: Options): () => boolean {
  const waiting = [...places.open()];
  return () => {
    const kept = waiting.splice(0);
    const opened = kept.filter(({ name, session }) => {
      if (session !== true) {
        const gone = () => {
          places.close(name);
          missing();
        };
        openMachine(session).then(
          // The panel asks for its key; the next start does not ask again.
          (state) => state === "opened" || gone(),
          (error: Error) => {
            log(`The window of ${session.session.name} on ${session.machine} was not opened: ${error.message}`);
            gone();
          },
        );
        return true;
      }
      const isThere = openLocal(name);
      if (!isThere) places.close(name);
      return isThere;
    });
    return opened.length > 0;
  };
}
