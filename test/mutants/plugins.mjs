import { mutantsOf } from "../../tools/mutants/mutant.mjs";

const hostile = [
  "test/integration/main/relay/plugins/hostile.test.ts",
  "test/integration/main/relay/plugins/install.test.ts",
];
const targets = ["test/unit/main/relay/plugins/fetch-target.test.ts", ...hostile];
const browser = ["test/security/plugins.test.ts"];
const network = ["test/security/plugin-network.test.ts"];
const tunnels = ["test/unit/main/relay/tunnels/tunnel-listener.test.ts", "test/security/tunnelled-page.test.ts"];
const headers = ["test/unit/main/relay/tunnels/tunnel-headers.test.ts", ...tunnels];

export default [
  ...mutantsOf("main/relay/http/plugin-page-routes.ts", [
    {
      guard: "a plugin's page reaches no network",
      find: "\"default-src 'none'\",\n        `script-src ${" + "pageScriptSource}",
      replace: '"default-src *",\n        `script-src $' + "{pageScriptSource}",
      tests: browser,
    },
    {
      guard: "a plugin's page is held where it is",
      find: "`frame-src $" + "{pageUrl(request)}`,",
      replace: '"frame-src *",',
      tests: browser,
    },
    {
      guard: "a document of a plugin's page starts with the relay's script only",
      find: "`script-src $" + "{pageScriptSource} 'unsafe-eval'`,",
      replace: "`script-src 'unsafe-inline' 'unsafe-eval'`,",
      tests: network,
    },
    {
      guard: "a browser that can holds a plugin's lookups",
      find: '"Connection-Allowlist": "(response-origin)",',
      replace: "",
      tests: network,
    },
  ]),
  ...mutantsOf("main/relay/plugins/page-script.ts", [
    {
      guard: "a plugin's page has no WebRTC",
      find: "if (/RTC/.test(name)) delete window[name];",
      replace: "if (/RTC/.test(name)) continue;",
      tests: network,
    },
  ]),
  ...mutantsOf("main/relay/plugins/plugins.ts", [
    {
      guard: "only methods that the plugin asks for can be allowed",
      find: "if (beyond !== undefined) {",
      replace: "if (false) {",
      tests: hostile,
    },
    {
      guard: "what was allowed to one address is not allowed to another",
      find: "const same = known?.manifestUrl === url.href ? known : undefined;",
      replace: "const same = known;",
      tests: hostile,
    },
    {
      guard: "an update keeps only what it still asks for",
      find: ".filter((method) => manifest.permissions.includes(method)),",
      replace: ",",
      tests: hostile,
    },
    {
      guard: "the manifest is of the plugin that was asked for",
      find: "if (manifest.id !== id) {",
      replace: "if (false) {",
      tests: hostile,
    },
    {
      guard: "the entry page comes from the manifest's folder",
      find: 'within: new URL(".", answer.url),',
      replace: "",
      tests: hostile,
    },
    {
      guard: "an installation is bounded in time",
      find: "AbortSignal.any([late.signal, this.#stopping.signal])",
      replace: "AbortSignal.any([this.#stopping.signal])",
      tests: hostile,
    },
    {
      guard: "a plugin's values are bounded in length",
      find: "if (text.length > limits.pluginValueLength) {",
      replace: "if (false) {",
      tests: hostile,
    },
    {
      guard: "a plugin's values are bounded in number",
      find: "if (this.#rows.countOtherValues(owner, key) >= limits.pluginValues) {",
      replace: "if (false) {",
      tests: hostile,
    },
  ]),
  ...mutantsOf("main/relay/plugins/fetch-target.ts", [
    {
      guard: "an address is https, or on this machine",
      find: 'if (url.protocol !== "https:" && !(url.protocol === "http:" && wanted === "loopback")) {',
      replace: "if (false) {",
      tests: targets,
    },
    {
      guard: "an address carries no credentials",
      find: 'if (url.username !== "" || url.password !== "")',
      replace: "if (false)",
      tests: targets,
    },
    {
      guard: "an address in numbers is public",
      find: "if (literal !== undefined && addressKind(literal) !== wanted) {",
      replace: "if (false) {",
      tests: targets,
    },
    {
      guard: "a redirect does not lead from https to http",
      find: 'if (from.protocol === "https:" && to.protocol !== "https:")',
      replace: "if (false)",
      tests: targets,
    },
    {
      guard: "a redirect does not lead from outside to this machine",
      find: 'if (expectedKind(from.hostname) === "public" && expectedKind(to.hostname) === "loopback") {',
      replace: "if (false) {",
      tests: targets,
    },
  ]),
  ...mutantsOf("main/relay/plugins/fetch-guarded.ts", [
    {
      guard: "redirects are bounded",
      find: "if (redirects === REDIRECTS_ALLOWED) {",
      replace: "if (redirects === 100) {",
      tests: hostile,
    },
    {
      guard: "what is fetched is bounded in size",
      find: "if (bytes > options.limitBytes)",
      replace: "if (false)",
      tests: hostile,
    },
    {
      guard: "a compressed answer is refused",
      find: 'if (encoding !== "identity")',
      replace: "if (false)",
      tests: hostile,
    },
    {
      guard: "every redirect is checked",
      find: "checkTarget(url, options);\n    const response",
      replace: "const response",
      tests: hostile,
    },
  ]),
  ...mutantsOf("main/relay/plugins/guarded-lookup.ts", [
    {
      guard: "a name leads to public addresses alone",
      find: "return found.some(({ address }) => addressKind(address) !== wanted) ? [] : found;",
      replace: "return found;",
      tests: ["test/unit/main/relay/plugins/guarded-lookup.test.ts", ...hostile],
    },
  ]),
  ...mutantsOf("main/relay/tunnels/tunnel-listener.ts", [
    {
      guard: "connections without a pass give way at a tunnel",
      find: 'server.on("connection", (socket) => connections.admit({ socket, plain: at.certificate === undefined }));',
      replace: "server.maxConnections = CONNECTIONS.all;",
      tests: ["test/unit/main/relay/tunnels/tunnel-listener.test.ts"],
    },
    {
      guard: "a tunnel's connections are counted for their guest",
      find: "connections.markAuthenticated(request, check(checked));",
      replace: "connections.markAuthenticated(request, check(checked) && undefined);",
      tests: ["test/unit/main/relay/tunnels/tunnel-listener.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/tunnels/tunnel-passes.ts", [
    {
      guard: "the guest with the most passes to tunnels loses one when there are too many",
      find: "toSorted((one, other) => other.count - one.count)",
      replace: "toSorted(() => 0)",
      tests: ["test/unit/main/relay/tunnels/tunnel-passes.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/tunnels/tunnel-gate.ts", [
    {
      guard: "a reader uses no tunnel",
      find: 'if (guest.role === "reader") {',
      replace: "if (false) {",
      tests: tunnels,
    },
    {
      guard: "a pass ends with the guest's admission and role",
      find: 'return now !== undefined && now.role !== "reader";',
      replace: "return true;",
      tests: tunnels,
    },
    {
      guard: "a page of another origin does not request through a tunnel",
      find: "checkFetchSite(request);",
      replace: "",
      tests: tunnels,
    },
    {
      guard: "a tunnel admits only browsers of its session",
      find: "if (guest !== undefined) return guest;",
      replace: 'return guest ?? "";',
      tests: tunnels,
    },
  ]),
  ...mutantsOf("main/relay/tunnels/tunnel-passes.ts", [
    {
      guard: "a pass is good for one tunnel",
      find: "return pass?.session === session && pass.port === port && pass.isValid();",
      replace: "return pass?.isValid() === true;",
      tests: tunnels,
    },
  ]),
  ...mutantsOf("main/relay/tunnels/tunnel-gate.ts", [
    {
      guard: "a tunnel of its own host answers to that name only",
      find: "if (headers.host === `$" + "{host}:$" + "{socket.localPort}`) return;",
      replace: "return;",
      tests: tunnels,
    },
  ]),
  ...mutantsOf("renderer/session/view/guard-keys.ts", [
    {
      guard: "a page in a tile takes no keys by itself",
      find: "return since.sinceLed < LEADING_MS || (since.isPressed && since.sinceTyped > TYPING_MS);",
      replace: "return true;",
      tests: ["test/unit/renderer/session/view/guard-keys.test.ts"],
    },
  ]),
  ...mutantsOf("main/desktop/app/guard-contents.ts", [
    {
      guard: "a page in a tile saves nothing by itself",
      find: "if (isAsked || !item.hasUserGesture()) event.preventDefault();",
      replace: "if (isAsked) event.preventDefault();",
      tests: ["test/unit/main/desktop/app/guard-contents.downloads.test.ts"],
    },
  ]),
  ...mutantsOf("main/relay/tunnels/tunnel-headers.ts", [
    {
      guard: "our cookies do not reach the program",
      find: '.filter((pair) => pair !== "" && !PATCHBAY_COOKIE.test(pair))',
      replace: '.filter((pair) => pair !== "")',
      tests: headers,
    },
    {
      guard: "the program sets none of our cookies",
      find: "?.filter((cookie) => !PATCHBAY_COOKIE.test(nameAndMore(cookie)))",
      replace: "?.filter(() => true)",
      tests: headers,
    },
    {
      guard: "a key does not reach the program",
      find: 'delete headers["x-service-token"];',
      replace: "",
      tests: headers,
    },
    {
      guard: "the program changes nothing for the whole host",
      find: "for (const name of HOST_WIDE) delete headers[name];",
      replace: "",
      tests: headers,
    },
    {
      guard: "the program sets no cookie for other hosts",
      find: '.replace(/;\\s*domain\\s*=[^;]*/gi, "")',
      replace: "",
      tests: headers,
    },
  ]),
  ...mutantsOf("main/relay/tunnels/tunnel-headers.ts", [
    {
      guard: "a status that no server may send does not end the relay",
      find: "if (statusCode < 100) response.statusCode = 502;",
      replace: "",
      tests: ["test/unit/main/relay/tunnels/tunnel-listener.test.ts"],
    },
    {
      guard: "fields that are announced by a caller to follow do not end the relay",
      find: "for a request without a body.\n  delete headers.trailer;",
      replace: "for a request without a body.",
      tests: ["test/unit/main/relay/tunnels/tunnel-listener.test.ts"],
    },
  ]),
  ...mutantsOf("renderer/session/tiles/plugin-message.ts", [
    {
      guard: "a plugin's message is measured before it is written out",
      find: "if (lengthLeft(data, MAX_LENGTH, MAX_DEPTH) < 0) return undefined;",
      replace: "if (lengthLeft(0, MAX_LENGTH, MAX_DEPTH) < 0) return undefined;",
      tests: ["test/unit/renderer/session/tiles/plugin-message.test.ts"],
    },
    {
      guard: "nothing is looked at of a plugin's list that is too long",
      find: "  if (left < 0) return left;\n  // `Object.entries`",
      replace: "  // `Object.entries`",
      tests: ["test/unit/renderer/session/tiles/plugin-message.test.ts"],
    },
  ]),
];
