import { formatNumber, plural } from "../../core/phrases.ts";
import type { Role } from "../../core/protocol/records.ts";
import { spoken } from "./language.ts";

/** What the interface calls the roles. Commands and API keep the roles' own names. */
export const roleWords: Readonly<Record<Role, string>> = { admin: "admin", writer: "can type", reader: "can watch" };

/** The texts that several pages share. */
export const words = {
  notLoaded: "This part of Patchbay could not be loaded: reload the page.",
  duration: {
    /** With a number that has its locale's decimals already. */
    milliseconds: (count: string) => `${count} ms`,
    fewSeconds: (count: string) => `${count} s`,
    minutesAndSeconds: (minutes: number, seconds: number) => `${formatNumber(minutes)} min ${formatNumber(seconds)} s`,
    seconds: (count: number) => `${formatNumber(count)} s`,
    minutes: (count: number) => `${formatNumber(count)} min`,
    hours: (count: number) => `${formatNumber(count)} h`,
    days: (count: number) => `${formatNumber(count)} d`,
  },
  question: {
    program: "A program",
    refuseInWords: "No, and say why",
    answerInWords: "Say something else",
    allowPersistent: "Yes, from now on",
    forWriters: "It waits for someone who may type in this session.",
    refuseLabel: "Refuse, and say why",
    answerLabel: "Answer in words",
    refuseHint: "No, and say what to do instead",
    refuse: "Refuse",
    send: "Send",
    risk: { low: "Low risk", medium: "Medium risk", high: "High risk" },
    riskBecause: (risk: string, reasons: string) => `${risk}: ${reasons}`,
    less: "Show less",
    /** A text that the relay made: a label, a reason or what proves an answer. Any other is said as it is. */
    relayText: (text: string) => text,
    dismiss: "Dismiss",
    whole: {
      command: "Show the whole command",
      files: "Show the whole list of files",
      diff: "Show the whole change",
      screen: "Show the whole screen",
      text: "Show the whole text",
      input: "Show the whole input",
    },
    wholeQuestion: "Show all that it asks for",
    /** `what` is one of the sentences above. */
    withLines: (what: string, count: number) =>
      `${what} (${plural(count, { one: "1 line", other: (n) => `${n} lines` })})`,
    withMoreLines: (what: string, count: number) =>
      `${what} (${plural(count, { one: "1 more line", other: (n) => `${n} more lines` })})`,
    withMoreCharacters: (what: string, count: number) =>
      `${what} (${plural(count, { one: "1 more character", other: (n) => `${n} more characters` })})`,
    withdrawn: "Withdrawn.",
    withdrawnBecause: (reason: string) => `Withdrawn: ${reason}.`,
    expired: "Expired.",
    expiredBecause: (reason: string) => `Expired: ${reason}.`,
    answered: (by: string) => `Answered by ${by}.`,
    answeredWith: (by: string, answer: string) => `Answered by ${by}: ${answer}.`,
    answeredInTerminal: "Answered in the terminal.",
    answeredInTerminalWith: (answer: string) => `Answered in the terminal: ${answer}.`,
    quoted: (text: string) => `“${text}”`,
    /** What became of an answer; `answered` is one of the sentences above. */
    receipt: {
      pending: (answered: string) => `${answered} Waiting for proof that the agent took it.`,
      confirmed: (answered: string, evidence: string) => `${answered} Confirmed: ${evidence}.`,
      unconfirmed: (answered: string, evidence: string) =>
        `${answered} Not confirmed: ${evidence}. Look at its terminal.`,
      overruled: (answered: string, evidence: string) => `${answered} Overruled: ${evidence}.`,
      abandoned: (answered: string, evidence: string) => `${answered} The agent ended first: ${evidence}.`,
    },
  },
  themes: {
    tooLarge: "The file is too large for a theme: more than 256 kB.",
    imported: "Imported",
    importedName: (name: string) => `${name} (imported)`,
    lacks: (key: string) => `The theme has no ${key}.`,
    lacksColour: (index: string) => `The theme has no colour ${index}.`,
    noChannel: (key: string, channel: string) => `“${key}” has no ${channel} between 0 and 1.`,
    noColour: (text: string) => `“${text}” is no colour of the form #rrggbb.`,
    noPropertyList: "The file is no property list of colours.",
    noPropertyListAt: (text: string) => `The file is no property list of colours: “${text}”.`,
    noJson: (why: string) => `The file is no JSON: ${why}`,
    noScheme: "The file has no colour scheme of Windows Terminal.",
    unknown: (line: string) => `The file is no theme that Patchbay knows: “${line}”.`,
    noPaletteEntry: (value: string) => `“palette = ${value}” is not of the form palette = 0=#rrggbb.`,
    tooMany: (count: number) =>
      plural(count, {
        one: "At most 1 theme can be imported. Remove some first.",
        other: (n) => `At most ${n} themes can be imported. Remove some first.`,
      }),
  },
};

spoken(words, {
  de: () => import("./words.de.ts").then((german) => german.words),
  ja: () => import("./words.ja.ts").then((japanese) => japanese.words),
});

spoken(roleWords, {
  de: () => import("./words.de.ts").then((german) => german.roleWords),
  ja: () => import("./words.ja.ts").then((japanese) => japanese.roleWords),
});
