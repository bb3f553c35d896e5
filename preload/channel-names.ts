/**
 * The channels that a page can call: a `request` returns a result, a `send` is one-way (keys, acknowledgements). Separate
 * from `channels.ts`, so that the preload script contains no validator.
 */
export const invokeNames = {
  "session.start": "send",
  "session.execute": "request",
  "session.listen": "send",
  "session.unlisten": "send",
  "session.acknowledge": "send",
  "session.write": "send",
  "session.resize": "send",
  "session.viewport": "send",
  "session.address": "request",
  "panel.start": "send",
  "panel.open": "send",
  "panel.copy": "request",
  "panel.quit": "send",
  "panel.run": "request",
  "panel.invite": "request",
  "panel.answerAdopt": "request",
  "panel.restrictShells": "request",
  "panel.answerAgent": "request",
  "panel.forgetAgent": "request",
  "panel.remotes": "request",
  "panel.usage": "request",
  "panel.exportUsage": "request",
  "panel.copySecret": "request",
  "panel.set": "request",
  "panel.setRelay": "request",
  "panel.restart": "send",
  "panel.pause": "request",
  "panel.mute": "request",
  "panel.hide": "send",
  "panel.showData": "request",
  "panel.showLicences": "request",
  "toast.start": "send",
  "toast.open": "send",
  "toast.hold": "send",
  "toast.dismiss": "send",
  "login.start": "send",
  "login.size": "send",
  "login.answer": "request",
  "outside.open": "send",
} as const satisfies Record<string, "request" | "send">;
export type InvokeName = keyof typeof invokeNames;

/** The channels on which the main process sends messages to a page. */
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
