import { plural } from "../../../core/phrases.ts";

/** The sheet that starts again what ended with a restart. */
export const restore = {
  notice: (count: number) =>
    plural(count, {
      one: "A shell ended and can be started again.",
      other: (n) => `${n} shells ended and can be started again.`,
    }),
  show: "Show what ran…",
  later: "Not now",
  close: "Close",
  title: "Start again what ran here",
  hint: "Each shell starts in its tile and its folder. Commands that ran are not run again.",
  all: (count: number) => `All ${count}`,
  start: (count: number) => plural(count, { one: "Start 1 shell", other: (n) => `Start ${n} shells` }),
  dismiss: "Do not offer again",
  starts: (program: string) => `Starts ${program}.`,
  shellOnly: (program: string) => `Start only ${program}`,
  resume: (agent: string) => `Resume this conversation with ${agent}`,
  startAgent: (agent: string) => `Start ${agent}: nothing was said yet`,
  assumed: (title: string) => `${title} (only its folder and its time say that it ran here)`,
  lastPrompt: "You:",
  lastAnswer: "Answer:",
  leftOut: (options: string) => `Not repeated: ${options}`,
  folderGone: "The folder does not exist. The shell starts in the nearest folder above it.",
  ran: (program: string) => `${program} ran in it.`,
  commands: "Ran last:",
  env: (variables: string) => `With the variables ${variables}`,
  withheld: (names: string) => `Without ${names}: values that may be secrets are not kept.`,
  always: "Always start shells of this folder again, with their conversations, without asking",
  busy: "Starting…",
  started: "Started.",
  resumed: "Resumed.",
  skipped: "Not started.",
  dismissed: "Not offered again.",
};
