import { plural } from "../../../core/phrases.ts";
import { sentence } from "../../ui/sentence.ts";

/** What each role may do. */
const rights = {
  reader: "Sees every shell and types nothing.",
  writer: "Sees every shell, opens shells, and asks to type in those of others.",
  admin: "Types in every shell, takes over and closes those of others, and allows agents and plugins.",
};

/** Links that let browsers into a session. */
export const invite = {
  button: "Invite",
  title: (session: string) => `Invite to ${session}`,
  session: "Session",
  role: "Whom the link lets in",
  roles: { reader: "Can watch", writer: "Can type", owner: "Me" },
  rights,
  about: {
    reader: `${rights.reader} You can change it later.`,
    writer: rights.writer,
    owner: "A phone or another computer of yours: it may do all that you may. Once, within ten minutes.",
  },
  notReachable: "Others cannot reach this machine yet.",
  localOnly: "The link works in browsers on this machine only.",
  letIn: "Let other machines in…",
  way: sentence(
    "To let others in, start the relay with {command}; in the app, choose that in the settings under General.",
  ),
  reach: "Reaches",
  reaches: {
    here: (host: string) => `this machine only, at ${host}`,
    network: (host: string) => `the same network, at ${host}`,
    vpn: (host: string) => `the same VPN, at ${host}`,
    internet: (host: string) => `the internet, at ${host}`,
    name: (host: string) => `all who find ${host}`,
  },
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
  notCopied: (time: string) => `The browser did not copy the link. Copy it from the field. It ends ${time}.`,
  link: "The link",
  share: "Share",
  shown: (time: string) => `Scan it with a phone. The link ends ${time}.`,
  open: "Open invites",
  noneOpen: "A link is listed here until it is used up or ends.",
  revoke: "Revoke",
  revokeOf: (role: string, time: string) => `Revoke the invite that ${role}, until ${time}`,
};
