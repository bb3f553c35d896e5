import { plural } from "../../../core/phrases.ts";

/** Links that let browsers into a session. */
export const invite = {
  button: "Invite",
  title: (session: string) => `Invite to ${session}`,
  role: "What the guest may do",
  roles: { reader: "Can watch", writer: "Can type" },
  rights: {
    reader: "Sees every shell and types nothing. You can change it later.",
    writer: "Sees every shell, opens shells, and asks to type in those of others.",
  },
  notReachable: "Others cannot reach this machine yet.",
  localOnly: "The link works in browsers on this machine only.",
  letIn: "Let other machines in…",
  reach: "Reaches",
  forOthers: (address: string) => `other machines, at ${address}`,
  forHere: (address: string) => `this machine only, at ${address}`,
  browsers: "Lets in",
  uses: (count: number) => plural(count, { one: "1 browser", other: (n) => `${n} browsers` }),
  usesLeft: (count: number) => plural(count, { one: "for 1 browser", other: (n) => `for ${n} browsers` }),
  lifetime: "Ends after",
  copy: "Copy link",
  copyLocal: "Copy local link",
  again: "Copied. Copy another",
  show: "Show code",
  code: (session: string) => `Code of a link to ${session}`,
  copied: (time: string) => `The link is on the clipboard. It ends ${time}.`,
  shown: (time: string) => `Scan it with a phone. The link ends ${time}.`,
  open: "Open invites",
  noneOpen: "A link is listed here until it is used up or ends.",
  revoke: "Revoke",
  revokeOf: (role: string, time: string) => `Revoke the invite that ${role}, until ${time}`,
};
