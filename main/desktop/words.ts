import { formatNumber, plural } from "../../core/phrases.ts";

const sessions = (count: number) => plural(count, { one: "1 session", other: (n) => `${n} sessions` });
const shells = (count: number) => plural(count, { one: "1 shell", other: (n) => `${n} shells` });

/** The texts of the desktop app outside its pages: the tray's menu, notifications, dialogs and titles of windows. */
export const words = {
  tray: {
    /** Describes the icon for users who cannot see it. */
    status: (sessionCount: number, shellCount: number) => `Patchbay: ${sessions(sessionCount)}, ${shells(shellCount)}`,
    statusWaiting: (waiting: number, sessionCount: number, shellCount: number) =>
      `Patchbay: ${formatNumber(waiting)} waiting for you, ${sessions(sessionCount)}, ${shells(shellCount)}`,
    login: (program: string) => `${program} asks to be let in`,
    trouble: (problem: string) => `Trouble: ${problem}`,
    costToday: (cost: string) => `${cost} today at list prices`,
    overBudget: (over: string) => `${over} over today's budget`,
    noSession: "No session is open",
    showPanel: "Show panel",
    settings: "Settings…",
    pause: "Pause notifications",
    welcome: "Welcome to Patchbay",
    quit: "Quit Patchbay",
    waits: (agent: string, session: string) => `${agent} waits for you in ${session}`,
    session: (name: string, shellCount: number) => `${name} (${shells(shellCount)})`,
    sessionWaiting: (name: string, waiting: number, shellCount: number) =>
      `${name} (${formatNumber(waiting)} waiting, ${shells(shellCount)})`,
    open: "Open",
    copyId: "Copy id",
  },
  windows: {
    settings: "Settings - Patchbay",
    title: (session: string) => `${session} - Patchbay`,
    titleOn: (session: string, machine: string) => `${session} on ${machine} - Patchbay`,
    titleOfTile: (tile: string, window: string) => `${tile} - ${window}`,
    history: (shell: string) => `History of ${shell}`,
    shell: (id: number) => `Shell ${id}`,
    noKey: (machine: string) => `No key for ${machine} is kept on this machine.`,
    otherKey: "Another key is wanted.",
    keyDeleted: (machine: string) => `The key for ${machine} was deleted.`,
    noMachine: (machine: string) => `${machine} is none of your machines any more.`,
  },
  quit: {
    title: "Quit Patchbay",
    question: "Quit Patchbay?",
    detail: (shellCount: number) =>
      plural(shellCount, {
        one: "There is 1 running shell. Quitting can end it, or leave it running: then it is there again at the next start.",
        other: (n) =>
          `There are ${n} running shells. Quitting can end them, or leave them running: then they are there again at the next start.`,
      }),
    end: "Quit and End Shells",
    keep: "Quit and Keep Shells",
    cancel: "Cancel",
  },
  update: {
    title: "Update",
    found: (version: string) => `Patchbay ${version} is there.`,
    noNotes: "It comes without release notes.",
    download: "Download",
    later: "Later",
    failed: (version: string) => `Patchbay ${version} could not be downloaded`,
    failedWhy: (why: string) => `${why}\nThis version goes on. Patchbay looks for a newer one again tomorrow.`,
    ready: (version: string) => `Patchbay ${version} is ready.`,
    restarts: "Patchbay starts again with it. The shells go on meanwhile.",
    restart: "Restart",
  },
  dialogs: {
    exportTable: "Export",
    csv: "Comma-separated values",
    chooseCredentials: "Choose this machine's credentials of the fleet",
    credentials: "Credentials",
    allFiles: "All files",
  },
  notices: {
    /** What a notification says where it is shown as a message of one line. */
    inOneLine: (title: string, body: string) => `${title}: ${body}`,
    session: (name: string) => `Session ${name}`,
    works: "Notifications work",
    worksDetail: "Patchbay tells you here when an agent waits.",
    notUsed: "Your answer was not used",
    mute: "Mute this agent",
    more: (count: number) => plural(count, { one: "1 more notification", other: (n) => `${n} more notifications` }),
    tooFast: "They came faster than they can be read.",
    reachable: "Other machines can reach Patchbay",
    reachableAt: (address: string) =>
      `At ${address}, with an API key or an invite link. To serve this machine alone, change that in the panel's settings, or start without --listen.`,
    login: "A program asks to be let in",
    loginCode: (program: string, code: string) => `${program}\nCode ${code}`,
    asksToType: (name: string) => `${name} asks to type`,
    guestAsksToType: (name: string) => `${name} (guest) asks to type`,
    answerTyping: "Answer in the session's window, or in the panel.",
  },
  agents: {
    waits: (agent: string) => `${agent} waits for you`,
    ended: (agent: string) => `${agent} ended`,
    program: "A program",
    asks: (agent: string, title: string) => `${agent} asks: ${title}`,
    asksYou: (agent: string) => `${agent} asks you`,
    failed: (agent: string) => `${agent} failed`,
    finished: (agent: string) => `${agent} finished`,
    highRisk: (reasons: string) => `High risk: ${reasons}`,
    where: (shell: string) => `In ${shell}`,
  },
  budgets: {
    /** What a budget is called. */
    names: {
      day: "Today's budget",
      model: (model: string) => `Today's budget of ${model}`,
      session: (session: string) => `The budget of ${session}`,
      shell: (shell: string, session: string) => `The budget of shell ${shell} in ${session}`,
      agent: (session: string) => `The budget of agent session ${session}`,
      window: (window: string) => `The window ${window}`,
    },
    limitReached: (window: string) => `${window} has reached its limit`,
    limitNear: (window: string) => `${window} has nearly reached its limit`,
    limit: (used: number, limit: number) => `${used}% are used, and the limit is ${limit}%.`,
    spent: (budget: string) => `${budget} is spent`,
    partlySpent: (budget: string, percent: number) => `${budget}: ${percent}% spent`,
    cost: (spent: string, limit: string) => `${spent} of ${limit} at list prices.`,
    approximate: (part: string) => `About ${part} of it was priced as a similar model.`,
    unpriced: "Calls of models without a price are not in it; a budget in tokens counts them.",
    tokens: (spent: string, limit: string) => `${spent} of ${limit} tokens.`,
  },
};
