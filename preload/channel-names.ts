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
  "panel.create": "ask",
  "panel.rename": "ask",
  "panel.close": "ask",
  "panel.invite": "ask",
  "panel.changeRole": "ask",
  "panel.disconnect": "ask",
  "panel.answerAdopt": "ask",
  "panel.answerLogin": "ask",
  "panel.audit": "ask",
  "panel.notices": "ask",
  "panel.usage": "ask",
  "panel.exportUsage": "ask",
  "panel.setBudgets": "ask",
  "panel.keys": "ask",
  "panel.createKey": "ask",
  "panel.revokeKey": "ask",
  "panel.copySecret": "ask",
  "panel.set": "ask",
  "panel.pause": "ask",
  "panel.showData": "ask",
  "panel.showLicences": "ask",
  "toast.start": "tell",
  "toast.open": "tell",
  "toast.dismiss": "tell",
  "login.start": "tell",
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
