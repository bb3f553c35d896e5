import { mutantsOf } from "../../tools/mutants/mutant.mjs";

const credentials = [
  "test/unit/main/relay/http/auth.credentials.test.ts",
  "test/integration/main/relay/shell-token.test.ts",
];
const requests = ["test/unit/main/relay/http/app.strict-requests.test.ts", "test/unit/main/relay/http/app.test.ts"];
const outside = ["test/unit/main/relay/http/tls-listener.test.ts"];
const unread = ["test/unit/main/relay/http/unread-answers.test.ts"];
const pages = ["test/security/hostile-page.test.ts"];
const gate = ["test/unit/main/relay/net/connection-gate.test.ts"];
const sockets = ["test/integration/main/relay/hostile-sockets.test.ts"];

export default [
  ...mutantsOf("main/relay/http/unread-answers.ts", [
    {
      guard: "a caller that leaves too much unread is refused",
      find: "if (this.#bytesOf(caller) <= this.#limits.refuseAbove) return undefined;",
      replace: "if (true) return undefined;",
      tests: unread,
    },
    {
      guard: "answers that are left unread are cut beyond a limit",
      find: "if (connections.size > 1 && this.#bytesOf(caller) > this.#limits.cutAbove) this.#cut(socket);",
      replace: "if (false) this.#cut(socket);",
      tests: unread,
    },
    {
      guard: "an answer in pieces counts from the first piece that is left unread",
      find: 'response.once("pipe", (body) => this.#keepWhenStalled(caller, response, body));',
      replace: "",
      tests: unread,
    },
    {
      guard: "what of an answer in pieces was not sent yet counts, too",
      find: "sum += writableLength + (body?.unsent ?? 0);",
      replace: "sum += writableLength;",
      tests: unread,
    },
    {
      guard: "an answer of which nothing is read is given up",
      find: "else response.setTimeout(this.#limits.giveUpAfter, () => this.#giveUp(socket));",
      replace: "",
      tests: unread,
    },
    {
      guard: "a stream whose reader has caught up is not given up",
      find: "if (socket.writableLength > 0) this.#cut(socket);",
      replace: "this.#cut(socket);",
      tests: unread,
    },
  ]),
  ...mutantsOf("main/relay/http/app.ts", [
    {
      guard: "answers of every caller are watched",
      find: "unread.watch(caller, response);",
      replace: "",
      tests: ["test/integration/main/relay/fairness.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/mcp/mcp-routes.ts", [
    {
      guard: "each call of an MCP request is refused as a request would be",
      find: "return error === undefined ? run() : { error, client: undefined };",
      replace: "return run();",
      tests: ["test/integration/main/relay/mcp.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/http/auth.ts", [
    {
      guard: "guesses of keys are limited",
      find: "const wait = given ? this.#failures.take(remoteNetwork(address)) : 0;",
      replace: "const wait = 0;",
      tests: ["test/security/programs.test.ts"],
    },
    {
      guard: "a shell's token opens no connection that outlives the check",
      find: "if (principal.shell !== undefined) {",
      replace: "if (false) {",
      tests: credentials,
    },
    {
      guard: "a restricted key joins no session as a client",
      find: "if (permit !== undefined) checkAccess(permit, stream, { access: streamAccess[stream] });",
      replace: "",
      tests: ["test/integration/main/relay/restricted-keys.test.ts"],
    },
    {
      guard: "a restricted key reads only the streams that it may",
      find: "if (permit !== undefined) checkAccess(permit, stream, { access });",
      replace: "",
      tests: ["test/integration/main/relay/restricted-keys.test.ts"],
    },
    {
      guard: "a shell's token is refused from another machine",
      find: "if (!isRemote(request) && fleetPeerOf(request) === undefined) return principal;",
      replace: "if (fleetPeerOf(request) === undefined) return principal;",
      tests: outside,
    },
    {
      guard: "a shell's token is refused through another relay of the fleet",
      find: "if (!isRemote(request) && fleetPeerOf(request) === undefined) return principal;",
      replace: "if (!isRemote(request)) return principal;",
      tests: ["test/security/fleet.test.ts"],
    },
    {
      guard: "a bearer token is limited to its scopes",
      find: "if (principal.scopes.includes(scope)) return principal;",
      replace: "return principal;",
      tests: [
        "test/integration/main/relay/plugins/token.test.ts",
        "test/integration/main/relay/plugins/credentials.test.ts",
      ],
    },
  ]),
  ...mutantsOf("main/relay/http/admit-client.ts", [
    {
      guard: "a guest's WebSocket needs an Origin",
      find: "if (guest === undefined || request.headers.origin === undefined) {",
      replace: "if (guest === undefined) {",
      tests: pages,
    },
    {
      guard: "a WebSocket of another site is refused",
      find: "checkOrigin(request, options);",
      replace: "",
      tests: pages,
    },
    {
      guard: "a key joins only sessions of its owner",
      find: "checkOwner(principal, session);",
      replace: "",
      tests: ["test/integration/main/relay/hostile-clients.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/http/output-routes.ts", [
    {
      guard: "a key reads the output of its owner's sessions only",
      find: "checkOwner(principal, session);",
      replace: "",
      tests: credentials,
    },
  ]),
  ...mutantsOf("main/relay/http/event-routes.ts", [
    {
      guard: "a key follows the events of its owner's sessions only",
      find: "checkOwner(principal, session);",
      replace: "",
      tests: credentials,
    },
    {
      guard: "a slow reader of kept events gets none after the end of its key",
      find: "const release = auth.lifetimeOf(principal)?.onEnd(",
      replace: "const release = (follow ? auth.lifetimeOf(principal) : undefined)?.onEnd(",
      tests: ["test/unit/main/relay/http/event-routes.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/http/app.ts", [
    {
      guard: "requests of other sites and names are refused",
      find: "checkOrigin(request, options);",
      replace: "",
      tests: pages,
    },
  ]),
  ...mutantsOf("main/relay/http/body.ts", [
    {
      guard: "a body that is announced as too large is refused before it arrives",
      find: 'if (Number(headers["content-length"] ?? 0) > limit) throw bodyTooLarge(limit);',
      replace: "if (headers === undefined) throw bodyTooLarge(limit);",
      tests: requests,
    },
    {
      guard: "a form of another site is no JSON body",
      find: 'if (!request.is("application/json")) {',
      replace: "if (false) {",
      tests: [...requests, ...pages],
    },
    {
      guard: "a body is nested only so deep",
      find: "else if (isDeeperThan(request.body, jsonDepth.body)) reject(tooDeep());",
      replace: "",
      tests: requests,
    },
    {
      guard: "a body is UTF-8",
      find: "if (!isUtf8(bytes))",
      replace: "if (false)",
      tests: requests,
    },
    {
      guard: "a body is of bounded size",
      find: "JSON_OPTIONS = { limit: limits.bodyBytes,",
      replace: 'JSON_OPTIONS = { limit: "1gb",',
      tests: requests,
    },
    {
      guard: "a form's field stands once",
      find: 'if (typeof value !== "string") throw',
      replace: "if (false) throw",
      tests: ["test/unit/main/relay/http/login-routes.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/http/query.ts", [
    {
      guard: "a query parameter stands once",
      find: 'if (typeof value !== "string") {',
      replace: "if (false) {",
      tests: requests,
    },
  ]),
  ...mutantsOf("main/relay/http/built-page.ts", [
    {
      guard: "no page frames the session",
      find: `"frame-ancestors 'none'",`,
      replace: "",
      tests: pages,
    },
  ]),
  ...mutantsOf("main/relay/http/login-routes.ts", [
    {
      guard: "guessed device codes count as failures",
      find: 'if (state === "unknown") auth.countFailure(request);',
      replace: "",
      tests: ["test/unit/main/relay/http/login-routes.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/access/owner-links.ts", [
    {
      guard: "a link of the owner for this machine lets no other in",
      find: "const isHere = link?.outside === true || !isRemote;",
      replace: "const isHere = true;",
      tests: ["test/unit/main/relay/access/owner-links.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/http/owner-routes.ts", [
    {
      guard: "the key of the owner's browser has the limits of the key that made its link",
      find: "...(madeBy === undefined ? {} : { key: madeBy })",
      replace: "",
      tests: outside,
    },
  ]),
  ...mutantsOf("main/relay/net/origin-guard.ts", [
    {
      guard: "a name that was rebound to this machine gets nothing",
      find: "if (!isOwnHost(host, request, access)) {",
      replace: "if (false) {",
      tests: pages,
    },
    {
      guard: "a Host header is matched as a whole",
      find: String.raw`(?::\d{1,5})?$/i`,
      replace: "/i",
      tests: ["test/unit/main/relay/http/auth.credentials.test.ts"],
    },
    {
      guard: "a request of another origin is refused",
      find: "if (origin !== undefined && origin !==",
      replace: "if (false && origin !==",
      tests: pages,
    },
    {
      guard: "other machines reach pages and operations only",
      find: 'if (isRemote(request) && !isRemotePath(request.url ?? "/", options.basePath)) {',
      replace: "if (false) {",
      tests: outside,
    },
    {
      guard: "an opaque origin reaches plugin pages only",
      find: "PLUGIN_PAGE.exec(below(path, basePath))?.[1]?.length === DIGEST_LENGTH",
      replace: "true",
      tests: credentials,
    },
    {
      guard: "another machine uses a name of the certificate",
      find: "return remoteAccess.serves(name) ||",
      replace: "return true ||",
      tests: outside,
    },
  ]),
  ...mutantsOf("main/relay/net/cookies.ts", [
    {
      guard: "no script reads a cookie",
      find: "; HttpOnly",
      replace: "",
      tests: [...pages, "test/unit/main/relay/net/cookies.test.ts"],
    },
    {
      guard: "no other site makes the browser send a cookie",
      find: "; SameSite=Strict",
      replace: "",
      tests: [...pages, "test/unit/main/relay/net/cookies.test.ts"],
    },
    {
      guard: "a cookie that was set over TLS is sent over TLS only",
      find: "$" + '{secure ? "; Secure" : ""}',
      replace: "",
      tests: [...outside, "test/unit/main/relay/net/cookies.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/net/connection-gate.ts", [
    {
      guard: "connections are bounded in all",
      find: 'if (this.#authenticated.size + this.#unauthenticated.size >= all) return "too many connections";',
      replace: "",
      tests: gate,
    },
    {
      guard: "one caller cannot take all connections",
      find: "if (own.size <= this.#limits.perCaller || other === undefined) return;",
      replace: "return;",
      tests: gate,
    },
    {
      guard: "idle connections cannot keep others out",
      find: "if (this.#unauthenticated.size <= this.#limits.unauthenticated) return;",
      replace: "return;",
      tests: sockets,
    },
    {
      guard: "one network of other machines has a bounded number of connections",
      find: 'return crowded && !LOOPBACK.test(remoteAddress) ? "too many from one address" : undefined;',
      replace: "return undefined;",
      tests: gate,
    },
  ]),
  ...mutantsOf("main/relay/http/built-page.ts", [
    {
      guard: "a page that opens ours has no hold on it",
      find: '"Cross-Origin-Opener-Policy": "same-origin",',
      replace: "",
      tests: ["test/security/hostile-page.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/net/client-socket.ts", [
    {
      guard: "an answer that takes long to write is counted",
      find: "      spend(0, startedAt);\n",
      replace: "",
      tests: ["test/unit/main/relay/net/client-socket.test.ts"],
    },
    {
      guard: "a frame that takes long to read is counted by its time",
      find: "tookMs < LONG_MS ? price : ",
      replace: "tookMs > LONG_MS ? price : ",
      tests: ["test/unit/main/relay/net/client-socket.test.ts"],
    },
    {
      guard: "a malformed frame ends the connection",
      find: "return isDeeperThan(frame, jsonDepth.frame) ? undefined : parseClientFrame(frame);",
      replace: "return frame as ClientFrame;",
      tests: ["test/integration/main/relay/hostile-clients.test.ts", ...sockets],
    },
    {
      guard: "a frame is nested only so deep",
      find: "isDeeperThan(frame, jsonDepth.frame) ? undefined : ",
      replace: "",
      tests: ["test/integration/main/relay/hostile-clients.test.ts", ...sockets],
    },
    {
      guard: "a client that reads nothing is disconnected",
      find: "if (sender.unread > UNREAD_LIMIT)",
      replace: "if (false)",
      tests: ["test/integration/main/relay/hostile-clients.test.ts", ...sockets],
    },
    {
      guard: "a client that sends nothing is disconnected",
      find: 'disconnect("late hello", CLOSE_SLOW, "no hello in time")',
      replace: "undefined",
      tests: ["test/integration/main/relay/hostile-clients.test.ts", ...sockets],
    },
    {
      guard: "a client that floods is slowed down",
      find: "pause(frames.spend(tookMs < LONG_MS ?",
      replace: "void (frames.spend(tookMs < LONG_MS ?",
      tests: ["test/integration/main/relay/hostile-clients.test.ts", ...sockets],
    },
  ]),
  ...mutantsOf("core/protocol/shown-name.ts", [
    {
      guard: "a name that a program or guest chose has no invisible characters",
      find: '.replace(INVISIBLE, " ")',
      replace: "",
      tests: ["test/unit/core/protocol/shown-name.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/net/frame-sender.ts", [
    {
      guard: "nothing comes between the pieces of a message",
      find: "if (this.#waiting === undefined) this.#sendWhole(frame);",
      replace: "if (true) this.#sendWhole(frame);",
      tests: ["test/unit/main/relay/net/frame-sender.test.ts"],
    },
    {
      guard: "frames that wait for the end of a long one count as unread",
      find: "this.#waitingBytes += sizeOf(frame);",
      replace: "",
      tests: ["test/unit/main/relay/net/frame-sender.test.ts"],
    },
  ]),
];
