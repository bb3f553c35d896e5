import { formatNumber, plural } from "../../core/phrases.ts";
import { spoken } from "../ui/language.ts";
import { sentence } from "../ui/sentence.ts";

/** The search over everything that was printed, run and said. */
export const search = {
  title: "Search everything",
  field: "Search output, commands, conversations and chat",
  regex: "Regular expression",
  results: "Results",
  places: {
    title: "Search in",
    everything: "Everything",
    output: "Output",
    commands: "Commands",
    conversations: "Conversations",
    chat: "Chat",
  },
  onlyIn: (shell: string) => `Only in ${shell}`,
  tooShort: "Type three letters or more.",
  searching: "Searching…",
  none: (text: string) => `Nothing matches “${text}”.`,
  noneYet: (text: string) => `Nothing matches “${text}” so far.`,
  partial: "Not everything is indexed yet; the search goes on.",
  noneHint: "A search finds text within a line, in any case.",
  count: (count: number) => plural(count, { one: "1 result", other: (n) => `${n} results` }),
  latest: (count: number) => `The latest ${formatNumber(count)} results: scroll on for older ones`,
  most: (limit: number) => `These are the latest ${formatNumber(limit)} of each kind. More letters find what is older.`,
  failed: (why: string) => `The search failed: ${why}`,
  groups: {
    chat: "Chat",
    closed: "closed",
    conversation: (agent: string) => `Conversation with ${agent}`,
  },
  kinds: { output: "Output", commands: "Command", conversations: "Conversation", chat: "Message" },
  around: "Lines around the result",
  go: "Go there",
  history: "Read in the history",
  openHistory: "⇧ ⏎ history",
  close: "Close the search",
  intro: {
    title: "Find anything that was printed, run or said here",
    body: "Output of all shells, also of closed ones and of what has left the screen; commands; conversations with agents that you may read; the chat.",
  },
  recording: {
    unasked: {
      title: "Output and commands are not recorded yet",
      body: "Turn the history on to find what shells print from now on. It stays on this machine, encrypted with a key of your keychain.",
    },
    off: {
      title: "Recording is off",
      body: "What was recorded before is found; what shells print now is not.",
    },
    excepted: {
      title: "This session is not recorded",
      body: "What was recorded before is found; what its shells print now is not.",
    },
    locked: {
      title: "The history is locked",
      body: "Its key is in the keychain, which did not answer. Unlock it and restart Patchbay.",
    },
    unavailable: {
      title: "Only the chat is searched",
      body: "This relay holds its shells itself and records no history.",
    },
  },
  byHand: sentence("The owner turns it on with {command}."),
  copy: "Copy the command",
  copied: "Copied",
  conversation: {
    title: (title: string) => `Conversation: ${title}`,
    messages: "Messages",
    loading: "Reading the conversation…",
    failed: (why: string) => `The conversation could not be read: ${why}`,
    resume: "Resume here",
    resumeHint: (shell: string) => `Starts the agent again in the place of ${shell}, with this conversation`,
    notResumed: (why: string) => `The conversation was not resumed: ${why}`,
    roles: { user: "You", assistant: "Agent", tool: "Tool", system: "System", subagent: "Subagent" },
  },
  place: {
    title: (shell: string) => `History of ${shell}`,
    back: "Back to the results",
    earlier: "Earlier",
    later: "Later",
    loading: "Reading the history…",
    gone: "Nothing is kept of this place any more.",
    failed: (why: string) => `The history could not be read: ${why}`,
    goTo: "Go to the shell",
    terminal: "Recorded output, read-only",
    start: "The beginning of what is kept",
    end: "The end of what is kept",
    replay: {
      title: "Replay",
      play: "Play",
      pause: "Pause",
      position: "Time in the recording",
      pauses: "Pauses of more than a second last a second",
      speed: "Speed",
      times: (speed: number) => `${formatNumber(speed)}×`,
    },
  },
};

spoken(search, {
  de: () => import("./words.de.ts").then((german) => german.search),
  ja: () => import("./words.ja.ts").then((japanese) => japanese.search),
});
