import { beforeEach, expect, test } from "vitest";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import { insertFiles } from "../../../../../renderer/session/tiles/drop-files.ts";
import type { FileUploads } from "../../../../../renderer/session/view/session-host.ts";
import { ToastStore } from "../../../../../renderer/session/view/toast-store.ts";

interface Asked {
  readonly title: string;
  readonly body: string;
  readonly quote: readonly string[];
  readonly answers: readonly { readonly id: string }[];
}

let toasts: ToastStore;
let asked: Asked[];
let answer: string | undefined;
let inserted: string[];
let started: object[];
let content: Record<number, string>;
let cancelled: number;
/** Called at each piece. */
let atPiece: () => void;

const uploads: FileUploads = {
  async start(given) {
    started.push(given);
    return { upload: 1, folder: "/tmp/up" };
  },
  async send({ file, data }) {
    atPiece();
    if (cancelled > 0) throw new Error("No upload 1 of this client is open.");
    content[file] = (content[file] ?? "") + Buffer.from(data, "base64").toString("latin1");
    return { received: 0 };
  },
  async finish() {
    return { paths: ["/tmp/up/it's.txt", "/tmp/up/b"].slice(0, Object.keys(content).length) };
  },
  async cancel() {
    cancelled += 1;
    return { cancelled: true };
  },
};

beforeEach(() => {
  toasts = new ToastStore();
  [asked, inserted, started, content, cancelled] = [[], [], [], {}, 0];
  answer = "private";
  atPiece = () => undefined;
});

function drop(files: readonly File[], { hasFolder = false, mayType = true } = {}): Promise<void> {
  const view = {
    host: {
      uploads,
      snapshot: () => ({ mirror: { shells: [{ id: 7, cwd: "/home/ann", command: "bash" }] } }),
    },
    ui: {
      toasts,
      async ask(question: Asked) {
        asked.push(question);
        return answer;
      },
    },
  } as unknown as Parameters<typeof insertFiles>[0];
  const insert = (text: string) => void inserted.push(text);
  return insertFiles(view, files, { shell: 7 as ShellId, hasFolder, mayType: () => mayType, insert });
}

const words = () => toasts.shown.get().map(({ message }) => message);

test("files are uploaded once the user has agreed to what and where, and their paths are inserted, quoted", async () => {
  const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index % 256);
  await drop([new File([bytes], "../it's\u202E.txt"), new File(["hi"], "b")]);
  expect(asked).toMatchObject([
    {
      title: "Upload 2 files?",
      body: expect.stringContaining("/home/ann"),
      quote: [" 300 kB  it's_.txt", "2 bytes  b"],
    },
  ]);
  expect(started).toEqual([
    {
      shell: 7,
      files: [
        { name: "it's_.txt", size: 300_000 },
        { name: "b", size: 2 },
      ],
    },
  ]);
  expect(content[0] === Buffer.from(bytes).toString("latin1")).toBe(true);
  expect(content[1]).toBe("hi");
  expect(inserted).toEqual(["'/tmp/up/it'\\''s.txt' /tmp/up/b "]);
  expect(words()).toEqual([]);
});

test("a long name is cut in the middle, so that its extension is seen", async () => {
  await drop([new File(["x"], `${"holiday ".repeat(10)}.pdf.exe`)]);
  expect(asked[0]?.quote).toEqual(["1 byte  holiday holiday h…day .pdf.exe"]);
});

test("the shell's folder is named as the user was shown it", async () => {
  answer = "folder";
  await drop([new File(["x"], "a")]);
  expect(started).toMatchObject([{ folder: "/home/ann" }]);
});

test("nothing is sent of what the user does not agree to, or may not type, and a folder is refused in words", async () => {
  answer = undefined;
  await drop([new File(["x"], "a")]);
  await drop([new File(["x"], "a")], { mayType: false });
  expect(words()).toEqual([]);
  await drop([new File(["x"], "a")], { hasFolder: true });
  expect(words()).toEqual(["Nothing was inserted. A folder cannot be uploaded: pack it into one file first."]);
  await drop(Array.from({ length: 21 }, () => new File(["x"], "a")));
  expect(words().at(-1)).toBe("Nothing was inserted. At most 20 files can be uploaded at a time.");
  expect([started, inserted]).toEqual([[], []]);
});

test("Cancel in the message ends a running upload without another message", async () => {
  atPiece = () => {
    const [toast] = toasts.shown.get();
    expect(toast?.message).toBe("Uploading “a”, 100 kB: 0%");
    toast?.actions[0]?.run();
  };
  await drop([new File([new Uint8Array(100_000)], "a")]);
  expect([cancelled, inserted, words()]).toEqual([1, [], []]);
});

test("a failure is told, and the upload is given up", async () => {
  atPiece = () => {
    throw new Error("The upload was not kept, because the disk is full or failing.");
  };
  await drop([new File(["x"], "a")]);
  expect(words()).toEqual(["Nothing was inserted. The upload was not kept, because the disk is full or failing."]);
  expect([cancelled, inserted]).toEqual([1, []]);
});
