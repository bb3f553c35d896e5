import { spoken } from "../ui/language.ts";

/** The texts of a session's window in the app. */
export const words = {
  title: (session: string, machine: string) => `${session} on ${machine} - Patchbay`,
  otherPort: (port: number, machine: string) => `Port ${port} is open on ${machine}, not on this machine.`,
  away: (machine: string) => `${machine} is away.`,
  awaySince: (machine: string, time: string) => `${machine} is away since ${time}.`,
  door: {
    opening: (session: string, machine: string) => `Opening “${session}” on ${machine}`,
    waiting: (machine: string) => `Waiting for ${machine}`,
    opensThen: (session: string, machine: string) =>
      `The session “${session}” opens here as soon as ${machine} answers.`,
    lastHeard: (time: string) => `Last heard of at ${time}.`,
    lastHeardAgo: (time: string, ago: string) => `Last heard of at ${time}, ${ago} ago.`,
    tryNow: "Try now",
    noAccess: (session: string, machine: string) => `No access to “${session}” on ${machine}`,
    enterKey: "Enter another key",
    tryAgain: "Try again",
  },
};

spoken(words, {
  de: () => import("./words.de.ts").then((german) => german.words),
  ja: () => import("./words.ja.ts").then((japanese) => japanese.words),
});
