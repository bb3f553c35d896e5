/** The first words that the program knows as its own, with what they do; `where` says who carries them out. */
export const ownWords = {
  func: { summary: "send a command to a live session: `func --help` lists them", where: "here" },
  sessions: { summary: "list, create, rename and close sessions", where: "here" },
  plugins: { summary: "list, allow and remove plugins", where: "here" },
  invite: { summary: "make a link that lets a browser into a session", where: "here" },
  login: { summary: "get an API key, and keep it in the keychain", where: "here" },
  logout: { summary: "end that key", where: "here" },
  status: { summary: "which relay and key are used, as whom, and whether that works", where: "here" },
  audit: { summary: "who did what: every authentication and every changing call", where: "here" },
  doctor: { summary: "look at all that Patchbay needs here, and say what to do", where: "here" },
  "shell-host": { summary: "how the process that holds the shells is; restart it when it hangs", where: "here" },
  completion: { summary: "completion script for bash, zsh or fish", where: "here" },
  help: { summary: "this text, or that of a word", where: "here" },
  serve: { summary: "run the relay without the desktop app", where: "serve" },
  approve: { summary: "let a program in that waits with a code", where: "local" },
  keys: { summary: "make, list and revoke API keys, whole or restricted", where: "local" },
  token: { summary: "get a bearer token, for installing plugins", where: "here" },
} as const satisfies Record<string, { summary: string; where: "here" | "serve" | "local" }>;

export type OwnWord = keyof typeof ownWords;

export function isOwnWord(word: string): word is OwnWord {
  return Object.hasOwn(ownWords, word);
}

/** Summary of `func events`, which is no command. */
export const eventsSummary = "Events of the session as they come, or those that are kept";
