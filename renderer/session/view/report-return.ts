import { formatDuration } from "../../ui/format-duration.ts";
import { words } from "../words/index.ts";
import type { SessionSnapshot } from "./session-host.ts";
import type { View } from "./view.ts";

/** Shorter interruptions are not worth a message. */
const MIN_AWAY_MS = 2_000;
/** What the message is about: output that was skipped corrects it. */
const RETURN = "return";

/** Says how long the connection was lost, and whether anything was lost with it. Returns a function that stops. */
export function reportReturn({ host, ui, terminals }: Pick<View, "host" | "ui" | "terminals">, now: () => number) {
  let lost: { readonly at: number; readonly running: ReadonlySet<number> } | undefined;
  let away = "";
  const stopSnapshots = host.subscribe(() => {
    const snapshot = host.snapshot();
    if (!snapshot.connected && snapshot.mirror !== undefined) {
      lost ??= { at: now(), running: runningIn(snapshot) };
      ui.toasts.dismissAbout(RETURN);
      return;
    }
    if (lost === undefined || !snapshot.connected) return;
    const { at, running } = lost;
    lost = undefined;
    if (now() - at < MIN_AWAY_MS) return;
    away = formatDuration(now() - at);
    const left = runningIn(snapshot);
    const isWhole = [...running].every((shell) => left.has(shell));
    ui.toasts.show("info", isWhole ? words.view.backWhole(away) : words.view.back(away), [], RETURN);
  });
  const stopMissed = terminals.output.onMissed(() => {
    if (ui.toasts.shown.get().some(({ about }) => about === RETURN))
      ui.toasts.show("info", words.view.backSkipped(away), [], RETURN);
  });
  return () => {
    stopSnapshots();
    stopMissed();
  };
}

function runningIn({ mirror }: SessionSnapshot): ReadonlySet<number> {
  return new Set(mirror?.shells.flatMap(({ id, running }) => (running ? [id] : [])));
}
