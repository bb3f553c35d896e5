/**
 * What a page may call by name: an `ask` is answered, a `tell` goes one way (keys, acknowledgements). Apart from
 * `channels.ts`, so that the preload script carries no validator.
 */
export const invokeNames = {
  "session.start": "tell",
  "session.execute": "ask",
  "session.listen": "tell",
  "session.unlisten": "tell",
  "session.acknowledge": "tell",
  "session.write": "tell",
  "session.resize": "tell",
  "session.viewport": "tell",
  "session.address": "ask",
  "panel.start": "tell",
  "panel.open": "tell",
  "panel.copy": "ask",
  "panel.quit": "tell",
  "panel.run": "ask",
  "panel.invite": "ask",
  "panel.answerAdopt": "ask",
  "panel.restrictShells": "ask",
  "panel.answerAgent": "ask",
  "panel.forgetAgent": "ask",
  "panel.usage": "ask",
  "panel.exportUsage": "ask",
  "panel.copySecret": "ask",
  "panel.set": "ask",
  "panel.setRelay": "ask",
  "panel.restart": "tell",
  "panel.pause": "ask",
  "panel.mute": "ask",
  "panel.hide": "tell",
  "panel.showData": "ask",
  "panel.showLicences": "ask",
  "toast.start": "tell",
  "toast.open": "tell",
  "toast.hold": "tell",
  "toast.dismiss": "tell",
  "login.start": "tell",
  "login.size": "tell",
  "login.answer": "ask",
  "outside.open": "tell",
} as const satisfies Record<string, "ask" | "tell">;
export type InvokeName = keyof typeof invokeNames;

/** What the main process may send to a page. */
export const onNames = [
  "session.changed",
  "session.bytes",
  "session.missed",
  "session.toast",
  "session.event",
  "panel.changed",
  "panel.tab",
  "toast.changed",
  "login.changed",
] as const satisfies readonly string[];
export type OnName = (typeof onNames)[number];
