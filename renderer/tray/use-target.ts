import { useEffect } from "react";
import { usePanel } from "./use-panel.ts";

/** The names of items that the panel can be led to. */
export const targets = {
  newSession: "new session",
  invite: (session: string) => `invite ${session}`,
  rename: (session: string) => `rename ${session}`,
  /** The question before a session is closed. */
  close: (session: string) => `close ${session}`,
  client: (session: string, id: number) => `client ${session} ${id}`,
  guest: (session: string, id: string) => `guest ${session} ${id}`,
  /** The question before a person is shown out. */
  leave: (person: string) => `leave ${person}`,
};

/** Runs `act` once when the panel is led to an item that is shown, or comes to be. */
export function useTarget(item: string, act: () => void): void {
  const { target, reach } = usePanel();
  const isTarget = target?.item === item;
  // biome-ignore lint/correctness/useExhaustiveDependencies: both functions are new in every render
  useEffect(() => {
    if (!isTarget) return;
    reach();
    act();
  }, [isTarget]);
}
