import type { ShellId } from "../../../core/protocol/ids.ts";
import type { RelayLink } from "../../../core/protocol/link.ts";
import type { SessionMirror } from "../../../core/protocol/mirror.ts";
import type { Shell } from "../../../core/protocol/records.ts";
import { conversationScene } from "./conversation.ts";
import type { Scene } from "./scenes.ts";
import { searchScene } from "./search.ts";

interface ScriptedRelay {
  /** The view's requests, in order, for tests. */
  readonly asked: { readonly op: string; readonly params: unknown }[];
  /** Sends output of a shell, as if its program wrote it. */
  print(shell: number, text: string): void;
  missed(shell: number, bytes: number, snapshot: string): void;
}

/** Parameters of the view's requests, already parsed by the client. */
interface AskParams {
  readonly shell: ShellId;
  readonly cwd?: string;
  readonly data: string;
  readonly cols: number;
  readonly rows: number;
  readonly request: number;
  readonly allow: boolean;
  readonly text: string;
  readonly query?: string;
  readonly offset: number;
  readonly agentType: string;
  readonly agentSessionId: string;
  readonly after?: string;
}

/** Runs the relay's end of a link with scripted shells that echo their input. */
export function scriptRelay(link: RelayLink, scene: Scene): ScriptedRelay {
  const mirror: SessionMirror = structuredClone(scene.mirror);
  const ends = new Map<number, number>();
  const asked: { op: string; params: unknown }[] = [];
  const encoder = new TextEncoder();
  const print = (shell: number, text: string) => {
    const bytes = encoder.encode(text);
    const offset = ends.get(shell) ?? 0;
    ends.set(shell, offset + bytes.byteLength);
    link.send({ type: "bytes", shell: shell as ShellId, offset, bytes });
  };
  const change = (id: number, fields: Partial<Shell>) => {
    const shell = mirror.shells.find((candidate) => candidate.id === id);
    if (shell === undefined) return;
    Object.assign(shell, fields);
    link.send({ type: "diff", diff: { kind: "shell", shell: { ...shell } } });
  };

  const answers: Readonly<Record<string, (params: AskParams) => unknown>> = {
    createShell({ cwd }) {
      const id = Math.max(0, ...mirror.shells.map((shell) => shell.id)) + 1;
      const shell: Shell = { ...scene.newShell, id: id as ShellId, title: "zsh", cwd: cwd ?? "/home/mara" };
      mirror.shells.push(shell);
      link.send({ type: "diff", diff: { kind: "shell", shell } });
      return { shell };
    },
    closeShell({ shell }) {
      link.send({ type: "diff", diff: { kind: "shell-gone", id: shell } });
      return { id: shell };
    },
    writeShell({ shell, data }) {
      print(shell, String(data).replaceAll("\r", "\r\n$ "));
      return { id: shell, queued: 0 };
    },
    resizeShell({ shell, cols, rows }) {
      change(shell, { cols, rows });
      return { id: shell, cols, rows };
    },
    restoreShells: ({ shell }) =>
      (scene.offers ?? [])
        .filter(({ shellId }) => shell === undefined || shellId === shell)
        .map((offer) => (shell === undefined ? offer : { ...offer, state: "skipped", why: "Nothing starts here." })),
    adoptShell: () => ({ status: "adopted" }),
    answerAdopt({ request, allow }) {
      link.send({ type: "diff", diff: { kind: "adopt-request-gone", id: request } });
      return { allowed: allow };
    },
    searchSession: ({ query }) => ({
      hits: query === undefined ? [] : searchScene(scene, query),
      complete: true,
      recording: "on",
      conversations: true,
    }),
    readAround: ({ shell, ...wanted }) => {
      const output = scene.output(shell);
      const offset = wanted.offset ?? output.length;
      const [before, after] = [output.slice(0, offset), output.slice(offset)];
      const lineEnds = [...output.matchAll(/\n/g)].map(({ index }) => index + 1);
      const start = Date.now() - 60_000;
      const times = [0, ...lineEnds].map((characters, line): [number, number] => [characters, start + line * 400]);
      return { cols: 80, before, after, from: 0, to: output.length, times, sizes: [[0, 80, 24]] };
    },
    readConversation: async ({ agentType, agentSessionId, after }) => {
      // Nothing more is said.
      if (after !== undefined) await new Promise((resolve) => setTimeout(resolve, 10_000));
      return conversationScene(agentType, agentSessionId);
    },
    sendChat({ text }) {
      const message = {
        id: Date.now(),
        from: { clientId: scene.self.id, name: scene.self.name },
        text,
        at: new Date().toISOString(),
      };
      link.send({ type: "diff", diff: { kind: "chat", message } });
      return message;
    },
  };

  link.onFrame((frame) => {
    if (frame.type === "hello") {
      const { id, name, role } = scene.self;
      link.send({ type: "welcome", client: id, name, role, resume: "dev", mirror, saved: scene.saved });
    } else if (frame.type === "listen") {
      ends.set(frame.shell, 0);
      print(frame.shell, scene.output(frame.shell));
    } else if (frame.type === "ask") {
      asked.push({ op: frame.op, params: frame.params });
      const answer = answers[frame.op];
      if (answer === undefined) {
        link.send({
          type: "refused",
          id: frame.id,
          error: { code: "internal", message: "The scripted relay has no answer to this." },
        });
      } else {
        const tell = (value: unknown) => link.send({ type: "answer", id: frame.id, value });
        const value = answer(frame.params as AskParams);
        if (value instanceof Promise) void value.then(tell);
        else tell(value);
      }
    }
  });
  return {
    asked,
    print,
    missed: (shell, bytes, snapshot) =>
      link.send({ type: "missed", shell: shell as ShellId, bytes, snapshot, offset: (ends.get(shell) ?? 0) + bytes }),
  };
}
