import type { PanelContent } from "../../preload/channels.ts";
import { words } from "./words/index.ts";

/** Something that does not work as it should, in a sentence or several, with the remedy where there is one. */
interface HealthNotice {
  readonly id: "relay" | "tray" | "notifications" | "keychain";
  readonly text: string;
}

/** Lists what does not work: in the relay first, then on this desktop. */
export function healthNotices(content: PanelContent): readonly HealthNotice[] {
  const { healthIssue, desktop } = content;
  const all = [
    { id: "relay", text: healthIssue && words.panel.problem(healthIssue.replace(/\.?$/, ".")) },
    { id: "tray", text: desktop?.trayProblem && words.panel.asWindow(desktop.trayProblem) },
    { id: "notifications", text: desktop?.notificationProblem },
    { id: "keychain", text: desktop?.keychainProblem },
  ] as const;
  return all.flatMap(({ id, text }) => (text === undefined ? [] : [{ id, text }]));
}

/** Shortens a notice to its first sentence, without marks of what is typed. */
export function firstSentence(text: string): string {
  return (
    text
      .replaceAll("`", "")
      .split(/(?<=[.;])\s|\s\(/)[0]
      ?.replace(/[.;]$/, "") ?? text
  );
}
