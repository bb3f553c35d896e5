const LONG_NAME = "migrations of the customer database to the new schema";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** @type {import("../../core/protocol/desktop-settings.ts").DesktopSettings} */
const settings = {
  theme: "system",
  language: "system",
  startAtLogin: false,
  notify: { waiting: true, finished: true, failed: true, ended: false, budget: true, messages: true },
  quiet: null,
  relay: { port: null, outside: false },
  terminals: {},
};
/** @type {import("../../preload/panel-content.ts").PanelDesktop} */
const desktop = {
  dataFolder: "/home/ann/.local/share/patchbay",
  keychainProblem: undefined,
  relay: { port: null, outside: false, portOverridden: false, listenOverridden: false, restartNeeded: false },
  trayProblem: undefined,
  notificationProblem: undefined,
  settings,
  paused: false,
  keysWanted: [],
};
const common = {
  address: "http://127.0.0.1:7717",
  version: "0.1.0",
  externalAddresses: [],
  healthIssue: undefined,
  logins: [],
  desktop,
};

/** An empty relay. @satisfies {import("../../preload/panel-content.ts").PanelContent} */
export const emptyPanel = { ...common, sessions: [], costToday: 0, budgets: { day: null, session: null } };

/** A busy afternoon: three agents, one of which waits; a guest, a request, a long name. @param {Date} now */
export function filledPanel(now) {
  return {
    ...common,
    desktop: {
      ...desktop,
      settings: { ...settings, quiet: { from: "22:00", to: "07:00" } },
      relay: { ...desktop.relay, outside: true, port: 7800, restartNeeded: true },
    },
    costToday: spent(now),
    budgets: { day: 5, session: null },
    externalAddresses: ["https://studio.local:7718"],
    logins: [
      {
        code: "WDJB-MJHT",
        name: "service on build-agent-07",
        address: "127.0.0.1",
        since: ago(now, 30_000),
        expiresAt: ago(now, -570_000),
      },
    ],
    sessions: [api(now), migrations(now)],
  };
}

/** Quotas of two accounts, one nearly used up and one after its reset. @param {Date} now */
export function quotaWindows(now) {
  const at = ago(now, 4 * 60_000);
  const claude = { agentType: "claude", account: "/home/ann/.claude", at };
  const codex = { agentType: "codex", account: "/home/ann/.codex", at: ago(now, 7 * HOUR_MS) };
  return [
    { ...claude, window: "5h", minutes: 300, usedPercent: 92.4, resetsAt: ago(now, -1.4 * HOUR_MS) },
    { ...claude, window: "week", minutes: 10_080, usedPercent: 38, resetsAt: ago(now, -3.2 * DAY_MS) },
    { ...codex, window: "5h", minutes: 300, usedPercent: 0, resetsAt: null },
    { ...codex, window: "week", minutes: 10_080, usedPercent: 61, resetsAt: ago(now, -5.1 * DAY_MS) },
  ];
}

/** Prompts that wait for an agent, and one that did not arrive. @param {Date} now */
export function receipts(now) {
  const texts = [
    "Run the tests again, and mend what fails.",
    "Then write down in docs/api.md what has changed, with an example for each of the three new calls, and check that every link in the chapter still leads somewhere.\nLeave the other chapters as they are.",
    "Commit.",
  ];
  const one = {
    ...{ session: "Vn3k8QmZr1xT0aLp", shellId: 1, agentType: "claude", agentSessionId: "claude-1", when: "idle" },
    ...{ guard: true, expect: null, by: "ann", expiresAt: ago(now, -50 * 60_000), reason: null, final: false },
  };
  const queued = texts.map((text, index) => ({
    ...{ ...one, id: 12 + index, text, length: text.length, state: "queued", history: [] },
    waitsFor: index === 0 ? "claude is working" : null,
  }));
  const evidence = "a question of an agent is open in shell 1";
  const refused = { state: "refused", reason: "question_open", final: true, waitsFor: null };
  const history = [{ state: "refused", at: ago(now, 9 * 60_000), evidence }];
  return [...queued, { ...one, ...refused, id: 11, text: "stop after this step", length: 20, history }];
}

/** What the shells of each session cost, and what ended agents left running. @param {Date} now */
export function shellUsage(now) {
  const MB = 1_000_000;
  const one = (/** @type {number} */ shellId, /** @type {number[]} */ [cpuPercent = 0, memory = 0, count = 0]) => ({
    ...{ session: "Vn3k8QmZr1xT0aLp", shellId, title: "", cpuPercent, memoryBytes: memory * MB, count, processes: [] },
  });
  const left = (
    /** @type {number} */ pid,
    /** @type {string} */ name,
    /** @type {number[]} */ [cpuPercent = 0, memory = 0, minutes = 0],
  ) => ({
    ...{ pid, name, parent: 1, cpuPercent, memoryBytes: memory * MB },
    ...{ agentType: "claude", since: ago(now, minutes * 60_000) },
  });
  const leftBehind = [left(48_211, "esbuild", [0.3, 41, 38]), left(48_230, "postgres", [12.4, 212, 38])];
  return [
    { ...one(1, [108.4, 1240, 14]), leftCount: 2, leftBehind },
    { ...one(2, [3.1, 214, 5]), leftCount: 0, leftBehind: [] },
    { ...one(3, [0, 6.2, 1]), leftCount: 0, leftBehind: [] },
    { ...one(1, [0.6, 388, 6]), session: "b7Hd2WcYf9sK4eNu", leftCount: 0, leftBehind: [] },
  ];
}

/** Rules that answer questions in the user's name. @param {Date} now */
export function policies(now) {
  const one = {
    ...{ session: "Vn3k8QmZr1xT0aLp", command: null, agentType: null, addedBy: "ann", addedAt: ago(now, 3 * HOUR_MS) },
  };
  return [
    { ...one, id: 3, effect: "allow", what: "reads", folder: "/home/ann/work/customers/billing-service/api" },
    {
      ...one,
      id: 4,
      effect: "allow",
      what: "command",
      command: "npm test",
      folder: "/home/ann/work/api",
      agentType: "claude",
    },
    { ...one, id: 7, effect: "ask", what: "network", folder: null },
  ];
}

/** What policies have answered: one confirmed, one by a policy that was removed since. @param {Date} now */
export function policyAnswers(now) {
  const answered = (/** @type {number} */ id, /** @type {number} */ policy, /** @type {string} */ title) => ({
    ...questionNumber(id, now),
    ...{ session: "Vn3k8QmZr1xT0aLp", id, title, state: "answered", answer: { option: "yes", text: null } },
    answeredBy: { kind: "policy", name: `policy ${policy}`, client: null, policy },
    receipt: { state: "confirmed", evidence: "the agent reported that the tool ran", at: ago(now, 60_000) },
  });
  return [
    answered(18, 3, "Bash: cat src/orders/migrations/0042-split-the-customer-table.sql"),
    answered(19, 2, "Read: /home/ann/work/customers/billing-service/api/README.md"),
  ];
}

/** Invites that are open, two of them for the first session. @param {Date} now */
export function invites(now) {
  const invite = (/** @type {string} */ id, /** @type {string} */ session, /** @type {number} */ leftMs) => ({
    ...{ id, session, role: "reader", usesLeft: 1 },
    ...{ createdAt: ago(now, 20 * 60_000), expiresAt: ago(now, -leftMs) },
  });
  return [
    invite("5d1be2c07f44", "Vn3k8QmZr1xT0aLp", 40 * 60_000),
    { ...invite("c81f0a94be23", "Vn3k8QmZr1xT0aLp", 6.4 * DAY_MS), role: "writer", usesLeft: 5 },
    { ...invite("07ab3e9d5c10", "b7Hd2WcYf9sK4eNu", 22 * HOUR_MS), usesLeft: 20 },
  ];
}

/** Three machines, one of them away. @param {Date} now */
export function remotes(now) {
  const kept = { via: "remote", keepsKey: true };
  const reachable = { ...kept, state: "reachable", awaySince: null, key: "valid", version: "0.1.0" };
  return [
    {
      ...reachable,
      machine: "build-box",
      url: "https://192.0.2.7:7718",
      sessions: [
        { id: "r1", name: "nightly" },
        { id: "r2", name: LONG_NAME },
      ],
      agents: [
        { session: "nightly", shellId: 1, agentType: "claude", state: "waiting", cost: 0.94 },
        { session: LONG_NAME, shellId: 4, agentType: "codex", state: "working", cost: 0.42 },
      ],
      cost: 1.36,
      questions: [],
    },
    {
      ...kept,
      machine: "pi",
      url: "https://192.0.2.9:7718",
      state: "away",
      awaySince: ago(now, 3.2 * HOUR_MS),
      key: "unknown",
      version: null,
      problem: "It does not answer.",
      sessions: [],
      agents: [],
      cost: 0,
      questions: [],
    },
    {
      ...reachable,
      machine: "studio",
      url: "https://192.0.2.11:7718",
      sessions: [],
      agents: [],
      cost: 0,
      questions: [],
    },
  ];
}

/** The same three machines with questions: of the one that is away, as the fleet's broker keeps them. @param {Date} now */
export function askingRemotes(now) {
  const [box, pi, studio] = remotes(now);
  const asked = (/** @type {number} */ id, /** @type {string} */ session, /** @type {object} */ more = {}) => ({
    session,
    question: { ...questionNumber(id, now), session: `${session}-00000000`, ...more },
  });
  const detail = { command: "systemctl restart sensors" };
  const kept = asked(22, "sensors", {
    answerable: false,
    title: "Bash: systemctl restart sensors",
    detail,
    askedAt: ago(now, 3.5 * HOUR_MS),
  });
  return [
    { ...box, questions: [asked(17, "nightly"), asked(19, "nightly")] },
    { ...pi, via: "fleet", questions: [kept] },
    studio,
  ];
}

/** @param {Date} now */
function api(now) {
  return {
    id: "Vn3k8QmZr1xT0aLp",
    name: "api server",
    self: 1,
    costToday: spent(now, "api server"),
    agentStarts: { "claude-1": ago(now, 2.2 * HOUR_MS), "gemini-1": ago(now, 50 * 60_000) },
    shells: [shell(1, "api: npm run dev"), shell(2, "tests"), shell(3, "docs")],
    clients: [
      client(1, "ann", "admin", "desktop", "desktop", ago(now, 5 * HOUR_MS), 2),
      {
        ...client(4, "Jürgen Müller-Lüdenscheidt", "writer", "Firefox on Windows", "browser", ago(now, 40 * 60_000), 2),
        looksAt: { type: /** @type {const} */ ("shell"), id: 2 },
      },
      client(5, "田中さくら", "reader", "Safari on iPad", "browser", ago(now, 9 * 60_000), null),
    ],
    questions: [],
    plugins: [],
    awayGuests: [
      {
        id: "9f2c4e61a0b3",
        name: "guest on Chrome on macOS",
        role: /** @type {const} */ ("reader"),
        device: "Chrome on macOS",
        invite: "5d1be2c07f44",
        since: ago(now, 6 * HOUR_MS),
        lastSeenAt: ago(now, 2 * HOUR_MS),
        expiresAt: ago(now, -29 * DAY_MS),
        clients: [],
      },
    ],
    adoptRequests: [
      {
        id: 1,
        shellId: 2,
        from: { clientId: 4, name: "Jürgen Müller-Lüdenscheidt" },
        to: 1,
        expiresAt: ago(now, -60_000),
      },
    ],
    roleRequests: [
      {
        id: 1,
        from: { clientId: 5, name: "sam", guest: true },
        role: /** @type {const} */ ("writer"),
        expiresAt: ago(now, -8 * 60_000),
      },
    ],
    restrictions: { restrictShells: false, requests: [], allowed: [] },
    muted: [3],
    agents: [
      agent(1, "claude", "claude-sonnet-4-5", "working", ago(now, 2 * 60_000), [412_000, 18_000, 1_204_000, 2.71]),
      agent(3, "gemini", "gemini-2.5-pro", "idle", ago(now, 11 * 60_000), [96_000, 4_000, 20_000, 0.55]),
    ],
  };
}

/** @param {Date} now */
function migrations(now) {
  return {
    id: "b7Hd2WcYf9sK4eNu",
    name: LONG_NAME,
    self: 1,
    costToday: spent(now, LONG_NAME),
    agentStarts: { "codex-1": ago(now, HOUR_MS) },
    shells: [shell(1, "alembic upgrade head"), shell(2, "psql")],
    clients: [client(1, "ann", "admin", "desktop", "desktop", ago(now, 3 * HOUR_MS), 1)],
    questions: [],
    plugins: [],
    awayGuests: [],
    adoptRequests: [],
    roleRequests: [],
    restrictions: { restrictShells: false, requests: [], allowed: [] },
    muted: [],
    agents: [agent(1, "codex", "gpt-5-codex", "waiting", ago(now, 40_000), [88_000, 9_000, 310_000, 0.92])],
  };
}

/** The same afternoon with this many open questions in two sessions. @param {Date} now @param {number} count */
export function askedPanel(now, count) {
  const panel = filledPanel(now);
  const [first, second] = panel.sessions;
  if (first === undefined || second === undefined) throw new Error("The scene has two sessions.");
  const all = Array.from({ length: count }, (_, index) => questionNumber(index + 1, now));
  const sessions = [
    { ...first, questions: all.filter(({ session }) => session === first.id) },
    { ...second, questions: all.filter(({ session }) => session === second.id) },
  ];
  return { ...panel, logins: [], sessions };
}

/** Questions that programs ask by `service ask`: a choice of two, of nine, in words, and a very long one. @param {Date} now */
export function programsPanel(now) {
  const panel = ordinaryPanel(now, false);
  const [first, ...others] = panel.sessions;
  if (first === undefined) throw new Error("The scene has a session.");
  const asked = /** @type {const} */ ([
    ["Deploy 2.4.0 to production?", ["yes", "no"]],
    ["Which region first?", "Frankfurt Dublin Paris Oregon Ohio Tokyo Osaka Singapore Sydney".split(" ")],
    ["Which port may the preview use?", []],
    [
      "The migration of orders needs 40 minutes with the table locked. It can run tonight, when nobody orders, or now in steps of 10 000 rows, which takes about nine hours and slows every query down by a third. Backups from 02:00 are verified. Which one shall it be, and who is told?",
      [
        "Tonight, with the table locked, and the shop shows the maintenance page for 40 minutes",
        "Now, in steps",
        "Neither",
      ],
    ],
  ]);
  const questions = asked.map(([text, labels], index) => ({
    ...questionNumber(index + 1, now),
    ...{ shellId: 3, agentType: "program", source: "protocol", detail: {}, risk: { level: "low", reasons: [] } },
    kind: labels.length === 0 ? "text" : "choice",
    title: text.length > 200 ? `${text.slice(0, 199)}…` : text,
    text: text.length > 200 ? text : "",
    options: labels.map((label, at) => ({ id: String(at + 1), label, key: String(at + 1) })),
    answerable: true,
    acceptsText: true,
    askedAt: ago(now, (asked.length - index) * 40_000),
  }));
  return { ...panel, sessions: [{ ...first, questions }, ...others] };
}

/** An ordinary day: three agents of which one asks, two sessions, two people. @param {Date} now @param {boolean} asks */
export function ordinaryPanel(now, asks = true) {
  const panel = filledPanel(now);
  const [first] = panel.sessions;
  if (first === undefined) throw new Error("The scene has a session.");
  const working = agent(2, "claude", "claude-opus-5-5", "working", ago(now, 40_000), [12_000, 900, 80_000, 0.31]);
  const docs = agent(1, "gemini", "gemini-2.5-pro", "idle", ago(now, 11 * 60_000), [96_000, 4_000, 20_000, 0.55]);
  const asking = agent(
    1,
    "codex",
    "gpt-5-codex",
    asks ? "waiting" : "working",
    ago(now, 130_000),
    [88_000, 9_000, 310_000, 2.71],
  );
  const { options, ...question } = questionNumber(1, now);
  const [yes, , no] = options;
  const always = { id: "always-1", label: "Yes, and always allow npm install in this project", key: "1" };
  const asked = {
    ...question,
    shellId: 1,
    agentType: "codex",
    text: "",
    askedAt: ago(now, 40_000),
    options: [yes, always, no],
  };
  return {
    ...panel,
    logins: [],
    sessions: [
      {
        ...first,
        name: "orders",
        shells: [shell(1, "rounding"), shell(2, "tests"), shell(3, "server")],
        agents: [asking, working],
        clients: first.clients.slice(0, 2),
        ...{ adoptRequests: [], roleRequests: [], awayGuests: [], questions: asks ? [asked] : [] },
      },
      { ...migrations(now), name: "docs", shells: [shell(1, "Rewrites the API index")], agents: [docs] },
    ],
  };
}

/** The busy afternoon with a guest who asks to type, and a relay that others reach at two addresses. @param {Date} now */
export function peoplePanel(now) {
  const panel = filledPanel(now);
  const [first, ...others] = panel.sessions;
  if (first === undefined) throw new Error("The scene has a session.");
  return {
    ...panel,
    externalAddresses: ["https://192.168.1.5:7718", "https://studio.tail1.ts.net:7718"],
    sessions: [{ ...first, clients: withGuest(first.clients) }, ...others],
  };
}

/** A day on which a guest asks to type, and an agent to control its session. @param {Date} now */
export function requestsPanel(now) {
  const panel = ordinaryPanel(now, false);
  const [first, ...others] = panel.sessions;
  if (first === undefined) throw new Error("The scene has a session.");
  const { clients, roleRequests } = api(now);
  const request = {
    ...{ id: 1, shellId: 1, agentType: "codex", folder: "/home/ann/work/orders" },
    ...{ wants: "closeShell", at: ago(now, 50_000) },
  };
  const restrictions = { ...first.restrictions, requests: [request] };
  return { ...panel, sessions: [{ ...first, clients: withGuest(clients), roleRequests, restrictions }, ...others] };
}

/** The last client as the guest whose request to type the session has. @param {ReturnType<typeof api>["clients"]} clients */
function withGuest(clients) {
  return clients.map((one) => (one.id === 5 ? { ...one, name: "sam", guest: /** @type {const} */ (true) } : one));
}

/** Forty sessions with names of all lengths, and as many agents. @param {Date} now */
export function fortyPanel(now) {
  const panel = ordinaryPanel(now);
  const [first, second] = panel.sessions;
  if (first === undefined || second === undefined) throw new Error("The scene has two sessions.");
  const sessions = Array.from({ length: 40 }, (_, index) => ({
    ...(index % 3 === 0 ? first : second),
    id: `session-${String(index).padStart(8, "0")}`,
    name: index % 5 === 0 ? `${LONG_NAME} ${index}` : `service ${index}`,
    questions: [],
  }));
  return { ...panel, sessions: [{ ...first, name: LONG_NAME }, ...sessions] };
}

/** @param {number} id @param {Date} now */
function questionNumber(id, now) {
  const common = {
    id,
    state: "open",
    answerable: true,
    answeredBy: null,
    answer: null,
    closedAt: null,
    closedBecause: null,
    receipt: null,
    source: "hook",
    confidence: "high",
    rule: null,
    text: "",
    detail: {},
    acceptsText: true,
    kind: "permission",
    options: [
      { id: "yes", label: "Yes, this once", key: "y" },
      { id: "always-1", label: "Yes, and always allow Bash(npm run test:*) in this project, for you", key: "1" },
      { id: "no", label: "No", key: "n" },
    ],
    askedAt: ago(now, (40 + (24 - id) * 97) * 1000),
    agentSessionId: `claude-${id}`,
  };
  const api = { session: "Vn3k8QmZr1xT0aLp", shellId: 2, agentType: "claude" };
  const orders = { session: "b7Hd2WcYf9sK4eNu", shellId: 1, agentType: "codex" };
  const kinds = [
    {
      ...api,
      title: "Bash: rm -rf dist && npm install --no-save left-pad@1.3.0",
      text: "Rebuilds from nothing, to see whether the lock file is complete",
      detail: { command: "rm -rf dist &&\n  npm install --no-save left-pad@1.3.0" },
      risk: { level: "high", reasons: ["deletes files", "uses the network"] },
    },
    {
      ...api,
      title: "Edit: src/http/retry.ts",
      detail: {
        files: ["/home/ann/src/api/src/http/retry.ts"],
        diff: "-const wait = backoff(attempt)\n+const wait = retryAfter(response) ?? backoff(attempt)",
      },
      risk: { level: "low", reasons: [] },
    },
    {
      ...orders,
      kind: "choice",
      title: "Welche Spalte soll der neue Schlüssel werden?",
      options: ["id", "order_number", "Beide: ein zusammengesetzter Schlüssel über Bestellnummer und Mandant"].map(
        (label, index) => ({ id: String(index + 1), label, key: String(index + 1) }),
      ),
      risk: { level: "low", reasons: [] },
    },
    {
      ...orders,
      title: "codex waits for you",
      text: "Allow command?",
      detail: {
        screen: "Allow codex to run this?\n  alembic upgrade head\n> 1. Yes\n  2. Yes, and don't ask again\n  3. No",
      },
      options: ["Yes", "Yes, and don't ask again", "No"].map((label, index) => ({
        id: String(index + 1),
        label,
        key: String(index + 1),
      })),
      acceptsText: false,
      risk: { level: "medium", reasons: ["not known what it does"] },
      source: "screen",
      confidence: "low",
      rule: "codex-approval",
    },
    {
      ...api,
      kind: "plan",
      title: "Approve the plan?",
      text: "1. Read Retry-After in both forms.\n2. Cap the wait at the caller's deadline.\n3. テストを追加する。",
      answerable: false,
      risk: { level: "medium", reasons: ["begins to change files"] },
    },
  ];
  return { ...common, ...api, ...kinds[(id - 1) % kinds.length] };
}

/** Usage by days of the span, as the main process answers it. @param {Date} now */
export function usage(now) {
  const models = /** @type {const} */ ([
    ["claude-sonnet-4-5", "claude", "api server", 0.387],
    ["gpt-5-codex", "codex", LONG_NAME, 0.131],
    ["gemini-2.5-pro", "gemini", "api server", 0.079],
  ]);
  /** @param {string} from @param {number} step @param {number} scale */
  const slices = (from, step, scale) =>
    models.map(([model, agentType, session, base], index) => {
      const share = base * scale * (0.55 + ((step * (index + 3)) % 7) / 7.8);
      const cost = Math.round(share * 100) / 100;
      const folder = session === LONG_NAME ? "/home/ann/work/migrations" : "/home/ann/work/api";
      return { from, model, agentType, session, folder, calls: 9, input: 41_000, output: 2_000, cached: 120_000, cost };
    });
  const hours = [8, 9, 10, 11, 12, 13, 14].map((hour) => {
    const at = new Date(now.getFullYear(), now.getMonth(), now.getDate(), hour);
    return slices(at.toISOString(), hour, 1);
  });
  /** @param {number} count */
  const days = (count) =>
    Array.from({ length: count }, (_, index) => {
      const at = new Date(now.getTime() - (count - 1 - index) * DAY_MS);
      return at.getDay() === 0 ? [] : slices(localDate(at), index + 1, 6);
    });
  return { 1: hours.flat(), 7: days(7).flat(), 30: days(30).flat() };
}

/** What the chart of today sums up to, of one session or of all. @param {Date} now @param {string} [session] */
function spent(now, session) {
  const slices = usage(now)[1].filter((slice) => session === undefined || slice.session === session);
  return slices.reduce((sum, { cost }) => sum + cost, 0);
}

/** @param {Date} now */
export function keys(now) {
  return [
    key("a1", "command line", ago(now, HOUR_MS), null, {}),
    key("b2", "ci", null, ago(now, -27 * DAY_MS), { readOnly: true }),
  ];

  /** @param {string} id @param {string} name @param {string | null} lastUsedAt @param {string | null} expiresAt @param {object} restrictions */
  function key(id, name, lastUsedAt, expiresAt, restrictions) {
    return {
      id,
      owner: "ann",
      name,
      scheme: "api",
      scopes: [],
      createdAt: ago(now, 30 * DAY_MS),
      lastUsedAt,
      expiresAt,
      restrictions,
    };
  }
}

/** The audit log of that afternoon. @param {Date} now */
export function audit(now) {
  const api = "Vn3k8QmZr1xT0aLp";
  /** @typedef {[minutes: number, who: string | null, credential: string, action: string, params: object, outcome: string, ms: number | null, count?: number]} Row */
  const rows = /** @type {Row[]} */ ([
    [0.4, "command line", "key", "writeToShell", { id: 2, data: "(14 characters)" }, "ok", 3],
    [0.6, "ann", "user", "setBudgets", { day: 5 }, "ok", 2],
    [0.9, "Jürgen Müller-Lüdenscheidt", "guest", "writeShell", { shell: 2, data: "(1 characters)" }, "ok", 1, 40],
    [1.8, "Jürgen Müller-Lüdenscheidt", "guest", "writeShell", { shell: 2, data: "(3 characters)" }, "ok", 1, 71],
    [3.2, "Jürgen Müller-Lüdenscheidt", "guest", "writeShell", { shell: 2, data: "(1 characters)" }, "ok", 1, 12],
    [3.9, "Jürgen Müller-Lüdenscheidt", "guest", "cookie", {}, "ok", null],
    [4.5, "ann", "user", "resizeShell", { shell: 1, cols: 155, rows: 15 }, "ok", 2, 3],
    [5, null, "none", "authentication", {}, "unauthenticated", null, 12],
    [6, "shell 3", "shell", "closeShell", { id: 1 }, "scope_forbids", 1],
    [
      7,
      "policy 2",
      "none",
      "answerQuestion",
      { id: 4, policy: 2, agentType: "claude", title: "Bash: npm test" },
      "ok",
      3,
    ],
    [9, "command line", "key", "runCommand", { id: 2, command: "(23 characters)", wait: true }, "ok", 3412],
    [12, "ann", "user", "createInvite", { role: "reader", ttl: 3600, uses: 1, outside: true }, "ok", 4],
    [14, "command line", "key", "renameTile", { key: 4, name: "migrations of the customer database" }, "ok", 2],
    [21, "ci", "key", "createSession", { name: "nightly" }, "ok", 5],
    [1700, "ann", "user", "setSetting", { name: "font-size", value: "14" }, "ok", 1],
  ]);
  return rows.map(([minutes, who, credential, action, params, outcome, durationMs, count = 1], index) => ({
    id: 90 - index,
    at: ago(now, minutes * 60_000),
    kind: durationMs === null ? "authentication" : "call",
    who,
    credential,
    from: "127.0.0.1",
    session: credential === "none" || credential === "user" || action === "createSession" ? null : api,
    action,
    params,
    outcome,
    client: durationMs === null || credential === "user" ? null : 1,
    durationMs,
    count,
  }));
}

/** What the user was told. @param {Date} now */
export function notices(now) {
  const api = { session: "Vn3k8QmZr1xT0aLp", sessionName: "api server" };
  return [
    { ...api, title: "claude waits for you", body: "Allow npm install?\nIn tests", shell: 2, shown: true },
    { ...api, title: "Today's budget: 80% spent", body: "$4.02 of $5.00 at list prices.", shell: null, shown: true },
    { session: "gone", sessionName: "spike", title: "Build finished", body: "", shell: 1, shown: false },
  ].map((notice, index) => ({ ...notice, id: 3 - index, at: ago(now, (index * 40 + 2) * 60_000) }));
}

/** Toasts at the corner of the screen. */
export const toasts = [
  { id: 1, from: "api server", kind: "success", message: "Deployed to staging" },
  {
    id: 2,
    from: LONG_NAME,
    kind: "error",
    message:
      'Column "created_at" of relation "orders" already exists: the migration was rolled back, nothing has changed',
  },
  { id: 3, from: "api server", kind: "info", message: "Die Prüfungen laufen noch einmal" },
];

/** @param {number} id @param {string} name */
function shell(id, name) {
  return { id, name, running: true, ownerClientId: null };
}

/**
 * @param {number} id @param {string} name @param {string} role @param {string} device @param {string} clientKind
 * @param {string} connectedAt @param {number | null} focus
 */
function client(id, name, role, device, clientKind, connectedAt, focus) {
  return { id, name, role, device, clientKind, connectedAt, focus };
}

/**
 * @param {number} shellId @param {string} agentType @param {string} model @param {string} state @param {string} since
 * @param {readonly [input: number, output: number, cached: number, cost: number]} used
 */
function agent(shellId, agentType, model, state, since, [input, output, cached, cost]) {
  const tokenUsage = { input, output, cached, cost };
  // Gemini CLI does not say how many tokens fit.
  const context = agentType === "gemini" ? { used: 20_400 } : { used: 82_000, size: 200_000 };
  const sessionId = `${agentType}-1`;
  const record = { shellId, agentType, model, state, since, sessionId, tokenUsage, context };
  return agentType === "codex" ? { ...record, children: [child({ agentType, sessionId })] } : record;
}

/** An agent that a tool of another has started. @param {{ agentType: string, sessionId: string }} startedBy */
function child(startedBy) {
  const tokenUsage = { input: 21_000, output: 1900, cached: 64_000, cost: 0.14 };
  const model = "claude-sonnet-4-6";
  return { agentType: "claude", sessionId: "claude-2", model, state: "ended", tokenUsage, startedBy };
}

/** What an agent has cost by turn and sub-agent, and how long its tools took. @param {Date} now */
export function agentDetails(now) {
  const usage = (/** @type {number} */ cost) => ({ input: 4000, output: 900, cached: 60_000, cost });
  const turn = (/** @type {number} */ minutes, /** @type {number} */ ms, /** @type {number} */ cost) => ({
    at: ago(now, minutes * 60_000),
    ms,
    calls: 9,
    tokenUsage: usage(cost),
  });
  const tool = (/** @type {string} */ name, /** @type {number} */ calls, /** @type {number} */ ms, failed = 0) => ({
    name,
    calls,
    failed,
    ms,
    longestMs: ms / 2,
  });
  return {
    sessionId: "claude-1",
    agentType: "claude",
    model: "claude-opus-5-5",
    branch: "feature/rounding",
    mode: "acceptEdits",
    linesAdded: 214,
    linesRemoved: 87,
    tokenUsage: usage(2.71),
    reported: 2.83,
    difference: 0.12,
    turnCount: 14,
    turns: [turn(70, 240_000, 0.61), turn(41, 95_000, 0.22), turn(12, 310_000, 0.94), turn(3, 42_000, 0.08)],
    tools: [tool("Bash", 31, 412_000, 3), tool("Edit", 22, 9400), tool("Read", 48, 2100)],
    subagents: [
      {
        id: "a1",
        parent: null,
        type: "Explore",
        description: "Find the rounding code",
        calls: 6,
        tokenUsage: usage(0.31),
      },
      { id: "a2", parent: "a1", type: "general-purpose", calls: 2, tokenUsage: usage(0.05) },
    ],
  };
}

/** The price list in use. @param {Date} now */
export function prices(now) {
  const [list, version] = ["@pydantic/genai-prices", "0.1.8"];
  const date = ago(now, 60 * DAY_MS).slice(0, 10);
  const unpriced = [{ model: "gpt-6", agentType: "codex", calls: 12 }];
  return { list, version, date, ageDays: 60, source: "built-in", unpriced };
}

/** @param {Date} now @param {number} ms */
function ago(now, ms) {
  return new Date(now.getTime() - ms).toISOString();
}

/** @param {Date} at */
function localDate(at) {
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** A fleet of three machines, of which one is away. @param {Date} now */
export function fleet(now) {
  /** @param {string} name @param {number} sessions @param {Date} [awaySince] */
  const member = (name, sessions, awaySince) => ({
    name,
    member: name,
    state: awaySince === undefined ? "present" : "away",
    awaySince: awaySince === undefined ? null : awaySince.toISOString(),
    version: "0.1.0",
    sessions,
    isSelf: name === "laptop",
  });
  return {
    state: "joined",
    broker: "nats://broker.example.org:4222",
    owner: "ann",
    name: "laptop",
    problem: null,
    members: [member("laptop", 2), member("build-box", 3), member("desk", 1, new Date(now.getTime() - 25 * 60_000))],
    conflicts: [],
  };
}

/** @type {object} */
export const noFleet = {
  state: "off",
  broker: null,
  owner: null,
  name: null,
  problem: null,
  members: [],
  conflicts: [],
};

/** What the checks of the relay and its machine find. */
export const findings = [
  { check: "versions", state: "ok", found: "Patchbay 0.1.0, Node 22.20.0." },
  {
    check: "data folder",
    state: "ok",
    found: "/home/ann/.local/share/patchbay is private to you, with 48210 MiB free.",
  },
  { check: "relay", state: "ok", found: "The relay at http://127.0.0.1:7717 (process 2214) answers." },
  {
    check: "fleet",
    state: "note",
    found: "The relay is in the fleet of ann at nats://broker:4222, as studio. Away: attic.",
  },
  {
    check: "keychain",
    state: "problem",
    found: "No keychain can be reached (no session bus).",
    advice: "Install, start and unlock a Secret Service (`sudo apt install gnome-keyring`) on the session bus.",
  },
  { check: "notifications", state: "ok", found: "The desktop's notification server answers." },
];
