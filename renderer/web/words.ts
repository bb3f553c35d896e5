import { spoken } from "../ui/language.ts";
import { sentence } from "../ui/sentence.ts";

/** The texts of the browser page around a session. */
export const words = {
  door: {
    rights: {
      admin: "You can type in its shells and manage it.",
      writer: "You can watch its shells, open your own and ask to type in others.",
      reader: "You can watch its shells.",
    },
    wait: "Waiting for the session’s relay",
    waitReason: (reason: string) => `${reason} The session opens here as soon as it answers.`,
    noAccess: "No access to this session",
    invited: sentence("{owner} invites you to this terminal session. {rights}"),
    joinNamed: (session: string) => `Join “${session}”`,
    name: "Your name (optional)",
    nameHint: "Others see it, marked as a guest’s.",
    join: "Join the session",
    key: "Or open it with an API key",
    keyHint: "Of the relay that serves the session, with all rights. It is kept until this tab is closed.",
    open: "Open the session",
  },
  access: {
    noInvite: "This browser has no access to the session. Ask the session's owner for an invite link and open it.",
    unreachable: "The relay cannot be reached. Check the network and try again.",
    noLonger: "You no longer have access to this session. Ask its owner for a new invite link.",
    noTunnels: "Tunnels open in a browser that joined by an invite link, and in the app.",
    away: (relay: string) => `The relay ${relay} is away.`,
    noPage: "The page that has opened this window is loading.",
    noRelay: "The relay cannot be reached.",
  },
  following: {
    again: "Follow again",
    left: (name: string) => `This layout is your own now: you no longer follow ${name}.`,
  },
  notifications: {
    allow: "Allow notifications",
  },
};

spoken(words, {
  de: () => import("./words.de.ts").then((german) => german.words),
  ja: () => import("./words.ja.ts").then((japanese) => japanese.words),
});
