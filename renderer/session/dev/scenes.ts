import { buildGrid } from "../../../core/layout/grid.ts";
import type { Workspace } from "../../../core/layout/layout.ts";
import { addFirstTile, addTab, splitTile } from "../../../core/layout/open-tile.ts";
import { emptyWorkspace, withLayout } from "../../../core/layout/workspace.ts";
import type { ClientId, SessionId, ShellId, TileKey } from "../../../core/protocol/ids.ts";
import type { SessionMirror } from "../../../core/protocol/mirror.ts";
import type { ClientRecord, Role, Shell } from "../../../core/protocol/records.ts";
import type { RestorableShell } from "../../../core/protocol/restore.ts";
import type { TileContent } from "../../../core/state/client-state.ts";
import { claude, codex, colours, vite } from "./output.ts";

export interface Scene {
  readonly self: { readonly id: ClientId; readonly name: string; readonly role: Role };
  readonly mirror: SessionMirror;
  readonly saved: unknown;
  readonly newShell: Shell;
  /** What can be started again. */
  readonly offers?: readonly RestorableShell[];
  output(shell: number): string;
}

/** Returns the scene with this name; default: the one with six tiles. */
export function sceneNamed(name: string): Scene {
  switch (name) {
    case "empty":
      return scene({ workspaces: [emptyWorkspace("1")], tiles: [] });
    case "one":
      return scene({ workspaces: [one()], tiles: tilesFor(1) });
    case "forty":
      return scene({ workspaces: [grid("everything", 40, 8, 5)], tiles: tilesFor(40) });
    case "ended-one":
      return ended(scene({ workspaces: [one()], tiles: tilesFor(1) }), 1);
    case "ended":
      return ended(scene(six()), 5);
    case "ended-forty":
      return ended(scene({ workspaces: [grid("everything", 40, 8, 5)], tiles: tilesFor(40) }), 40);
    case "reader":
      return scene({ ...six(), role: "reader" });
    case "words":
      return scene({ ...six(), words: true });
    default:
      return scene(six());
  }
}

/** The scene after a restart of the machine that has ended its shells. */
function ended(scene: Scene, count: number): Scene {
  const shells = scene.mirror.shells.slice(0, count);
  const conversation = (shellId: number): RestorableShell["agents"] => {
    const [id, agentType] = [`3374e44a-3626-41a4-8b49-1220ae11de${shellId}`, shellId % 2 === 0 ? "codex" : "claude"];
    const command = agentType === "codex" ? `codex resume ${id} --model gpt-6` : `claude --resume ${id} --model opus`;
    const agent = { agentType, sessionId: id, cwd: "/home/mara/api", command, leftOut: [] };
    return [
      {
        ...agent,
        state: "ready",
        lastPrompt:
          "Now make the retry back off exponentially, and add a test that proves that it never exceeds a minute.",
        lastAnswer:
          "The retry backs off by a factor of two up to 60 s. The test drives it with a fake clock; all 14 tests pass.",
        lastActivityAt: "2026-01-01T10:00:00.000Z",
      },
    ];
  };
  const offers = shells.map(({ id: shellId, title, cwd }, index): RestorableShell => {
    const agents = index % 5 < 2 ? conversation(shellId) : [];
    const chosen =
      agents[0] === undefined ? {} : { conversation: agents[0].sessionId, lastPrompt: "Now make the retry…" };
    return {
      ...{ shellId, title, cwd, agents, ...chosen },
      program: "zsh",
      env: index % 5 === 2 ? ["NODE_ENV"] : [],
      values: index % 5 === 2 ? { NODE_ENV: "development" } : {},
      withheld: index % 5 === 2 ? ["GITHUB_TOKEN"] : [],
      cause: "lost",
      endedAt: null,
      process: index % 5 === 2 ? "npm" : null,
      commands: index % 5 === 2 ? ["npm run dev", "git pull"] : [],
      always: false,
      ...(index % 5 === 3 ? { folderGone: true } : {}),
      state: "offered",
    };
  });
  const isEnded = ({ id }: Shell) => shells.some((shell) => shell.id === id);
  const all = scene.mirror.shells.map((shell) =>
    isEnded(shell) ? { ...shell, running: false, pid: null, process: null, exitCode: null } : shell,
  );
  return { ...scene, mirror: { ...scene.mirror, shells: all, agents: [], questions: [] }, offers };
}

function six() {
  let api = one();
  api = splitTile(api, key(1), key(2), "horizontal", { focus: false });
  api = splitTile(api, key(2), key(3), "vertical", { focus: false });
  api = addTab(api, key(1), key(4), { focus: false });
  api = splitTile(api, key(3), key(5), "horizontal", { focus: false });
  api = splitTile(api, key(2), key(6), "horizontal", { focus: false });
  const root = api.root?.kind === "split" ? { ...api.root, ratio: 0.45 } : api.root;
  const docs = addFirstTile(emptyWorkspace("docs"), key(7));
  const tiles: TileContent[] = [
    { key: key(1), type: "shell", id: 1, label: "api server" },
    { key: key(2), type: "shell", id: 2 },
    { key: key(3), type: "shell", id: 3 },
    { key: key(4), type: "shell", id: 4, label: "tests" },
    { key: key(5), type: "peek", id: 5 },
    { key: key(6), type: "shell", id: 6 },
    { key: key(7), type: "browser", id: 7 },
  ];
  return { workspaces: [{ ...api, name: "api", root }, docs, emptyWorkspace("release")] as const, tiles };
}

function scene({
  workspaces,
  tiles,
  role = "admin",
  words = false,
}: {
  workspaces: readonly Workspace[];
  tiles: readonly TileContent[];
  role?: Role;
  words?: boolean;
}): Scene {
  const shells = shellsFor(Math.max(6, ...tiles.map(({ id }) => id)));
  const long = "Ausführungsumgebungsüberwachungswerkzeug für die Nutzungsdatenschnittstelle";
  const labelled = words
    ? tiles.map((tile, index) => ({
        ...tile,
        label: [long, "データベースの移行を確認する端末", "very-long-name-".repeat(12).slice(0, 190)][index % 3] ?? "",
      }))
    : tiles;
  const named = words
    ? workspaces.map((page, index) => ({ ...page, name: [long, "本番環境の監視", "release"][index % 3] ?? "" }))
    : workspaces;
  const clients = words
    ? [
        { ...me, name: long },
        { ...ada, name: "高橋 花子" },
      ]
    : [me, ada, kai];
  return {
    self: { id: me.id, name: me.name, role },
    mirror: {
      session: { id: "dev-session" as SessionId, name: words ? long : "default", owner: "mara", createdAt: at(0) },
      clients,
      shells: words ? shells.map((shell) => ({ ...shell, cwd: `/home/mara/${long}/${long}` })) : shells,
      chat: [
        {
          id: 1,
          from: { clientId: ada.id, name: ada.name },
          text: "I take the migration. Can you keep the API up until ten?",
          at: at(-900),
        },
        { id: 2, from: { clientId: ada.id, name: ada.name }, text: "旧テーブルは明日消します。", at: at(-880) },
        { id: 3, from: { clientId: me.id, name: me.name }, text: "Yes. Die Tests laufen noch.", at: at(-600) },
      ],
      tunnels: [],
      agents:
        tiles.length < 2
          ? []
          : [
              {
                shellId: 1 as ShellId,
                agentType: "claude",
                model: "",
                sessionId: "a",
                tokenUsage: none,
                state: "working",
                since: at(-130),
              },
              {
                shellId: 2 as ShellId,
                agentType: "codex",
                model: "",
                sessionId: "b",
                tokenUsage: none,
                state: "waiting",
                since: at(-40),
              },
            ],
      adoptRequests: [],
      roleRequests: [],
      questions: [],
      restrictions: { restrictShells: false, requests: [], allowed: [] },
      plugins: [],
    },
    saved: {
      workspaces: named,
      active: 0,
      tiles: Object.fromEntries(labelled.map((tile) => [tile.key, tile])),
      nextKey: 100,
    },
    newShell: { ...shellsFor(1)[0], ownerClientId: me.id } as Shell,
    output: (shell) => [claude, codex, vite, colours, vite, "$ exit\r\n"][(shell - 1) % 6] ?? "",
  };
}

const none = { input: 0, output: 0, cached: 0, cost: 0 };
const me: ClientRecord = {
  id: 1 as ClientId,
  name: "Mara Keller",
  role: "admin",
  device: "Chromium on Linux",
  clientKind: "browser",
  focus: key(1),
  connectedAt: at(-5000),
};
const ada: ClientRecord = {
  id: 2 as ClientId,
  name: "Ada Lund",
  role: "writer",
  device: "desktop",
  clientKind: "desktop",
  focus: key(5),
  connectedAt: at(-4000),
};
const kai: ClientRecord = {
  id: 3 as ClientId,
  name: "Kai",
  role: "reader",
  device: "Safari on iPhone",
  clientKind: "browser",
  focus: null,
  connectedAt: at(-300),
};

function shellsFor(count: number): Shell[] {
  const titles = ["api server", "migrations", "vite", "tests", "htop", "deploy"];
  return Array.from({ length: count }, (_, index) => ({
    id: (index + 1) as ShellId,
    title: titles[index % 6] ?? "zsh",
    cwd: ["/home/mara/src/api", "/home/mara/src/db", "/home/mara/src/web"][index % 3] ?? "/",
    command: "/usr/bin/zsh",
    pid: 4000 + index,
    cols: 100,
    rows: 30,
    running: index !== 5,
    exitCode: index === 5 ? 1 : null,
    ownerClientId: index === 4 ? ada.id : me.id,
    owner: index === 4 ? ada.name : me.name,
    createdAt: at(-4000),
  }));
}

function one(): Workspace {
  return addFirstTile(emptyWorkspace("api"), key(1));
}

function tilesFor(count: number): TileContent[] {
  return Array.from({ length: count }, (_, index) => ({ key: key(index + 1), type: "shell", id: index + 1 }));
}

function grid(name: string, count: number, columns: number, rows: number): Workspace {
  const groups = Array.from({ length: count }, (_, index) => [key(index + 1)]);
  return withLayout(emptyWorkspace(name), buildGrid(columns, rows, groups));
}

function key(number: number): TileKey {
  return number as TileKey;
}

function at(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}
