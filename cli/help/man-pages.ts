import type { CommandRow, ParamRow } from "../parse/command-row.ts";
import { allCommands } from "../parse/command-table.ts";
import { exitCodeMeanings } from "../parse/exit-codes.ts";
import { globalOptions } from "../parse/global-options.ts";
import { usageLine } from "../parse/parse-command.ts";
import { version } from "../parse/version.ts";
import { eventsSummary, firstWords } from "../parse/words.ts";
import { areaTitles } from "./area-titles.ts";

/** The manual pages by file name, in the roff of man(7), from the declarations alone. `date` is YYYY-MM-DD. */
export function manPages(date: string): Readonly<Record<string, string>> {
  return { "patchbay.1": programPage(date), "service-func.1": funcPage(date) };
}

function programPage(date: string): string {
  return page("PATCHBAY", date, [
    section("NAME", "patchbay, service \\- live terminal sessions"),
    section("SYNOPSIS", `${bold("patchbay")} ${italic("command")} [${italic("arguments")}] [${italic("options")}]`),
    section(
      "DESCRIPTION",
      text("Controls live terminal sessions of Patchbay: those of the desktop app, or of a relay without a desktop."),
      text("The program has two names. In the package of a system the second one, service, is in a folder of its own,"),
      text("because many systems have a program of that name; put the folder first in PATH to use it:"),
      example(["export PATH=/usr/lib/patchbay/bin:$PATH"]),
      text("Unknown words are then passed on to the system's own service."),
    ),
    section("COMMANDS", ...Object.entries(firstWords()).map(([word, summary]) => item(bold(word), summary))),
    section("EXIT STATUS", ...exitItems()),
    section(
      "ENVIRONMENT",
      item(bold("SERVICE_TOKEN"), "API key; default: the one in the keychain"),
      item(bold("SERVICE_URL"), "address of the relay; default: the one that runs"),
      item(
        bold("SERVICE_ON"),
        "remote that commands go to, as --on; an address or a data folder that is given comes first",
      ),
      item(
        bold("SERVICE_TOKEN_NAME"),
        "API key of the remote NAME, in capitals and with _ for -; default: the one in the keychain",
      ),
      item(bold("SERVICE_SESSION"), "session by name or id"),
      item(bold("SERVICE_CLIENT"), "executing client"),
      item(bold("PATCHBAY_DATA"), "data folder of the relay"),
    ),
    section("SEE ALSO", "\\fBservice\\-func\\fR(1)"),
  ]);
}

function funcPage(date: string): string {
  const commands = allCommands();
  const areas = Object.entries(areaTitles).map(([area, title]) =>
    section(title.toUpperCase(), ...commands.filter((row) => row.area === area).map(commandEntry)),
  );
  return page("SERVICE-FUNC", date, [
    section("NAME", "service\\-func \\- send a command to a live session of Patchbay"),
    section(
      "SYNOPSIS",
      `${bold("service func")} ${italic("command")} [${italic("arguments")}] [${italic("options")}]`,
      ".br",
      `${bold("patchbay func")} ${italic("command")} [${italic("arguments")}] [${italic("options")}]`,
    ),
    section(
      "DESCRIPTION",
      text(
        "Inside a shell of Patchbay it needs no options; elsewhere the running relay, its default session and the key",
      ),
      text("in the keychain are used, or those that the options name."),
    ),
    section("OPTIONS OF EVERY COMMAND", ...globalOptions.map((option) => item(bold(option.flags), option.description))),
    ...areas,
    section("EVENTS", item(bold("events"), `${eventsSummary}.`)),
    section("EXIT STATUS", ...exitItems(), ".PP", text("run --wait exits with the code of the command that it ran.")),
    section("SEE ALSO", "\\fBpatchbay\\fR(1)"),
  ]);
}

function commandEntry(row: CommandRow): string {
  const more = [row.details, row.note].filter((part) => part !== undefined).map((part) => text(part));
  return lines(
    `.SS ${quotedArgument(row.name)}`,
    bold(usageLine(row, "service")),
    ".PP",
    text(`${row.summary}.`),
    ...more.flatMap((part) => [".PP", part]),
    ...row.params.map((param) => item(paramName(param), paramMeaning(param))),
    ...(row.examples.length === 0 ? [] : [example(row.examples.map((words) => `service func ${words}`))]),
  );
}

function paramName({ word, byPosition, kind, default: fallback }: ParamRow): string {
  if (byPosition) return italic(word);
  const flag = `--${kind === "boolean" && fallback === true ? "no-" : ""}${word}`;
  return kind === "boolean" ? bold(flag) : `${bold(flag)} ${italic(kind)}`;
}

function paramMeaning({ description, choices, default: fallback, kind }: ParamRow): string {
  const unless = kind === "boolean" && fallback === true ? `do not ${description}` : description;
  const more = [
    ...(choices === undefined ? [] : [`one of ${choices.join(", ")}`]),
    ...(fallback === undefined || kind === "boolean" || description.includes("default:")
      ? []
      : [`default: ${fallback}`]),
  ];
  return [unless, ...more].join("; ");
}

function exitItems(): string[] {
  return exitCodeMeanings.map(([code, meaning]) => item(bold(String(code)), meaning));
}

function page(title: string, date: string, sections: readonly string[]): string {
  const head = `.TH ${title.replaceAll("-", "\\-")} 1 ${date} "Patchbay ${version}" "User Commands"`;
  return `${lines('.\\" Made from the declarations of the commands; do not edit.', head, ...sections)}\n`;
}

function section(title: string, ...parts: readonly string[]): string {
  return lines(`.SH ${quotedArgument(title)}`, ...parts);
}

function item(tag: string, meaning: string): string {
  return lines(".TP", tag, text(meaning));
}

/** Words as they were written: an indented block without filling. */
function example(words: readonly string[]): string {
  return lines(".PP", ".RS 4", ".EX", ...words.map((line) => text(line)), ".EE", ".RE", ".PP");
}

function bold(words: string): string {
  return `\\fB${text(words)}\\fR`;
}

function italic(words: string): string {
  return `\\fI${text(words)}\\fR`;
}

/** Text that means itself: a dot or a quote at the start of a line would be a request, a plain hyphen a typographic one. */
function text(words: string): string {
  return words
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^([.'])/gm, "\\&$1");
}

function quotedArgument(words: string): string {
  return `"${text(words).replaceAll('"', "\\(dq")}"`;
}

function lines(...parts: readonly string[]): string {
  return parts.join("\n");
}
