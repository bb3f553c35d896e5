import { formatNumber, plural } from "../../../core/phrases.ts";
import { sentence } from "../../ui/sentence.ts";

/** Header, footer and the menus in them. */
export const frame = {
  footer: {
    connected: "Connected",
    connecting: "Connecting…",
    reconnecting: "Reconnecting…",
    agents: (count: number) => plural(count, { one: "1 agent", other: (n) => `${n} agents` }),
    nextWaiting: "Go to the next one",
    allWaiting: "Show them in the inbox",
    waiting: (count: number) => plural(count, { one: "1 waits for you", other: (n) => `${n} wait for you` }),
    you: (name: string, id: number) => `You are ${name}. For the command line: --client ${id}`,
    commands: "Commands",
    typesIntoAll: "Typing into every shell on show",
    /** The same where there is little room. */
    intoAll: "Into all",
    stop: "Stop",
    layout: "Layout",
    followHint: (name: string) => `Your screen shows what ${name} has on screen`,
    follow: (name: string) => `Follow ${name}`,
    ownHint: "You arrange the tiles on your screen yourself",
    own: "My own",
    costHint: "At list prices, all sessions",
    costHintOver: (budget: string) => `At list prices, all sessions; the budget is ${budget}`,
    costToday: (amount: string) => `today ${amount}`,
  },
  header: {
    chat: "Chat",
    chatNew: (count: number) => `Chat, ${formatNumber(count)} new`,
    inviteHint: "Invite others to this session",
    invite: "Invite",
    drawer: "Inbox and sessions",
    drawerWaits: (count: number) =>
      plural(count, {
        one: "Inbox and sessions, 1 waits for you",
        other: (n) => `Inbox and sessions, ${n} wait for you`,
      }),
    commands: "Commands",
    commandsHint: "Show all commands",
  },
  drawer: {
    title: "Inbox and sessions",
    pin: "Pin beside the tiles",
    unpin: "Unpin",
    close: "Close the inbox",
  },
  keyRow: {
    title: "Terminal keys",
    sticky: (key: string) => `${key} for the next key`,
    paste: "Paste",
  },
  people: {
    count: (count: number) => plural(count, { one: "1 person is here", other: (n) => `${n} people are here` }),
    you: "(you)",
    guest: "guest",
    menuOf: (name: string) => `Menu of ${name}`,
    menu: "Menu",
    port: (port: number) => `port ${port}`,
    /** What stands after a person's device. */
    at: (device: string, place: string) => `${device} · in ${place}`,
    idle: (device: string, time: string) => `${device} · idle for ${time}`,
    atIdle: (device: string, place: string, time: string) => `${device} · in ${place} · idle for ${time}`,
  },
  question: {
    cancel: "Cancel",
  },
  sessionMenu: {
    title: "Menu",
    titleOf: (name: string) => `Menu of the session ${name}`,
    places: "Go to…",
    commands: "Commands…",
    questions: "Questions and requests",
    chat: "Chat",
    terminalSettings: "Terminal settings…",
    shortcuts: "Keyboard shortcuts…",
    docs: "API documentation",
    install: "Install as an app…",
    sessionOf: (name: string, owner: string) => `${name} · session of ${owner}`,
    invite: "Invite…",
    waiting: (count: number) => plural(count, { one: "1 waits", other: (n) => `${n} wait` }),
    sessionName: "Name of the new session",
    newSession: "New session…",
    costs: "Agents and costs",
    people: "People",
    activity: "Activity",
    settings: "Settings",
    welcome: "Welcome to Patchbay",
  },
  tabs: {
    title: "Workspaces",
    newName: (title: string) => `New name of ${title}`,
    somethingWaits: ", something waits for you",
    newWorkspace: "New workspace",
    all: "All workspaces",
    waits: "waits for you",
    ownWindow: ", in a window of its own",
    moveBack: "Move back",
    moveBackHint: "Move the tiles of this window back to where they were",
    tiles: (count: number) => plural(count, { one: "1 tile", other: (n) => `${n} tiles` }),
  },
};

/** Arrangements by picture. */
export const layouts = {
  title: "Arrange the tiles",
  grid: "Grid",
  columns: "Side by side",
  rows: "One above the other",
  "main-left": "Focused tile on the left",
  "main-top": "Focused tile at the top",
  /** Shells of an empty workspace. */
  start: (count: number) => plural(count, { one: "1 shell", other: (n) => `${n} shells` }),
  startSideBySide: "2 shells side by side",
  startStacked: "2 shells, one above the other",
  startTitle: "Start with a grid of shells",
};

/** All workspaces at a glance. */
export const overview = {
  title: "All workspaces",
  workspace: (name: string, tiles: number, waits: number) =>
    `${name}, ${plural(tiles, { one: "1 tile", other: (n) => `${n} tiles` })}${waits === 0 ? "" : `, ${formatNumber(waits)} waiting for you`}`,
  waits: (count: number) => plural(count, { one: "1 waits for you", other: (n) => `${n} wait for you` }),
};

/** The chat. */
export const chat = {
  title: "Chat",
  close: "Close the chat",
  messages: "Messages",
  empty: "No messages yet. Everyone in the session sees what you write.",
  guest: "guest",
  message: "Message",
  hint: "Write to everyone here",
  readOnly: "You can watch here. Ask to type to write, too.",
};

/** What tiles, shells and agents are called. */
export const view = {
  title: (name: string) => `${name} - Patchbay`,
  /** A session of another machine. */
  titleOfTile: (tile: string, session: string) => `${tile} · ${session}`,
  onMachine: (session: string, machine: string) => `${session} on ${machine}`,
  someoneElse: "someone else",
  shell: (id: number) => `Shell ${id}`,
  workspace: (name: string) => `Workspace ${name}`,
  endedBy: (signal: string) => `ended by ${signal}`,
  endedWith: (exitCode: number) => `ended, exit code ${exitCode}`,
  ended: "ended",
  loading: "Loading…",
  offline: "The connection is lost. The content stays visible; you can type again once it is restored.",
  offlineBecause: (reason: string) =>
    `The connection is lost. ${reason} The content stays visible; you can type again once it is restored.`,
  backWhole: (time: string) => `Back after ${time}, nothing lost.`,
  back: (time: string) => `Back after ${time}.`,
  backSkipped: (time: string) => `Back after ${time}. Terminals that skipped output say how much.`,
  agent: {
    working: (agent: string) => `${agent} · working`,
    workingFor: (agent: string, time: string) => `${agent} · working ${time}`,
    waits: "waits for you",
    waitsFor: (time: string) => `waits for you · ${time}`,
    failed: (agent: string) => `${agent} · failed`,
    failedAgo: (agent: string, time: string) => `${agent} · failed ${time} ago`,
    paused: (agent: string) => `${agent} · paused`,
    idle: (agent: string) => `${agent} · idle`,
    unknown: (agent: string) => `${agent} · state unknown`,
    ended: (agent: string) => `${agent} · ended`,
  },
  port: (port: number) => `Port ${port}`,
  history: (shell: string) => `History of ${shell}`,
  browser: "Browser",
  plugin: "Plugin",
};

/** Messages in the corner. */
export const toasts = {
  give: (name: string) => `Give ${name} the shell`,
  left: (time: string) => `${time} left`,
  takeOver: (name: string, shell: string) => `${name} asks to take over the shell “${shell}”.`,
  askToType: (name: string) => `${name} asks to type in this session.`,
  guestAsksToType: (name: string) => `${name} (guest) asks to type in this session.`,
  finished: (program: string, time: string, shell: string) => `“${program}” finished after ${time} in “${shell}”.`,
  failed: (program: string, code: number, time: string, shell: string) =>
    `“${program}” failed with exit code ${code} after ${time} in “${shell}”.`,
  says: (name: string, text: string) => `“${name}” says: ${text}`,
  leftOut: (count: number) =>
    plural(count, { one: "1 message before it was left out.", other: (n) => `${n} messages before it were left out.` }),
  goTo: "Go to",
  owner: "the owner",
  askedOwner: (owner: string, name: string, seconds: number) =>
    `You asked ${owner} for “${name}”, who has ${seconds} s to answer.`,
  agreed: (name: string, owner: string) => `“${name}” is yours now: ${owner} agreed.`,
  refused: (name: string, owner: string) => `“${name}” stays with ${owner}, who said no.`,
  unanswered: (name: string, owner: string) => `“${name}” stays with ${owner}, who did not answer. You can ask again.`,
  roles: {
    admin: "You are an admin of this session now: you can type in every shell.",
    writer: "You can type now: open a shell, or ask for one that another person has.",
    reader: "You can only watch in this session now.",
  },
  withdrawn: "Your request to type was withdrawn while you were not connected. You can ask again.",
  notNow: "The host did not let you type for now. You can ask again in 5 min.",
  noAnswer: "No one answered your request to type. You can ask again.",
  letType: (name: string) => `Let ${name} type`,
  later: "Not now",
  kinds: {
    info: "Info",
    success: "Done",
    error: "Error",
  },
  title: "Messages",
  dismiss: "Dismiss",
};

/** The first steps. */
export const welcome = {
  intro:
    "This is your own shell, in a tile. You, your scripts, AI agents and people whom you invite can see and use the same live shells. Nothing leaves this computer unless you say so.",
  /** Where the desktop has the app's icon. */
  iconPlaces: { "menu bar": "menu bar", "notification area": "notification area", tray: "tray" },
  goesOn: (place: string) =>
    `Closing this window ends nothing: Patchbay goes on, and its icon in the ${place} opens the panel.`,
  goesOnWithout: "Closing this window ends nothing; start Patchbay again to see it.",
  commandLine: {
    added: "Added. New terminals find the command line.",
    copied: "The line is on the clipboard.",
    notCopied: "The line could not be copied; select it instead.",
    about: sentence(
      "Scripts and agents control a session with {service}. In Patchbay's own shells it works already; try {example}.",
    ),
    addTo: (file: string) => `Add to ${file}`,
    copy: "Copy",
    key: "Its key is in your keychain.",
    keyLater: (problem: string) => `${problem} Until then, a terminal gets a key by \`patchbay login\`.`,
    connected: "It is connected: new terminals find it.",
    fullPath: "On this system, terminals outside Patchbay start it by its full path.",
    /** Where the line stands that the step shows, and what it does. */
    fileAdds: "Other terminals have it as “patchbay func”. In the start file of your shell, this line adds “service”.",
    lineAdds: "Other terminals have it as “patchbay func”. This line adds “service”.",
    fileConnects: "In the start file of your shell, this line makes it work in every other terminal.",
    lineConnects: "This line makes it work in every other terminal.",
  },
  history: {
    about: "Patchbay can keep what shells print on disk, so that you can read and search it after a restart.",
    kept: "It keeps 30 days, 2 GB at most, encrypted with a key in your keychain. Without a decision nothing is recorded.",
    record: "Record",
    keepOff: "Do not record",
    unencrypted: "Record without encryption",
    recorded: "It is recorded from now on.",
    notRecorded: "Nothing is recorded.",
    later: "`service history on` and `service history off` change it.",
  },
  notifications: {
    switch: "Notify me of agents",
    hint: "When one waits for you, has finished, or has failed.",
    show: "Show one now",
    start: "Start Patchbay when I log in",
    startHint: (place: string) => `It starts in the ${place}, without a window.`,
    later: "The settings in the panel change both. The session's menu shows this welcome again.",
    native: "Your desktop has shown it.",
    asMessage: "Your desktop shows no notifications, so Patchbay has shown it as a message.",
    notShown: "It was not shown: messages are off or paused, or this one was just shown.",
  },
  /** What the shortcuts to begin with are called here. */
  keys: {
    commands: "All commands",
    leave: "From the shell to this panel",
  },
  stepOf: (step: number, count: number) => `Step ${step} of ${count}`,
  steps: {
    first: "Welcome to Patchbay",
    commandLine: "Connect the command line",
    history: "Keep what shells print",
    notifications: "Notifications and start",
  },
  skip: "Skip",
  back: "Back",
  done: "Done",
  next: "Next",
};
