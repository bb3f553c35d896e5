import { plural } from "../../../core/phrases.ts";
import { sentence } from "../../ui/sentence.ts";

/** What waits for the user. */
export const inbox = {
  title: "Waits for you",
  calm: "Nothing waits for you",
  calmHint: "Questions of the agents in your shells are answered here.",
  connect: sentence("Agents are answered here once they are connected: {command}"),
  /** A card's sentence, and its accessible name, by what is asked. */
  sentences: {
    command: {
      sentence: sentence("{agent} wants to run"),
      name: (agent: string, subject: string) => `${agent} wants to run: ${subject}`,
    },
    change: {
      sentence: sentence("{agent} wants to change a file"),
      name: (agent: string, subject: string) => `${agent} wants to change a file: ${subject}`,
    },
    use: {
      sentence: sentence("{agent} wants to use {tool}"),
      name: (agent: string, subject: string, tool: string) => `${agent} wants to use ${tool}: ${subject}`,
    },
    choice: {
      sentence: sentence("{agent} asks you to choose"),
      name: (agent: string, subject: string) => `${agent} asks you to choose: ${subject}`,
    },
    text: {
      sentence: sentence("{agent} asks"),
      name: (agent: string, subject: string) => `${agent} asks: ${subject}`,
    },
    plan: {
      sentence: sentence("{agent} has a plan"),
      name: (agent: string, subject: string) => `${agent} has a plan: ${subject}`,
    },
    login: {
      sentence: sentence("{agent} wants to log in"),
      name: (agent: string, subject: string) => `${agent} wants to log in: ${subject}`,
    },
    screen: {
      sentence: sentence("{agent} asks on its screen"),
      name: (agent: string, subject: string) => `${agent} asks on its screen: ${subject}`,
    },
    budget: {
      sentence: sentence("A budget of {agent} is reached"),
      name: (agent: string, subject: string) => `A budget of ${agent} is reached: ${subject}`,
    },
  },
  askedAt: (time: string) => `Asked at ${time}`,
  now: "now",
  left: (time: string) => `${time} left`,
  expires: "expires",
  changed: (added: number, removed: number) => `+${added} −${removed}`,
  inTerminal: "It can only be answered in its terminal.",
  whenBack: (machine: string) => `It can be answered when ${machine} can be asked again.`,
  showTerminalOf: (agent: string, session: string) => `Show the terminal of ${agent} in ${session}`,
  showTerminal: "Show terminal",
  lasts: (agent: string) =>
    `This holds for ${agent} beyond this question, until it is taken back where ${agent} keeps its rules.`,
  back: "Back",
  sending: "Sending the answer.",
  lost: (outcome: string) => `Your answer was not used. ${outcome}`,
  fromScreen: "This was read from the terminal's screen. Check the screen before you answer.",
  intoScreen: "The answer is typed into the dialog on the terminal's screen. Check the screen before you answer.",
};

/** Requests besides the questions of agents. */
export const requests = {
  notNow: "Not now",
  answered: (answer: string) => `You answered: ${answer}`,
  overtaken: "Answered elsewhere, or no longer asked.",
  login: {
    sentence: sentence("{name} wants to log in"),
    name: (name: string) => `${name} wants to log in`,
    from: (address: string) => `a program, from ${address}`,
    about: (time: string) =>
      `Allow it only if you started it and it shows this code, until ${time}: it gets a key with all of your rights.`,
    allow: (code: string) => `Allow the login ${code}`,
    allowIt: "Codes match, allow",
    deny: (code: string) => `Deny the login ${code}`,
    denyIt: "Deny",
  },
  adopt: {
    sentence: sentence("{name} asks for the shell {shell}"),
    name: (name: string, shell: string) => `${name} asks for the shell ${shell}`,
    about: "You keep watching, and can take it back.",
    give: (name: string) => `Give ${name} the shell`,
  },
  role: {
    sentence: sentence("{name} asks to type"),
    name: (name: string) => `${name} asks to type`,
    about: (session: string) => `Until you change it, in all shells of ${session} that no one else has.`,
    let: (name: string) => `Let ${name} type`,
  },
  control: {
    sentence: sentence("{agent} wants to control the session"),
    name: (agent: string) => `${agent} wants to control the session`,
    about: "It called this method, and was refused.",
    aboutIn: (folder: string) => `It called this method in ${folder}, and was refused.`,
    once: "Allow once",
    always: "Always in this folder",
    lasts: (agent: string, folder: string) =>
      `${agent} in ${folder} then controls this session without asking, until you forget it under Sessions.`,
    no: "No",
  },
  agent: {
    sentence: sentence("{agent} waits for you"),
    name: (agent: string) => `${agent} waits for you`,
    about: "No question can be answered here: it waits in its terminal.",
  },
  plugin: {
    sentence: sentence("The plugin {name} asks for permissions"),
    name: (name: string) => `The plugin ${name} asks for permissions`,
    about: (origin: string) => `Installed from ${origin}. It does not run until you have decided in its session.`,
    look: (session: string) => `Look in ${session}`,
  },
  budget: {
    sentence: "Today's budget is exceeded",
    scope: "all sessions",
    of: (budget: string) => `of ${budget} at list prices`,
    about: "The agents go on: this budget only warns.",
    raise: (budget: string) => `Raise it to ${budget}`,
    look: "Show costs",
    none: "No budget for a day",
    lasts: "No day has a budget then, and nothing warns of one, until you set it again.",
  },
};

/** The first steps, while nothing is open and no agent runs. */
export const steps = {
  title: "First steps",
  session: "Shells and agents run in a session.",
  copy: "Copy command",
  copied: "The command is on the clipboard. Run it in a terminal.",
  notCopied: "The command could not be copied.",
  invite: "Others join a session by a link.",
  inviteSomeone: "Invite someone",
};

/** What runs. */
export const running = {
  title: "Running",
  about: (agents: number, shells: number) =>
    `${plural(agents, { one: "1 agent", other: (n) => `${n} agents` })}, ${plural(shells, { one: "1 shell", other: (n) => `${n} shells` })}`,
  all: "All agents and costs",
  sessions: (sessions: number, machines: number) =>
    machines === 1
      ? plural(sessions, { one: "1", other: (n) => n })
      : `${plural(sessions, { one: "1", other: (n) => n })} of this machine, ${plural(machines - 1, { one: "1 more machine", other: (n) => `${n} more machines` })}`,
  allSessions: "All sessions and people",
  row: (row: {
    readonly agent: string;
    readonly task: string;
    readonly state: string;
    readonly elapsed: string;
    readonly cost: string;
  }) =>
    [row.task === row.agent ? row.agent : `${row.agent}, ${row.task}`, row.state, row.elapsed, row.cost]
      .filter((part) => part !== "")
      .join(", "),
  session: (name: string, shells: string, people: string) => `${name}, ${shells}, ${people}`,
  more: (count: number) => plural(count, { one: "1 more", other: (n) => `${n} more` }),
  showAll: "Show all",
};

/** Today's cost. */
export const today = {
  title: "Today's cost",
  today: "today at list prices",
  ofBudget: (budget: string) => `of ${budget} today`,
  basis: "at list prices",
  forecast: (cost: string) => `about ${cost} by midnight`,
  pace: "If the agents go on at the pace of the last three hours. US dollars at list prices",
  setBudget: "Set a budget",
  others: (count: number) => plural(count, { one: "1 other", other: (n) => `${n} others` }),
  show: "Show agents and costs",
};

/** Who is here. */
export const here = {
  title: "People here",
  alone: "Only you are here",
  watches: sentence("{name} watches"),
  types: sentence("{name} types in {shell}"),
  isIn: sentence("{name} is in {session}"),
  more: (count: number) => plural(count, { one: ", 1 more", other: (n) => `, ${n} more` }),
};

/** The bar at the bottom. */
/** What can be done with a row or card. */
export const actions = {
  of: (name: string) => `Actions for ${name}`,
  readConversation: "Read the conversation",
  mute: (agent: string) => `Mute ${agent}`,
  unmute: (agent: string) => `Unmute ${agent}`,
};

export const bar = {
  actions: "Actions",
  open: (name: string) => `Open ${name}`,
  goTo: (place: string) => `Go to ${place}`,
  costs: "Show costs",
  keys: "Show keys",
  search: "Type to search",
  goThere: "Go there",
};

/** What does not work. */
export const health = {
  title: "Health",
  notice: "Notice",
  several: (first: string, more: number) =>
    `${first}, ${plural(more, { one: "and 1 more notice", other: (n) => `and ${n} more notices` })}`,
  how: "How",
  hide: "Hide",
  doctor: sentence("{command} checks the same, and remotes."),
  again: "Check again",
  checking: "Checking…",
  failed: (why: string) => `The checks could not be run: ${why}`,
  states: { ok: "Works", note: "Note", problem: "Does not work" },
  problems: (count: number) => plural(count, { one: "1 notice", other: (n) => `${n} notices` }),
};

/** The search. */
export const search = {
  label: "Search, or run a command",
  hint: "Search, or run a command",
  shortHint: "Search",
  results: "Search results",
  nothing: "Nothing matches",
  nothingElse: "Nothing else matches",
  fromThree: "From three letters on, everything that was printed, run and said is searched.",
  more: (count: number) => plural(count, { one: "1 more", other: (n) => `${n} more` }),
  showAll: "Show all",
  toPeople: "Show people",
  groups: {
    sessions: "Sessions",
    agents: "Agents",
    people: "People",
    places: "Places",
    settings: "Settings",
    actions: "Commands",
  },
  placeKeywords: {
    now: "inbox questions waits",
    sessions: "people guests roles machines invite",
    agents: "costs budget prompts quotas policies",
    activity: "audit log history notifications",
    settings: "options preferences",
  },
  pauseKeywords: "mute notifications quiet",
  inviteKeywords: "share link QR code phone guest",
  leaveKeywords: "revoke remove kick",
};
