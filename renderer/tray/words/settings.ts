import { plural } from "../../../core/phrases.ts";
import { settingWords } from "../../../core/protocol/setting-words.ts";
import { sentence } from "../../ui/sentence.ts";

/** The settings. */
export const settings = {
  sections: "Sections of the settings",
  names: {
    ...settingWords.sections,
    shortcuts: "Shortcuts",
    keys: "People and keys",
    webhooks: "Webhooks",
    machines: "Machines and fleet",
    health: "Health",
    about: "About",
  },
  /** What people also call a section, for the search. */
  keywords: {
    general: "start relay address port network data folder",
    appearance: "theme dark light colours contrast",
    terminal: "font size cursor bell scrollback",
    shortcuts: "keyboard keys bindings hotkeys",
    notifications: "quiet mute pause sound",
    agents: "costs limits spending policies rules allow",
    keys: "token API revoke rights people guests invites role",
    webhooks: "ntfy slack discord json send receiver deliveries dead letters",
    machines: "broker remote keychain join leave",
    health: "doctor problem keychain tray",
    about: "version licences quit",
  },
  find: "Search settings",
  results: "Settings that match",
  nothing: (text: string) => `No setting matches “${text}”.`,
  back: "Back to the sections",
  own: "Patchbay",
  budgets: sentence("These budgets warn. {command} sets those that hold automated input."),
  data: "Data",
  showData: "Show the data folder",
  showLicences: "Show the licences",
  about: (version: string) => `Patchbay ${version}, MIT licence`,
  quit: "Quit Patchbay",
};

/** The address of the relay. */
export const relay = {
  title: "Relay",
  address: "Address",
  external: "From other machines",
  needsRestart: "This needs a restart. Shells keep running.",
  restart: "Restart now",
  started: sentence("This run was started with {option}, which overrides the setting."),
  startedWithBoth: sentence("This run was started with {port} and {listen}, which override the settings."),
};

/** The fleet. */
export const fleet = {
  title: "Fleet",
  about: "Connects this machine with others through a broker, so that each shows and controls the sessions of all.",
  join: "Join a fleet",
  broker: "Address of the broker",
  brokerHint: "nats://broker.example.org:4222",
  noCredentials: "No credentials chosen",
  chooseCredentials: "Choose credentials",
  joining: "Joining…",
  joinIt: "Join",
  machines: "Machines of the fleet",
  leave: "Leave the fleet",
  leaveQuestion: "Leave the fleet?",
  leaveBody:
    "Other machines no longer reach the sessions of this one, nor this one theirs. What is open through the fleet ends.",
  leaveIt: "Leave",
  thisMachine: "(this machine)",
  states: { off: "not joined", connecting: "connecting", joined: "joined", disconnected: "disconnected" },
  at: (broker: string) => `At ${broker}`,
  as: (name: string, owner: string, broker: string) => `As ${name} in the fleet of ${owner}, at ${broker}`,
  conflicts: (sessions: number) =>
    plural(sessions, {
      one: "1 session of this machine is served by another one too.",
      other: (n) => `${n} sessions of this machine are served by another one too.`,
    }),
  present: "present",
};

/** API keys. */
export const keys = {
  lifetimes: {
    revoked: "until revoked",
    day: "1 day",
    month: "30 days",
    year: "1 year",
  },
  newKey: "New key",
  name: "Name of the new key",
  mayLabel: "It may",
  mayAll: "do all that you may",
  mayRead: "only read",
  secretsLabel: "Secrets in output",
  secretsShown: "shown",
  secretsHidden: "hidden",
  goodLabel: "It is good",
  create: "Create",
  cancel: "Cancel",
  title: "Keys",
  none: "No program has a key.",
  revoke: (name: string) => `Revoke ${name}`,
  revokeIt: "Revoke",
  keychain: "The command line's own key is stored in this desktop's keychain.",
  noKeychain: "The keychain is unavailable, so the command line's own key stays in memory until Patchbay quits.",
  revokeQuestion: (name: string) => `Revoke “${name}”?`,
  revokeBody:
    "Programs that use this key lose access immediately, and so does all that was made with it: keys, invites and their guests.",
  revokeKey: "Revoke key",
  neverUsed: "never used",
  lastUsed: (time: string) => `last used ${time}`,
  copied: "The key is on the clipboard for 60 s.",
  theNewKey: "The new key",
  copyNow: "This is shown once. Copy it now.",
  copy: "Copy for 60 s",
  done: "Done",
  expired: (time: string) => `expired ${time}`,
  until: (time: string) => `until ${time}`,
};
