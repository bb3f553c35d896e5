import { plural } from "../../../core/phrases.ts";
import { sentence } from "../../ui/sentence.ts";

/** The panel itself. */
export const panel = {
  cancel: "Cancel",
  tabs: {
    now: "Now",
    sessions: "Sessions",
    agents: "Agents",
    activity: "Activity",
    settings: "Settings",
  },
  parts: "Places of the panel",
  back: "Back to Now",
  problem: (problem: string) => `Problem in the relay: ${problem} See the log in the data folder for details.`,
  asWindow: (problem: string) => `${problem} This panel is a window instead; start Patchbay again to reopen it.`,
  resume: "Resume notifications",
  pause: "Pause notifications",
  /** What the number beside Now counts. */
  badge: (count: number) => plural(count, { one: "waits for you", other: "wait for you" }),
};

/** The sessions. */
export const sessions = {
  basis: "US dollars at list prices, since midnight",
  costToday: (cost: string) => `${cost} today`,
  newSession: "New session",
  newName: "Name of the new session",
  create: "Create",
  search: "Search the sessions",
  searchHint: "Search by name",
  noMatch: (search: string) => `No session matches “${search}”.`,
  none: "No session is open. Create one to run shells in it and invite others.",
  newNameOf: (name: string) => `New name of ${name}`,
  rename: "Rename",
  openIt: (name: string) => `Open ${name}`,
  open: "Open",
  agentsIn: (name: string) => `Agents in ${name}`,
  closeQuestion: (name: string) => `Close “${name}”?`,
  close: "Close session",
  idCopied: "The id is on the clipboard.",
  curlCopied: "The curl line is on the clipboard; it reads SERVICE_TOKEN.",
  copyId: "Copy id",
  copyCurl: "Copy a curl line",
  lift: "Lift the restriction of shells",
  restrict: "Restrict shells",
  more: "More",
  moreFor: (name: string) => `More for ${name}`,
  restrictions: {
    restricted: "Its shells are restricted: each may change only itself.",
    allowed: (name: string) => `Agents that always control ${name}`,
    controls: (agent: string, folder: string) => `${agent} in ${folder} always controls it`,
    forget: (agent: string, folder: string) => `Forget ${agent} in ${folder}`,
    forgetIt: "Forget",
  },
  count: {
    one: sentence("{count} session"),
    other: sentence("{count} sessions"),
  },
  sessions: (count: number) => plural(count, { one: "1 session", other: (n) => `${n} sessions` }),
  shells: (count: number) => plural(count, { one: "1 shell", other: (n) => `${n} shells` }),
  waiting: (count: number) => plural(count, { one: "1 waits for you", other: (n) => `${n} wait for you` }),
  /** What closing a session deletes. */
  closing: {
    noShell: "It runs no shell. Its chat and its list of shells are deleted.",
    ends: (what: string) => `Closing ends ${what}. Its chat and its list of shells are deleted.`,
    shells: (count: number) => plural(count, { one: "1 running shell", other: (n) => `${n} running shells` }),
    shellsWith: (shells: string, agents: string) => `${shells} with ${agents}`,
    others: (count: number) =>
      plural(count, {
        one: "the connection of 1 other person",
        other: (n) => `the connections of ${n} other people`,
      }),
  },
};

/** What shells cost the machine, and what ended agents left running. */
export const machineUse = {
  of: (session: string) => `Use of the machine by ${session}`,
  cpu: (percent: string) => `${percent} processor`,
  processes: (count: number) => plural(count, { one: "1 process", other: (n) => `${n} processes` }),
  basis: "100% is one processor; memory that processes share counts for each of them",
  shell: "Shell",
  processor: "Processor",
  memory: "Memory",
  count: "Processes",
  left: (count: number) =>
    plural(count, {
      one: "1 process left running by an ended agent",
      other: (n) => `${n} processes left running by ended agents`,
    }),
  leftIn: (session: string) => `Left running in ${session}`,
  leftBy: (agent: string, time: string) => `${agent}, ended ${time}`,
  more: (count: number) => plural(count, { one: "and 1 more", other: (n) => `and ${n} more` }),
  endThem: "End them",
  endAll: (session: string) => `End all processes left running in ${session}`,
  end: "End",
  endOne: (process: string, pid: string) => `End ${process} (${pid})`,
  question: (count: number) => plural(count, { one: "End 1 process?", other: (n) => `End ${n} processes?` }),
  others: (count: number) => plural(count, { one: "1 more", other: (n) => `${n} more` }),
  body: (names: string) =>
    `${names}: work that is not saved in them is lost. A process that is still running after 3 s is killed.`,
  ended: (count: number) => plural(count, { one: "1 process ended.", other: (n) => `${n} processes ended.` }),
};

/** People, guests and logins. */
export const people = {
  title: "People",
  peopleIn: (session: string) => `People in ${session}`,
  alone: "No one else is here.",
  thisApp: "this app",
  guest: "guest",
  app: "App",
  browser: "Browser",
  since: (time: string) => `Since ${time}`,
  disconnect: {
    label: (name: string) => `Disconnect ${name}`,
    question: (name: string) => `Disconnect ${name}?`,
    body: "A guest needs a new invite to reconnect. A program with a key can reconnect until the key is revoked. Shells keep running.",
    action: "Disconnect",
  },
  lastSeen: (time: string) => `Away, last seen ${time}`,
  watches: (shell: string, device: string) => `Watches ${shell} · ${device}`,
  types: (shell: string, device: string) => `Types in ${shell} · ${device}`,
  remove: {
    label: (name: string) => `Remove ${name}`,
    question: (name: string) => `Remove ${name}?`,
    body: "The guest needs a new invite to come back. Shells keep running.",
    action: "Remove",
  },
  role: "Role",
  roleOf: (name: string, role: string) => `Role of ${name}: ${role}`,
  count: (people: number) => plural(people, { one: "1 person", other: (n) => `${n} people` }),
};

/** Other machines. */
export const remotes = {
  noSession: "No session is open there.",
  sessionsOn: (machine: string) => `Sessions on ${machine}`,
  agentsIn: (session: string, machine: string) => `Agents in ${session} on ${machine}`,
  noAgent: "No agent runs there.",
  cost: (cost: string) => `${cost} by its running agents at list prices`,
  agentsOn: (machine: string) => `Agents on ${machine}`,
  machine: (machine: string) => `Machine ${machine}`,
  fleetMachine: (machine: string) => `Machine ${machine} of the fleet`,
  inFleet: "In the fleet",
  fleet: "fleet",
  remote: "remote",
  openIt: (session: string, machine: string) => `Open ${session} on ${machine}`,
  openShort: (session: string) => `Open ${session}`,
  notAsked: "It could not be asked.",
  noAnswer: "It does not answer.",
  noKeyYet: "To open a session, give a key of it once.",
  giveKey: {
    form: (machine: string) => `Key for ${machine}`,
    noKey: "No key is kept for it.",
    notValid: "The kept key is not valid any more.",
    label: (machine: string) => `API key of ${machine}`,
    /** Backticks mark what is typed. */
    hint: (machine: string) =>
      `\`patchbay keys create --name NAME\` on ${machine} makes one. It is kept in the keychain of the relay's machine.`,
    hintOpens: (machine: string, session: string) =>
      `\`patchbay keys create --name NAME\` on ${machine} makes one. It is kept in the keychain of this machine, and opens “${session}”.`,
    trying: "Trying the key…",
    use: "Use this key",
  },
  keys: {
    title: "Keys of other machines",
    about: "Kept in the keychain, to list and open the sessions of these machines.",
    refused: (via: string) => `${via}, refused there`,
    deleteOf: (machine: string) => `Delete the key of ${machine}`,
    delete: "Delete",
    question: (machine: string) => `Delete the key of ${machine}?`,
    body: (machine: string) =>
      `Windows with sessions of ${machine} close their connection. The key stays valid there until it is revoked there.`,
    deleteKey: "Delete key",
  },
  lastHeard: (time: string) => `Last heard of at ${time}`,
  awayFor: (time: string) => `away for ${time}`,
  otherCertificate: "another certificate",
  noRelay: "no relay",
  key: (state: string) => `key ${state}`,
  away: "away",
  states: { reachable: "reachable", away: "away" },
};
