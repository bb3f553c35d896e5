import { mutantsOf } from "../../tools/mutants/mutant.mjs";

const keys = ["test/unit/main/relay/access/keys.test.ts", "test/unit/main/relay/http/auth.credentials.test.ts"];
const made = ["test/security/made-with-keys.test.ts"];
const revocation = ["test/integration/main/relay/revocation.test.ts"];
const invites = ["test/unit/main/relay/access/invites.test.ts", "test/unit/main/relay/http/auth.credentials.test.ts"];
const logins = ["test/unit/main/relay/access/logins.test.ts", "test/unit/main/relay/http/login-routes.test.ts"];
const restricted = [
  "test/integration/main/relay/restricted-keys.test.ts",
  "test/integration/main/relay/shell-token.test.ts",
];
const shellToken = [
  "test/integration/main/relay/shell-token.test.ts",
  "test/unit/main/relay/session/shell-rights.test.ts",
];

export default [
  ...mutantsOf("main/relay/access/live-keys.ts", [
    {
      guard: "an expired key is refused, and what it opened ends",
      find: "return expiresAt !== null && Date.parse(expiresAt) <= now;",
      replace: "return false;",
      tests: keys,
    },
    {
      guard: "a key that another process revoked is refused, and what it opened ends",
      find: 'if (stored === undefined) this.end(digest, "revoked");',
      replace: "if (stored === undefined) continue;",
      tests: [...keys, ...revocation],
    },
    {
      guard: "what a key opened ends when its rights change",
      find: 'else if (!hasSameRights(key, stored)) this.end(digest, "changed");',
      replace: "",
      tests: revocation,
    },
    {
      guard: "what a key opened ends with the key",
      find: "this.#options.ended(live.caller, ending, live.lifetime.end(credentialEnded(ending)));",
      replace: "",
      tests: revocation,
    },
  ]),
  ...mutantsOf("main/relay/access/keys.ts", [
    {
      guard: "a bearer token is no API key, and an API key no bearer token",
      find: "return principal?.scheme === scheme ? principal : undefined;",
      replace: "return principal;",
      tests: keys,
    },
    {
      guard: "a shell's token has at most the rights of the people who had the shell",
      find: "role: lesserRole(before, role)",
      replace: "role: before",
      tests: keys,
    },
    {
      guard: "a shell's token stays a guest's when its owner takes the shell over",
      find: "guest: wasGuest || guest",
      replace: "guest",
      tests: keys,
    },
    {
      guard: "a shell's token ends with its shell",
      find: "for (const [digest, token] of this.#tokensWhere(matches)) {",
      replace: "for (const [digest, token] of this.#tokensWhere(() => false)) {",
      tests: shellToken,
    },
    {
      guard: "a removed guest's shells lose their tokens, however long ago the guest left",
      find: "token.session === session && this.#guestsOf.get(digest)?.includes(guestId) === true;",
      replace: "false;",
      tests: ["test/integration/main/relay/guest-endings.test.ts"],
    },
    {
      guard: "only the digest of a key is stored",
      find: "digest: digestOf(secret),",
      replace: "digest: secret,",
      tests: [...keys, "test/security/programs.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/access/guests.ts", [
    {
      guard: "a guest's admission expires",
      find: "return unexpired(this.#rows.getByDigest(digestOf(secret)));",
      replace: "return this.#rows.getByDigest(digestOf(secret));",
      tests: invites,
    },
    {
      guard: "no guest has a name that stands for the owner",
      find: "if (isReservedName(wanted, [owner, userInfo().username])) {",
      replace: "if (wanted === null) {",
      tests: ["test/security/guests.test.ts"],
    },
    {
      guard: "no guest has the name of a person who is here",
      find: "if (!present.some((other) => isSameName(wanted, other))) return wanted;",
      replace: "if (present !== null) return wanted;",
      tests: ["test/security/guests.test.ts"],
    },
    {
      guard: "a change of a guest's role reaches every tab",
      find: "this.#notify([{ session, id, guest }]);",
      replace: "",
      tests: ["test/security/guests.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/access/invites.ts", [
    {
      guard: "a guest has the role of the invite",
      find: "const { id, role, madeBy } = invite;",
      replace: 'const { id, madeBy } = invite;\n    const role = "admin";',
      tests: invites,
    },
  ]),
  ...mutantsOf("main/relay/store/invite-rows.ts", [
    {
      guard: "an invite is used only as often as it allows",
      find: "SET uses_left = uses_left - 1",
      replace: "SET uses_left = uses_left",
      tests: invites,
    },
    {
      guard: "an expired invite admits nobody",
      find: "const USABLE = `uses_left > 0 AND expires_at > ?",
      replace: "const USABLE = `uses_left > 0 AND ? IS NOT NULL",
      tests: invites,
    },
    {
      guard: "an invite is good for its own session",
      find: "FROM invites\n       WHERE digest = ? AND session_id = ? AND",
      replace: "FROM invites\n       WHERE digest = ? AND ? IS NOT NULL AND",
      tests: invites,
    },
  ]),
  ...mutantsOf("main/relay/access/guest-cookie.ts", [
    {
      guard: "a guest of one session is no guest of another",
      find: "guest?.session === session",
      replace: "guest !== undefined",
      tests: invites,
    },
    {
      guard: "a request with a page key is its guest's, whatever its cookies",
      find: "key === undefined ? cookies() :",
      replace: "key === undefined || cookies().length > 0 ? cookies() :",
      tests: ["test/unit/main/relay/net/cookies.test.ts"],
    },
    {
      guard: "the cookie goes to the session's own path only",
      find: "const path = secure",
      replace: 'const path = true ? "/" : secure',
      tests: ["test/unit/main/relay/net/cookies.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/access/logins.ts", [
    {
      guard: "a device code is good for the program that began the login",
      find: "if (row === undefined || row.client !== client)",
      replace: "if (row === undefined)",
      tests: logins,
    },
    {
      guard: "a login yields one key",
      find: 'return this.#rows.removeAllowed(digest) ? "allowed" : "unknown";',
      replace: 'return "allowed";',
      tests: logins,
    },
    {
      guard: "a login that was not answered in time expires",
      find: "if (Date.parse(expiresAt) <= now) {",
      replace: "if (now < 0) {",
      tests: logins,
    },
    {
      guard: "a program that polls too often is slowed down",
      find: 'if (this.#isTooEarly(digest, now)) return "slow_down";',
      replace: "",
      tests: logins,
    },
    {
      guard: "only a few logins wait at a time",
      find: "if (rows.length >= MOST_PENDING) {",
      replace: "if (rows.length < 0) {",
      tests: logins,
    },
    {
      guard: "a requester with fewer logins is let in",
      find: "const fits = requester === OWN_REQUESTER ? own === 0 || own < most.length : own + 1 < most.length;",
      replace: "const fits = false;",
      tests: logins,
    },
    {
      guard: "each requester has its own limit in a minute",
      find: "this.#begunLastMinute.take(requester);",
      replace: "this.#begunLastMinute.take();",
      tests: logins,
    },
  ]),
  ...mutantsOf("main/relay/http/login-routes.ts", [
    {
      guard: "a user of this machine is one requester, whatever its addresses",
      find: "if (uid !== undefined) return `user $" + "{uid}`;",
      replace: "if (uid !== undefined) return remoteAddress;",
      tests: ["test/security/second-user.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/access/permits/check-call.ts", [
    {
      guard: "a read-only key changes nothing",
      find: "if (permit.readOnly) refuse(permit, method,",
      replace: "if (false) refuse(permit, method,",
      tests: restricted,
    },
    {
      guard: "a restricted caller does not decide what it may do",
      find: "if (decidesRights && permit.maker !== undefined) {",
      replace: "if (false) {",
      tests: shellToken,
    },
    {
      guard: "a guest's shell does no more than the guest's role",
      find: "if (person === undefined || !roleForbids(role, person.role)) return;",
      replace: "return;",
      tests: shellToken,
    },
    {
      guard: "a caller limited to its own shells changes no screen",
      find: 'if (touches === undefined || touches === "screen") {',
      replace: "if (false) {",
      tests: restricted,
    },
    {
      guard: "a guest's shell changes its guest's screen only",
      find: "if (person === undefined || person.client === client ||",
      replace: "if (person === undefined || person.client !== undefined ||",
      tests: shellToken,
    },
    {
      guard: "operations of the session's owner are closed to a guest's shell",
      find:
        'if (permit.person !== undefined) {\n    throw new RemoteError("scope_forbids", `$' + "{name} is for the owner",
      replace: 'if (false) {\n    throw new RemoteError("scope_forbids", `$' + "{name} is for the owner",
      tests: [...shellToken, "test/contract/every-operation.test.ts"],
    },
    {
      guard: "operations for unrestricted callers are closed to restricted ones",
      find: 'if (access === "unrestricted" && permit.excludesUnrestricted) {',
      replace: "if (false) {",
      tests: ["test/contract/every-operation.test.ts", ...restricted],
    },
    {
      guard: "a read-only key calls no changing operation",
      find: "if (permit.readOnly) refuse(permit, name,",
      replace: "if (false) refuse(permit, name,",
      tests: ["test/contract/every-operation.test.ts", ...restricted],
    },
    {
      guard: "a caller limited to its own shells calls no changing operation",
      find: 'if (permit.ownership !== undefined && access !== "shells") {\n    refuse(permit, name,',
      replace: "if (false) {\n    refuse(permit, name,",
      tests: ["test/contract/every-operation.test.ts", ...restricted],
    },
    {
      guard: "a key limited to some methods calls no other",
      find: "if (methods === undefined) return;",
      replace: "return;",
      tests: restricted,
    },
  ]),
  ...mutantsOf("main/relay/access/permits/check-operation.ts", [
    {
      guard: "a client does nothing changing for a read-only caller's command",
      find: "if (permit.readOnly) refuse(permit, op,",
      replace: "if (false) refuse(permit, op,",
      tests: ["test/unit/main/relay/access/permits/check-operation.test.ts"],
    },
    {
      guard: "a client changes no other shell for a caller limited to its own",
      find: "checkShells({ permit, own,",
      replace: "void ({ permit, own,",
      tests: ["test/unit/main/relay/access/permits/check-operation.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/access/permits/check-things.ts", [
    {
      guard: "a caller limited to its own shells changes no other shell",
      find: "if (id === undefined || ownedResources.ownsShell(own, id)) return;",
      replace: "return;",
      tests: restricted,
    },
    {
      guard: "a caller limited to its own shells changes no other tile",
      find: "if (ownedResources.ownsTile(own, screen, key)) return;",
      replace: "return;",
      tests: restricted,
    },
    {
      guard: "a caller limited to its own shells changes no workspace with other tiles",
      find: "if (keys.length > 0 && keys.every((key) => ownedResources.ownsTile(own, screen, key))) return;",
      replace: "return;",
      tests: restricted,
    },
    {
      guard: "the tile that was checked is the tile that is changed",
      find: "return key === undefined ? call.params : { ...call.params, [tile]: key };",
      replace: "return call.params;",
      tests: ["test/unit/main/relay/access/permits/guard-command.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/access/permits/guard-command.ts", [
    {
      guard: "a shell's token speaks from its own shell only",
      find: "return refuse(permit, method, sentence);",
      replace: "return source;",
      tests: ["test/unit/main/relay/access/permits/guard-command.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/access/permits/method-pattern.ts", [
    {
      guard: "a pattern without a star matches the whole name only",
      find: "if (parts.length === 0) return name === first;",
      replace: "if (parts.length === 0) return name.startsWith(first);",
      tests: [...restricted, "test/unit/main/relay/access/permits/method-pattern.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/access/permits/permit.ts", [
    {
      guard: "a shell's token is good for its own session",
      find: "if (principal.session !== undefined && principal.session !== session.id) {",
      replace: "if (false) {",
      tests: shellToken,
    },
    {
      guard: "only the session's owner may use its API",
      find: "if (principal.user !== session.owner) {",
      replace: "if (false) {",
      tests: ["test/unit/main/relay/http/app.test.ts", "test/contract/every-operation.test.ts"],
    },
    {
      guard: "a restricted key is a restricted maker",
      find: "maker,\n    byAgent: false,\n    excludesUnrestricted: true,\n    restrictsTypedShells: false,\n    person: undefined,\n    advice: () => WIDER_KEY,",
      replace:
        "maker: undefined,\n    excludesUnrestricted: true,\n    restrictsTypedShells: false,\n    person: undefined,\n    advice: () => WIDER_KEY,",
      tests: restricted,
    },
  ]),
  ...mutantsOf("main/relay/access/keys.ts", [
    {
      guard: "a key has at least the restrictions of the key that made it",
      find: "restrictions: { ...options.restrictions, ...limits.restrictions },",
      replace: "restrictions: options.restrictions ?? {},",
      tests: made,
    },
    {
      guard: "what a key makes expires no later than the key",
      find: "return expiresAt === null || Date.parse(wanted) < Date.parse(expiresAt) ? wanted : expiresAt;",
      replace: "return wanted;",
      tests: made,
    },
  ]),
  ...mutantsOf("main/relay/calls/calls.ts", [
    {
      guard: "a key for automation decides no rights and limits",
      find: "checkCredential(principal, name, spec);",
      replace: "",
      tests: made,
    },
    {
      guard: "a command that decides rights is refused to a key for automation before a client is waited for",
      find: "checkCredential(principal, method, spec);",
      replace: "",
      tests: ["test/unit/main/relay/calls/calls.test.ts"],
    },
    {
      guard: "the shell of a person with fewer rights calls nothing of the relay's owner",
      find: 'if (owner === "relay" && !speaksForOwner(principal)) {',
      replace: "if (owner === undefined && !speaksForOwner(principal)) {",
      tests: ["test/unit/main/relay/calls/calls.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/session/operations.ts", [
    {
      guard: "a client or a command with a key for automation decides no rights",
      find: "checkCredential(caller.principal, op, spec);",
      replace: "",
      tests: made,
    },
  ]),
  ...mutantsOf("main/relay/access/guests.ts", [
    {
      guard: "a guest is removed when the key behind the invite was revoked",
      find: "for (const guest of this.#rows.listOrphans()) this.#remove(guest);",
      replace: "",
      tests: made,
    },
  ]),
  ...mutantsOf("main/relay/access/guests.ts", [
    {
      guard: "a guest who is sent away does not come back by the same link",
      find: "if (invite !== null) this.#invites.remove(session, invite);",
      replace: "",
      tests: ["test/security/guests.test.ts"],
    },
    {
      guard: "who is removed has nothing open, also where a store fails",
      find: "    } finally {\n      this.#end(id,",
      replace: "    } catch {\n      this.#end(id,",
      tests: ["test/unit/main/relay/access/guests.test.ts"],
    },
    {
      guard: "all are told of a guest who is gone, also where one of them fails",
      find: "errors.push(error);",
      replace: "throw error;",
      tests: ["test/unit/main/relay/access/guests.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/session/clients.ts", [
    {
      guard: "who comes again may change the layout no more often",
      find: "layouts: this.#layouts.of(credential),",
      replace: "layouts: this.#layouts.of(undefined),",
      tests: ["test/security/guests.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/session/client-connection.ts", [
    {
      guard: "a reader's layouts are taken ten times a second",
      find: "const waitMs = isLimited ? layouts.spend(1) : 0;",
      replace: "const waitMs = isLimited ? 0 : layouts.spend(1);",
      tests: ["test/security/guests.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/session/client-output.ts", [
    {
      guard: "no more output is acknowledged than was sent",
      find: "const due = Math.min(bytes, owed);",
      replace: "const due = bytes;",
      tests: ["test/security/guests.test.ts"],
    },
  ]),
];
