import { mutantsOf } from "../../tools/mutants/mutant.mjs";

const windows = ["test/unit/main/desktop/windows/session-channels.test.ts"];
const opening = ["test/security/other-machines.test.ts"];
const machines = ["test/integration/main/entry/machines.test.ts"];
const answers = ["test/security/remote-answers.test.ts"];
const tables = ["test/unit/cli/render/terminal-text.test.ts"];
const questions = ["test/integration/main/entry/machine-questions.test.ts"];

export default [
  ...mutantsOf("client/http.ts", [
    {
      guard: "an answer of a remote ends in its time",
      find: "if (tookMs > MAX_REMOTE_ANSWER_MS)",
      replace: "if (tookMs === MAX_REMOTE_ANSWER_MS * 1e9)",
      tests: ["test/unit/client/http.test.ts"],
    },
  ]),
  ...mutantsOf("cli/commands/func.ts", [
    {
      guard: "a notice of a remote does nothing to the terminal",
      find: "escapeControls(notice)",
      replace: "notice",
      tests: ["test/unit/cli/program.test.ts"],
    },
    {
      guard: "a remote's odd exit code ends a command in order",
      find: 'typeof exitCode === "number" && Number.isInteger(exitCode)',
      replace: 'typeof exitCode === "number"',
      tests: ["test/unit/cli/program.test.ts"],
    },
  ]),
  ...mutantsOf("cli/render/add-idle.ts", [
    {
      guard: "what a remote sends in place of a time is read as none",
      find: 'typeof activeAt === "string" ? Date.parse(activeAt) : Number.NaN',
      replace: "Date.parse(String(activeAt))",
      tests: ["test/unit/cli/render/add-idle.test.ts"],
    },
  ]),
  ...mutantsOf("client/merge-events.ts", [
    {
      guard: "a machine that lists other sessions each time keeps no streams open",
      find: "    stream.stop();\n",
      replace: "",
      tests: ["test/unit/client/merge-events.test.ts"],
    },
  ]),
  ...mutantsOf("cli/render/cell.ts", [
    {
      guard: "a remote's long name gives no other line its width",
      find: "Math.min(name.length, MAX_NAME_WIDTH)",
      replace: "name.length",
      tests: ["test/security/remote-answers.test.ts"],
    },
    {
      guard: "the names of a remote's rows are no arguments of a call",
      find: "names.reduce((most, name) => Math.max(most, Math.min(name.length, MAX_NAME_WIDTH)), least)",
      replace: "Math.max(least, ...names.map((name) => Math.min(name.length, MAX_NAME_WIDTH)))",
      tests: ["test/security/remote-answers.test.ts"],
    },
  ]),
  ...mutantsOf("client/open-session.ts", [
    {
      guard: "a machine cannot keep the app busy by the texts of a session",
      find: "Math.max(bytes.spend(data.byteLength), texts.spend(1))",
      replace: "texts.spend(1)",
      tests: ["test/security/other-machines.test.ts"],
    },
    {
      guard: "a session of the fleet is opened at the chosen relay or not at all",
      find: "if (servedBy !== undefined && relay !== servedBy) {",
      replace: "if (servedBy === relay && servedBy !== relay) {",
      tests: opening,
    },
    {
      guard: "a connection that is not to the chosen relay is given up",
      find: `        checkServedBy(headers["x-service-relay"], servedBy);
      } catch (error) {`,
      replace: `        checkServedBy(servedBy ?? headers["x-service-relay"], servedBy);
      } catch (error) {`,
      tests: opening,
    },
    {
      guard: "a refused key is told from an absence",
      find: "if (status === 401) return",
      replace: "if (status === 499) return",
      tests: machines,
    },
    {
      guard: "the certificate of a remote is pinned for the question too",
      find: "silenceMs: limitMs, remote: peer, signal: late",
      replace: "silenceMs: limitMs, signal: late",
      tests: opening,
    },
    {
      guard: "the certificate of a remote is pinned for the connection",
      find: "    ...trustOf(peer),\n",
      replace: "",
      tests: opening,
    },
  ]),
  ...mutantsOf("client/known-machines.ts", [
    {
      guard: "a key that the machine does not accept is not kept",
      find: 'if (refused !== undefined) throw new RemoteError("invalid_params", refused);',
      replace: "",
      tests: machines,
    },
    {
      guard: "an answer is sent only once the chosen machine has shown that it serves the session",
      find: "    await this.checkPresent(session);\n",
      replace: "",
      tests: questions,
    },
    {
      guard: "a machine cannot name another session for its question",
      find: "Question.safeParse({ ...row, session: id })",
      replace: "Question.safeParse(row)",
      tests: questions,
    },
    {
      guard: "a question of a machine is not longer than a question can be",
      find: "JSON.stringify(question).length <= MAX_QUESTION_LENGTH",
      replace: "JSON.stringify(question).length <= Infinity",
      tests: questions,
    },
  ]),
  ...mutantsOf("client/declared-results.ts", [
    {
      guard: "what a newer remote may add is all that may differ from a declaration",
      find: "return error === undefined || error.issues.every(isOfNewerVersion) ? undefined : error;",
      replace: "return error === undefined || error.issues.some(isOfNewerVersion) ? undefined : error;",
      tests: ["test/unit/client/declared-results.test.ts"],
    },
    {
      guard: "another value than the only one is no newer value",
      find: "issue.values.length > 1 && ",
      replace: "",
      tests: ["test/unit/client/declared-results.test.ts"],
    },
  ]),
  ...mutantsOf("cli/commands/keys.ts", [
    {
      guard: "the keys of a remote do nothing to the terminal",
      find: "escapeControls(line)",
      replace: "line",
      tests: answers,
    },
  ]),
  ...mutantsOf("cli/render/tree.ts", [
    {
      guard: "the tiles of a remote do nothing to the terminal",
      find: "escapeControls(label.type)",
      replace: "label.type",
      tests: answers,
    },
  ]),
  ...mutantsOf("cli/render/table.ts", [
    {
      guard: "no more columns of a remote are laid out than can be read",
      find: "found.slice(0, MOST_COLUMNS)",
      replace: "found.slice(0)",
      tests: tables,
    },
    {
      guard: "no more rows of a remote are laid out than can be read",
      find: "records.slice(0, MOST_ROWS)",
      replace: "records.slice(0)",
      tests: tables,
    },
    {
      guard: "no more cells of a remote are laid out than can be read",
      find: "flat.slice(0, Math.ceil(MOST_CELLS / Math.max(1, paths.length)))",
      replace: "flat",
      tests: tables,
    },
  ]),
  ...mutantsOf("cli/commands/show-tree.ts", [
    {
      guard: "a layout of a remote is drawn only if it is one",
      find: "checkResult(LayoutTree, result, client.url)",
      replace: "LayoutTree.parse(result)",
      tests: answers,
    },
  ]),
  ...mutantsOf("client/remote-client.ts", [
    {
      guard: "what is read of a remote's result is as declared",
      find: "if (cause !== undefined) throw notARelay(",
      replace: "if (cause === null) throw notARelay(",
      tests: answers,
    },
    {
      guard: "an answer of another relay than the chosen one of the fleet does not count",
      find: 'if (servedBy !== undefined && headers["x-service-relay"] !== servedBy) {',
      replace: 'if (servedBy === "" && headers["x-service-relay"] !== servedBy) {',
      tests: questions,
    },
  ]),
  ...mutantsOf("main/desktop/sessions/machine-session.ts", [
    {
      guard: "a remote that was added again by the same name is another machine",
      find: "return machine?.id === this.machineId ? machine : undefined;",
      replace: "return machine;",
      tests: machines,
    },
  ]),
  ...mutantsOf("main/relay/operations/windows.ts", [
    {
      guard: "a named machine is never replaced by this one",
      find: "if (machine !== LOCAL_MACHINE) return",
      replace: 'if (machine !== LOCAL_MACHINE && machine !== "") return',
      tests: machines,
    },
  ]),
  ...mutantsOf("main/desktop/windows/session-channels.ts", [
    {
      guard: "the files of this machine are closed to sessions of others",
      find: "if (windows.localSessionOf(caller) === undefined) {",
      replace: "if (windows.sessionOf(caller) === undefined) {",
      tests: windows,
    },
  ]),
  ...mutantsOf("main/desktop/windows/app-channels.ts", [
    {
      guard: "invites and settings of this machine are closed to sessions of others",
      find: "const session = windows.localSessionOf(caller);",
      replace: "const session = windows.sessionOf(caller);",
      tests: windows,
    },
  ]),
  ...mutantsOf("core/client/stay-connected.ts", [
    {
      guard: "a connection that is opened after the end is closed",
      find: 'if ("link" in attempt) attempt.link.close("the client is closing");',
      replace: "",
      tests: machines,
    },
  ]),
  ...mutantsOf("main/relay/fleet/serve-requests.ts", [
    {
      guard: "a kept answer goes to the relay of the fleet that made the request only",
      find: "if (answer?.to === from) this.",
      replace: "if (answer !== undefined) this.",
      tests: ["test/security/fleet.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/fleet/pass-on.ts", [
    {
      guard: "a header of another relay's answer passes only if it says what the data is",
      find: "PASSED_BACK.test(name) && HTTP_TEXT.test(value)",
      replace: "HTTP_TEXT.test(value)",
      tests: ["test/security/fleet.test.ts"],
    },
    {
      guard: "the type of another relay's answer is one type, and ends no line",
      find: "(?:; ?[a-z]+=[\\w.-]+)*$/",
      replace: "(?:;|$)/",
      tests: ["test/security/fleet.test.ts"],
    },
    {
      guard: "another relay does not say how long a browser keeps its answer",
      find: '"Cache-Control": "no-store"',
      replace: '"Cache-Control": headers["cache-control"] ?? "no-store"',
      tests: ["test/security/fleet.test.ts"],
    },
    {
      guard: "an answer of another relay is no page of this one",
      find: 'DATA.test(type) ? type : "application/octet-stream"',
      replace: "type",
      tests: ["test/security/fleet.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/fleet/call-owner.ts", [
    {
      guard: "without proof no answer of another relay passes but a refusal",
      find: 'const isRefusal = frame.kind === "answer" && frame.status >= 400;',
      replace: "const isRefusal = true;",
      tests: ["test/unit/main/relay/fleet/call-owner.test.ts"],
    },
    {
      guard: "a refusal without proof counts only where nothing is proved",
      find: "digest !== NO_KEY || this.#request.credentials.length === 0",
      replace: "digest !== undefined",
      tests: ["test/unit/main/relay/fleet/call-owner.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/fleet/directory.ts", [
    {
      guard: "a name that two relays of the fleet say names neither",
      find: "this.#named.get(name)?.size === 1",
      replace: "this.#named.get(name)?.size !== 0",
      tests: ["test/unit/main/relay/fleet/directory.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/fleet/kept-questions.ts", [
    {
      guard: "a question that another relay has kept cannot be answered",
      find: "({ ...question, ...UNANSWERABLE }));",
      replace: "question);",
      tests: ["test/unit/main/relay/fleet/kept-questions.test.ts"],
    },
  ]),
  ...mutantsOf("client/http.ts", [
    {
      guard: "a machine's answers to one look of the panel are bounded together",
      find: "allowance !== undefined && allowance.left < 0",
      replace: "false",
      tests: ["test/unit/client/http.test.ts"],
    },
  ]),
  ...mutantsOf("client/guard-link.ts", [
    {
      guard: "another machine's commands have parameters as declared",
      find: ".params.safeParse(params).success ?? true",
      replace: ".params.safeParse(params).success !== undefined",
      tests: ["test/unit/client/guard-link.test.ts"],
    },
    {
      guard: "a machine welcomes the app once for each link",
      find: "wasWelcome = true;",
      replace: "wasWelcome = false;",
      tests: ["test/unit/client/guard-link.test.ts"],
    },
  ]),
  ...mutantsOf("client/open-session.ts", [
    {
      guard: "each text of another machine has a price",
      find: "Math.max(bytes.spend(data.byteLength), texts.spend(1))",
      replace: "bytes.spend(data.byteLength)",
      tests: opening,
    },
    {
      guard: "each piece of output of another machine counts",
      find: "isBinary ? pieces.spend(1)",
      replace: "isBinary ? 0",
      tests: opening,
    },
  ]),
  ...mutantsOf("client/event-stream.ts", [
    {
      guard: "an event of a remote names no other machine",
      find: "export const EventData = z.object({",
      replace: "export const EventData = z.looseObject({",
      tests: answers,
    },
  ]),
  ...mutantsOf("core/client/terminal-subscriptions.ts", [
    {
      guard: "output that nobody takes ends the link",
      find: "if (this.#unprocessed + due.length * bytes.byteLength > MOST_UNPROCESSED) {",
      replace: "if (this.#unprocessed === MOST_UNPROCESSED * 1e9) {",
      tests: ["test/unit/core/client/terminal-subscriptions.test.ts"],
    },
    {
      guard: "output that a new link brings is no less of what nobody takes",
      find: "    this.#link = link;\n    for (const [shell, sub",
      replace: "    this.#link = link;\n    this.#unprocessed = 0;\n    for (const [shell, sub",
      tests: ["test/unit/core/client/terminal-subscriptions.test.ts"],
    },
  ]),
  ...mutantsOf("core/client/socket-link.ts", [
    {
      guard: "nothing is taken of a machine that was left",
      find: "if (socket.readyState !== OPEN) return;",
      replace: "",
      tests: ["test/unit/core/client/socket-link.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/fleet/request-check.ts", [
    {
      guard: "requests without a proof leave room for those that have one",
      find: "(isProved || unproved + bytes <= MOST_UNPROVED_BYTES)",
      replace: "(isProved || unproved + bytes <= MOST_UNFINISHED_BYTES)",
      tests: ["test/unit/main/relay/fleet/request-check.test.ts"],
    },
    {
      guard: "requests without a proof take no ids of those that have one",
      find: "(isProved ? this.#executed : this.#unproved).add(head, now)",
      replace: "this.#unproved.add(head, now)",
      tests: ["test/unit/main/relay/fleet/request-check.test.ts"],
    },
  ]),
];
