import { mutantsOf } from "../../tools/mutants/mutant.mjs";

const roles = ["test/integration/main/relay/roles.test.ts"];
const clients = ["test/integration/main/relay/hostile-clients.test.ts"];
const operations = ["test/contract/every-operation.test.ts"];
const audit = ["test/integration/main/relay/audit.test.ts", "test/security/audit.test.ts"];
const rights = ["test/unit/main/relay/session/shell-rights.test.ts", "test/integration/main/relay/shell-token.test.ts"];
const uploads = ["test/unit/core/protocol/uploads.test.ts", "test/integration/main/relay/uploads.test.ts"];
const prices = ["test/unit/main/agents/price-list.test.ts"];
const queries = ["test/integration/main/relay/terminal-queries.test.ts"];
const files = ["test/security/second-user.test.ts", "test/unit/main/relay/store/open-store.test.ts"];

export default [
  ...mutantsOf("main/agents/ledger.ts", [
    {
      guard: "absurd numbers of a transcript are not counted",
      find: "return numbers.every((number) => number >= 0 && number <= most);",
      replace: "return numbers.every((number) => number >= 0);",
      tests: ["test/unit/main/agents/adapters/all.bad-input.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/session/operations.ts", [
    {
      guard: "a client does only what its role allows",
      find: "if (!isReport) checkRole(op, spec.role, user.role);",
      replace: "",
      tests: roles,
    },
    {
      guard: "a client does only what its command's caller may do",
      find: "if (permit !== undefined) checkOperation({ permit, ownedResources }, op, spec, parsed);",
      replace: "",
      tests: rights,
    },
    {
      guard: "a client acts for a guest's shell with the guest's role",
      find: "withLowerRole(client, permit.person.role)",
      replace: "client",
      tests: rights,
    },
  ]),
  ...mutantsOf("main/relay/session/client-connection.ts", [
    {
      guard: "what a client does in the name of no command is recorded",
      find: "if (leftMs === undefined) return this.#recorded",
      replace: "if (command === undefined) return this.#recorded",
      tests: audit,
    },
    {
      guard: "a second hello ends the connection",
      find: 'this.close("a second hello");',
      replace: "",
      tests: clients,
    },
  ]),
  ...mutantsOf("main/relay/session/client-output.ts", [
    {
      guard: "a terminal answers no query of a program that was printed before it watched",
      find: "offset < answeredTo || ",
      replace: "",
      tests: queries,
    },
    {
      guard: "of several terminals one answers the queries of programs",
      find: " || !answers.answers(client, shell)",
      replace: "",
      tests: queries,
    },
  ]),
  ...mutantsOf("main/relay/session/shell-rights.ts", [
    {
      guard: "a shell whose programs cannot be determined is restricted",
      find: 'return { reason: { kind: "unknown" }, agents: [] };',
      replace: "return { agents: [] };",
      tests: rights,
    },
    {
      guard: "a shell with an agent is restricted until the user allows it",
      find: "agents.filter((agent) => !this.#requests.isAllowed(agent))",
      replace: "agents.filter(() => false)",
      tests: rights,
    },
    {
      guard: "what a restricted caller made is restricted",
      find: "if (shell.restricted ?? shell.makers !== undefined)",
      replace: "if (shell.restricted === true)",
      tests: rights,
    },
    {
      guard: "a shell that a restricted caller types into is restricted",
      find: "this.#options.shells.setRestricted(id, true);",
      replace: "",
      tests: rights,
    },
    {
      guard: "what an allowed agent makes is restricted",
      find: "maker: byAgent ? shellMaker(shell) : undefined,",
      replace: "maker: undefined,",
      tests: rights,
    },
  ]),
  ...mutantsOf("main/relay/calls/calls.ts", [
    {
      guard: "an operation is called only with its permission",
      find: "if (permit !== undefined) checkAccess(permit, name, { access, closedToAgents });",
      replace: "",
      tests: operations,
    },
    {
      guard: "operations of the relay's owner are closed to others",
      find: 'if (owner === "relay" && principal.user !== this.#options.owner) {',
      replace: "if (false) {",
      tests: operations,
    },
    {
      guard: "operations on a session are its owner's",
      find: "String(params.session));\n    checkOwner(principal, session);",
      replace: "String(params.session));",
      tests: operations,
    },
    {
      guard: "every changing operation is recorded",
      find: "if (procedure !== undefined && onlyReads(procedure)) return;",
      replace: "if (procedure !== undefined) return;",
      tests: operations,
    },
    {
      guard: "parameters are checked by their declaration",
      find: "...parseParams(split.others, others, rest.at) }",
      replace: "...(others as object) }",
      tests: [...operations, "test/unit/main/relay/http/app.strict-requests.test.ts"],
    },
    {
      guard: "a command is called by the session's owner only",
      find: 'options.session ?? "");\n    checkOwner(principal, session);',
      replace: 'options.session ?? "");',
      tests: ["test/unit/main/relay/calls/calls.test.ts"],
    },
    {
      guard: "an answer with a secret is not stored for its repetition",
      find: 'keeps: procedure?.kind !== "operation" || procedure.spec.hasSecret !== true,',
      replace: "",
      tests: ["test/integration/main/relay/calls/by-name.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/audit/audit-fields.ts", [
    {
      guard: "sensitive values are masked",
      find: "sensitive.includes(name) ? masked(value) : shortened(value)",
      replace: "shortened(value)",
      tests: [...operations, ...audit],
    },
  ]),
  ...mutantsOf("main/relay/http/audit-calls.ts", [
    {
      guard: "every changing request is recorded",
      find: 'response.once("close", () => this.#closed(request, response, call));',
      replace: "",
      tests: audit,
    },
  ]),
  ...mutantsOf("main/relay/session/client-connection.ts", [
    {
      guard: "what a guest changes over the socket is recorded",
      find: "if (leftMs === undefined) return this.#recorded(op, params, caller);",
      replace: "if (leftMs === undefined) return operate(this.record, op, params, caller);",
      tests: audit,
    },
  ]),
  ...mutantsOf("main/relay/session/role-requests.ts", [
    {
      guard: "a person has to wait before asking to type again",
      find: "if (until !== undefined) {",
      replace: "if (until === Number.NaN) {",
      tests: ["test/integration/main/relay/role-requests.test.ts"],
    },
    {
      guard: "a request to type is withdrawn with its person",
      find: 'this.#requests.close(request.id, "withdrawn");',
      replace: "return;",
      tests: ["test/integration/main/relay/role-requests.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/session/operations.ts", [
    {
      guard: "no guest decides who may type",
      find: "if (guest === true || permit?.person !== undefined) {",
      replace: "if (guest === undefined && permit?.person !== undefined) {",
      tests: ["test/integration/main/relay/role-requests.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/session/uploads.ts", [
    {
      guard: "a file is no larger than its owner said",
      find: 'if (received > size) throw new RemoteError("limit_reached", "The file is larger than was said.");',
      replace: "",
      tests: uploads,
    },
    {
      guard: "all files of an upload together are bounded",
      find: "if (files.reduce((sum, { size }) => sum + size, 0) > uploadLimits.bytes) {",
      replace: "if (false) {",
      tests: uploads,
    },
    {
      guard: "an upload goes to the folder that the user was shown",
      find: "if (folder !== cwd || !isAbsolute(folder)) {",
      replace: "if (false) {",
      tests: uploads,
    },
    {
      guard: "an upload ends with the right to type",
      find: "const unwatch = lifetime?.onEnd((reason) => void this.#end(id, reason));",
      replace: "const unwatch = undefined as (() => void) | undefined;",
      tests: uploads,
    },
    {
      guard: "an upload belongs to the client that began it",
      find: "if (upload?.client === client) return upload;",
      replace: "if (upload !== undefined) return upload;",
      tests: uploads,
    },
  ]),
  ...mutantsOf("main/relay/session/upload-folder.ts", [
    {
      guard: "an upload overwrites and follows nothing",
      find: "O_CREAT | O_EXCL | O_WRONLY,",
      replace: "O_CREAT | O_WRONLY,",
      tests: uploads,
    },
    {
      guard: "an upload that ends early leaves nothing",
      find: "for (const path of written) await rm(path, { force: true }).catch(() => undefined);",
      replace: "",
      tests: uploads,
    },
  ]),
  ...mutantsOf("core/protocol/uploads.ts", [
    {
      guard: "an uploaded file has no name that acts on a terminal",
      find: 'base.replace(UNSAFE, "_")',
      replace: "base",
      tests: uploads,
    },
    {
      guard: "an uploaded file stays in its folder",
      find: 'given.split(/[\\\\/]/).at(-1) ?? ""',
      replace: "given",
      tests: uploads,
    },
  ]),
  ...mutantsOf("main/agents/signed-prices.ts", [
    {
      guard: "a price list is signed by the project",
      find: "if (!keys.some((key) => verify(null, bytes, publicKey(key), signature))) {",
      replace: "if (false) {",
      tests: prices,
    },
    {
      guard: "a price list is not of the future",
      find: "if (Date.parse(prices.date) > now + AHEAD_MS)",
      replace: "if (false)",
      tests: prices,
    },
  ]),
  ...mutantsOf("main/agents/price-list.ts", [
    {
      guard: "no older price list takes the place of a newer one",
      find: "if (given.date < date || (given.date === date && given.version !== version)) {",
      replace: "if (false) {",
      tests: prices,
    },
  ]),
  ...mutantsOf("main/relay/calls/idempotency.ts", [
    {
      guard: "an Idempotency-Key is good for one body",
      find: "if (body !== digest) {",
      replace: "if (false) {",
      tests: ["test/integration/main/relay/calls/idempotency.test.ts"],
    },
    {
      guard: "a flood of requests with keys costs no other caller the exactly-once",
      find: "if (ids.size > most.size) most = ids;",
      replace: "if (most.size === 0) most = ids;",
      tests: ["test/unit/main/relay/calls/idempotency.test.ts"],
    },
    {
      guard: "the answers that are kept for a caller are bounded",
      find: "if (caller === undefined || caller.kept <= MOST_KEPT) return;",
      replace: "return;",
      tests: ["test/unit/main/relay/calls/idempotency.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/store/open-store.ts", [
    {
      guard: "the data folder is private",
      find: "chmodSync(folder, 0o700);",
      replace: "chmodSync(folder, 0o755);",
      tests: files,
    },
    {
      guard: "the store's files are private",
      find: "if (existsSync(name)) chmodSync(name, 0o600);",
      replace: "if (existsSync(name)) chmodSync(name, 0o644);",
      tests: files,
    },
  ]),
  ...mutantsOf("main/system/listen-privately.ts", [
    {
      guard: "the sockets are private",
      find: "chmodSync(bound, 0o600);",
      replace: "chmodSync(bound, 0o666);",
      tests: [...files, "test/unit/main/system/listen-privately.test.ts"],
    },
  ]),
  ...mutantsOf("main/system/folders.ts", [
    {
      guard: "no socket is put into a folder that is not the user's alone",
      find: "if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return folder;",
      replace: "return folder;",
      tests: ["test/integration/main/entry/socket-folder.test.ts", "test/security/second-user.test.ts"],
    },
  ]),
  ...mutantsOf("cli/connect/request-key.ts", [
    {
      guard: "a login prints no sequence of the relay that it asks",
      find: "const Printable = z.string().regex(/^[\\x21-\\x7e]+$/);",
      replace: "const Printable = z.string();",
      tests: ["test/unit/cli/connect/request-key.test.ts"],
    },
    {
      guard: "a relay that a login waits for is not asked without a pause",
      find: "Math.min(Math.max(seconds, 1), MAX_INTERVAL_SECONDS)",
      replace: "seconds",
      tests: ["test/unit/cli/connect/request-key.test.ts"],
    },
  ]),
  ...mutantsOf("cli/render/table.ts", [
    {
      guard: "the heading of a column controls no terminal",
      find: "const heading = escapeControls(headingOf(path, shared));",
      replace: "const heading = headingOf(path, shared);",
      tests: ["test/unit/cli/render/terminal-text.test.ts"],
    },
  ]),
  ...mutantsOf("cli/render/safe-output.ts", [
    {
      guard: "what is printed to a terminal does not act on it",
      find: 'if (!COLOUR.test(sequence)) return "";',
      replace: "",
      tests: ["test/unit/cli/render/safe-output.test.ts"],
    },
  ]),
  ...mutantsOf("main/entry/logging/open-log.ts", [
    {
      guard: "no secret stands in the log",
      find: "hooks: { streamWrite: maskSecrets },",
      replace: "",
      tests: ["test/unit/main/entry/logging/open-log.test.ts", "test/security/second-user.test.ts"],
    },
  ]),
  ...mutantsOf("main/shells/marks/parse-claim.ts", [
    {
      guard: "a mark counts only with the nonce of its cycle",
      find: "if (secret.nonceOf(Number(cycle)) !== nonce) return undefined;",
      replace: "",
      tests: ["test/unit/main/shells/marks/command-tracker.test.ts"],
    },
  ]),
  ...mutantsOf("main/shells/marks/mark-filter.ts", [
    {
      guard: "the shell's marks do not stand in its output",
      find: "if (!this.#sink.mark(payload)) this.#output(all.subarray(start, end + 1));",
      replace: "this.#sink.mark(payload);\n    this.#output(all.subarray(start, end + 1));",
      tests: ["test/unit/main/shells/marks/mark-filter.test.ts"],
    },
  ]),
  ...mutantsOf("main/shells/marks/command-tracker.ts", [
    {
      guard: "a mark of an earlier cycle changes nothing",
      find: "if (cycle < this.#cycle || message === undefined) return undefined;",
      replace: "if (message === undefined) return undefined;",
      tests: ["test/unit/main/shells/marks/command-tracker.test.ts", "test/security/programs.test.ts"],
    },
  ]),
  ...mutantsOf("main/desktop/ipc/app-url.ts", [
    {
      guard: "an address of the app names no file outside its folder",
      find: "return file.startsWith(folder + path.sep) ? file : undefined;",
      replace: "return file;",
      tests: ["test/unit/main/desktop/ipc/app-url.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/session/restorer.ts", [
    {
      guard: "nothing starts again with a part that is hidden",
      find: "if ([program, ...Object.values(env)].some(hasHidden)) return",
      replace: "if ([program, ...Object.values(env)].length < 0) return",
      tests: ["test/unit/main/relay/session/restorer.test.ts", "test/security/restart.test.ts"],
    },
    {
      guard: "no conversation is resumed by a line of which a part is hidden",
      find: "if (!canResume(agent) || !hasHidden(agent.command)) return agent;",
      replace: "return agent;",
      tests: ["test/unit/main/relay/session/restorer.test.ts", "test/security/restart.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/session/uploads.ts", [
    {
      guard: "guests leave places for uploads to the owner",
      find: "(isGuest && ofGuests >= MOST_OF_GUESTS)",
      replace: "false",
      tests: ["test/unit/main/relay/session/uploads.test.ts"],
    },
  ]),
  ...mutantsOf("core/protocol/roles.ts", [
    {
      guard: "a client ends, removes and repeats its own shells, and an admin any",
      find: 'return role === "admin" || ownerClientId === id;',
      replace: 'return role !== "reader" || ownerClientId === id;',
      tests: [
        "test/unit/main/relay/session/shell-user.test.ts",
        "test/unit/renderer/session/shells/shell-actions.test.ts",
      ],
    },
  ]),
  ...mutantsOf("core/protocol/waiting.ts", [
    {
      guard: "the owner is shown requests for shells of clients that nobody sees",
      find: "(mayStandIn && !isSeen(to))",
      replace: "false",
      tests: ["test/unit/core/protocol/waiting.test.ts"],
    },
  ]),
];
