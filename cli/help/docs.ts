import type { CommandSpec } from "../../core/commands/command.ts";
import { methodNames, specs } from "../../core/commands/specs.ts";
import { operationAreas } from "../../core/operations/index.ts";
import type { Access, OperationSpec } from "../../core/operations/operation.ts";
import { errorTable } from "../../core/protocol/errors.ts";
import type { Touches } from "../../core/protocol/touches.ts";
import { type CommandRow, commandRow, type ParamRow, paramRows } from "../parse/command-row.ts";
import { exitCodeMeanings } from "../parse/exit-codes.ts";
import { globalOptions } from "../parse/global-options.ts";
import { usageLine } from "../parse/parse-command.ts";
import { areaTitles } from "./area-titles.ts";

/** Returns the text of docs/reference/commands.md, generated from the declarations. */
export function commandsDoc(): string {
  const areas = Object.entries(areaTitles).map(([area, title]) => {
    const methods = methodNames.filter((method) => specs[method].area === area);
    return [`## ${title}`, ...methods.map((method) => section(method, specs[method]))].join("\n\n");
  });
  const parts = ["# Commands", INTRODUCTION, globals(), EXIT, ...areas];
  return `${parts.join("\n\n")}\n`;
}

const INTRODUCTION = `Generated from the declarations in \`core/commands\`; do not edit by hand.

Every command is a method of \`POST /v1/sessions/{session_id}/remote/command\` with the body \`{"method", "params"}\`, and
most have a command-line spelling. Names of two words are accepted in \`camelCase\` and in \`snake_case\`.

On the command line an argument written as \`<message...>\` takes all remaining words, joined by a space: the text of
\`send-chat\`, \`toast\` and \`notify\`, and the command line of \`run\`. Every other argument is one word; quote text with
spaces. Lists are separated by commas.`;

const EXIT = `## Exit codes

| code | meaning |
|---|---|
${exitCodeMeanings.map(([code, meaning]) => `| ${code} | ${meaning} |`).join("\n")}

\`run --wait\` exits with the code of the command that it ran, which may be one of these too. Where the call itself was
refused or took too long, the code is 1, and the error output says why.

From a checkout the command line runs with the Node of the \`PATH\`, and \`NODE_OPTIONS\` applies to it: where Node refuses one of
these options, its own message and exit code are all there is.`;

function globals(): string {
  const rows = globalOptions.map(({ flags, description }) => `| \`${flags}\` | ${escapeCell(description)} |`);
  return ["## Options of every command", `| option | meaning |\n|---|---|\n${rows.join("\n")}`].join("\n\n");
}

function section(method: (typeof methodNames)[number], spec: CommandSpec): string {
  // A method without a spelling still has parameters; its options' words are then not shown.
  const forms = spec.cli.map((form) => commandRow(method, spec, form));
  const spellings = forms.map((row) => spellingSection(row));
  const params = commandRow(method, spec, { name: method }).params;
  const facts = [
    `role ${spec.role}`,
    `scope ${spec.scope}`,
    ...(spec.shortcut === undefined ? [] : [`\`GET remote/${spec.shortcut}\``]),
    ...(spec.ownTimeout === true ? ["carries its own timeout"] : []),
    ...(spec.untargeted === true ? ["takes no target client"] : []),
    `a restricted shell: ${describeTouches(spec.touches)}`,
  ];
  return [
    `### ${method}`,
    `${spec.summary}.${spec.details === undefined ? "" : ` ${spec.details}`}`,
    `Needs ${facts.join(", ")}.`,
    ...(params.length === 0
      ? []
      : [`| parameter | type | meaning |\n|---|---|---|\n${params.map(paramLine).join("\n")}`]),
    ...spellings,
  ].join("\n\n");
}

/** What a caller limited to its own shells may do with a command: restricted shells and keys for own shells. */
function describeTouches(touches: Touches | undefined): string {
  switch (touches) {
    case undefined:
    case "messages":
      return "yes";
    case "new":
      return "yes, and what it makes is its own";
    case "screen":
      return "no";
    case "workspace":
      return "while all tiles of the workspace are its own";
    default:
      return touches.workspace === undefined ? "on its own" : "while all tiles of the workspace are its own";
  }
}

function paramLine({ name, required, kind, choices, default: fallback, description }: ParamRow): string {
  const type = choices === undefined ? kind : choices.join(", ");
  const text = fallback === undefined ? description : `${description}; default ${fallback}`;
  return `| \`${name}\`${required ? "" : "?"} | ${type} | ${escapeCell(text)} |`;
}

function spellingSection(row: CommandRow): string {
  const lines = [usageLine(row, "service"), ...row.examples.map((example) => `service func ${example}`)];
  const note = row.note === undefined ? "" : `\n\n${row.note}`;
  return `\`${row.name}\`: ${row.summary}.${note}\n\n\`\`\`sh\n# ${lines.join("\n")}\n\`\`\``;
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|");
}

/** Returns the text of docs/reference/operations.md: every operation, by area. */
export function operationsDoc(): string {
  const areas = Object.entries(operationAreas).flatMap(([area, { summary, operations }]) => [
    `## ${area.charAt(0).toUpperCase()}${area.slice(1)}\n\n${summary}`,
    ...Object.entries<OperationSpec>(operations).map(([name, spec]) => operationSection(name, spec)),
  ]);
  return `${["# Operations", OPERATIONS, ...areas].join("\n\n")}\n`;
}

const OPERATIONS = `Generated from the declarations in \`core/operations\`; do not edit by hand.

The relay executes an operation itself; no client needs to be connected. Parameters in a path are named with a colon. The others
are the query of a \`GET\` or \`DELETE\`, else the JSON body. The response is \`{"result": …}\` unless stated otherwise. From
TypeScript: \`client.operation("createInvite", { role: "reader" })\`.`;

const accessWords: Readonly<Record<Access, string>> = {
  anyone: "every credential",
  shell: "every shell, for itself",
  read: "every key whose `--methods` allow it, and every shell",
  change: "keys that may change things, and shells without restrictions",
  shells: "keys that may change things, and shells; restricted ones for their own shells",
  unrestricted: "keys and shells without restrictions",
};

function operationSection(name: string, spec: OperationSpec): string {
  const { summary, details, access, bearer, owner, effect, http, cli } = spec;
  const params = paramRows(spec, {});
  const who = bearer === undefined ? accessWords[access] : `bearer tokens with the scope \`${bearer}\``;
  const facts = [
    `For ${who}${owner === "relay" ? " of the relay's owner" : ""}.`,
    ...(effect === "change" ? ["Each call has an audit entry."] : []),
    ...(http.status === undefined ? [] : [`The status is ${http.status}.`]),
    ...(http.bare ? ["The response is the result itself."] : []),
  ];
  const onCommandLine = [cli?.word, cli?.action, ...(cli?.args ?? []).map((arg) => `<${arg}>`)]
    .filter(Boolean)
    .join(" ");
  return [
    `### ${name}`,
    `\`${http.method} /v1/${http.path}\``,
    `${summary}.${details === undefined ? "" : ` ${details}`}`,
    facts.join(" "),
    ...(params.length === 0
      ? []
      : [`| parameter | type | meaning |\n|---|---|---|\n${params.map(paramLine).join("\n")}`]),
    ...(cli === undefined ? [] : [`Command line: \`service ${onCommandLine}\``]),
  ].join("\n\n");
}

/** Returns the text of docs/reference/errors.md: every code with its status. */
export function errorsDoc(): string {
  const rows = Object.entries(errorTable).map(([code, [status, when]]) => `| ${status} | \`${code}\` | ${when} |`);
  return [
    "# Errors",
    "",
    "Every error is one sentence as `text/plain` that says what is wrong and what would be right. The header `X-Service-Error`",
    "carries a stable code for programs. Generated by `npm run docs`; do not edit by hand.",
    "",
    "| status | code | when |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
