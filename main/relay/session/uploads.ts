import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ClientId, ShellId } from "../../../core/protocol/ids.ts";
import type { Lifetime } from "../../../core/protocol/lifetime.ts";
import type { OpParams, OpResult } from "../../../core/protocol/relay-ops.ts";
import { uploadLimits } from "../../../core/protocol/uploads.ts";
import type { CallerBudgets } from "./caller-budgets.ts";
import type { ShellUser } from "./shell-user.ts";
import type { SessionShells } from "./shells.ts";
import { UploadFolder } from "./upload-folder.ts";

interface UploadsOptions {
  readonly shells: Pick<SessionShells, "running">;
  readonly budgets: Pick<CallerBudgets, "open">;
  /** Milliseconds after which an upload without a further piece ends; default: a minute. */
  readonly idleMs?: number;
}

interface Upload {
  readonly client: ClientId;
  readonly isGuest: boolean;
  readonly shell: ShellId;
  readonly sizes: readonly number[];
  readonly target: UploadFolder;
  /** Bytes of each file so far. */
  readonly received: number[];
  /** Ends what watches over the upload. */
  readonly release: () => void;
  idle: NodeJS.Timeout;
  /** A piece is being written, or the files get their names. */
  busy: boolean;
  /** Why it has ended. */
  ended: RemoteError | undefined;
}

/** Open uploads of all clients of a session. */
const MOST_OPEN = 8;
/** The most of them that guests have, who are as many as an invite lets in: the owner has places left. */
const MOST_OF_GUESTS = 6;
const IDLE_MS = 60_000;

/**
 * Files that people upload from their pages for a shell. Nothing of them is kept in memory, they appear under their names
 * only when they are whole, and an upload that ends before leaves nothing: with the client, with its right to type, with
 * the shell, or after a minute without a piece.
 */
export class Uploads implements AsyncDisposable {
  readonly #options: UploadsOptions;
  readonly #open = new Map<number, Upload>();
  readonly #removals = new Set<Promise<void>>();
  #nextId = 1;

  constructor(options: UploadsOptions) {
    this.#options = options;
  }

  /**
   * Begins an upload.
   *
   * @throws RemoteError `unknown_shell`, `shell_exited`, `limit_reached`, `too_many_requests`, `invalid_request`, `storage_failed`
   */
  async start(
    { id: client, guest }: Pick<ShellUser, "id" | "guest">,
    { shell, folder, files }: OpParams<"startUpload">,
    { lifetime, account }: { readonly lifetime?: Lifetime | undefined; readonly account: string },
  ): Promise<OpResult<"startUpload">> {
    const { cwd } = this.#options.shells.running(shell);
    if (files.reduce((sum, { size }) => sum + size, 0) > uploadLimits.bytes) {
      throw new RemoteError("limit_reached", `One upload holds at most ${uploadLimits.bytes / 1024 / 1024} MiB.`);
    }
    const isGuest = guest === true;
    const ofGuests = [...this.#open.values()].filter((one) => one.isGuest).length;
    if (this.#open.size >= MOST_OPEN || (isGuest && ofGuests >= MOST_OF_GUESTS)) {
      throw new RemoteError(
        "too_many_requests",
        `${this.#open.size} uploads are under way in this session: try again later.`,
      );
    }
    const close = this.#options.budgets.open(account, "upload");
    const id = this.#nextId++;
    const target = new UploadFolder(
      folder,
      files.map(({ name }) => name),
    );
    const unwatch = lifetime?.onEnd((reason) => void this.#end(id, reason));
    const upload: Upload = {
      client,
      isGuest,
      shell,
      target,
      sizes: files.map(({ size }) => size),
      received: files.map(() => 0),
      release() {
        clearTimeout(upload.idle);
        unwatch?.();
        close();
      },
      idle: this.#watch(id),
      busy: true,
      ended: lifetime?.ended,
    };
    this.#open.set(id, upload);
    return this.#working(id, upload, async () => {
      if (folder !== undefined) await checkFolder(folder, cwd);
      return { upload: id, folder: await target.open() };
    });
  }

  /** Writes the next piece of a file. Throws `unknown_request`, `invalid_request`, `limit_reached`, `shell_exited`, `storage_failed`. */
  async send(client: ClientId, { upload: id, file, data }: OpParams<"sendUpload">): Promise<OpResult<"sendUpload">> {
    const upload = this.#find(client, id);
    const bytes = Buffer.from(data, "base64");
    return this.#working(id, upload, async () => {
      this.#options.shells.running(upload.shell);
      const size = upload.sizes[file];
      const before = upload.received[file];
      if (size === undefined || before === undefined || !isWhole(upload, file)) {
        throw new RemoteError("invalid_request", "The files of an upload are sent one after the other.");
      }
      const received = before + bytes.length;
      if (received > size) throw new RemoteError("limit_reached", "The file is larger than was said.");
      upload.received[file] = received;
      await upload.target.write(file, bytes);
      return { received };
    });
  }

  /** Gives the files their names. Throws as `send` does. */
  async finish(client: ClientId, id: number): Promise<OpResult<"finishUpload">> {
    const upload = this.#find(client, id);
    const paths = await this.#working(id, upload, async () => {
      this.#options.shells.running(upload.shell);
      if (!isWhole(upload, upload.sizes.length)) {
        throw new RemoteError("invalid_request", "The upload is not complete.");
      }
      return upload.target.finish();
    });
    this.#open.delete(id);
    upload.release();
    return { paths };
  }

  /** Also while a piece is being written. */
  async cancel(client: ClientId, id: number): Promise<OpResult<"cancelUpload">> {
    this.#of(client, id);
    await this.#end(id, new RemoteError("invalid_request", "The upload was cancelled."));
    return { cancelled: true };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const stopped = new RemoteError("client_gone", "The relay is stopping.");
    for (const id of [...this.#open.keys()]) void this.#end(id, stopped);
    await Promise.allSettled(this.#removals);
  }

  #of(client: ClientId, id: number): Upload {
    const upload = this.#open.get(id);
    if (upload?.client === client) return upload;
    throw new RemoteError("unknown_request", `No upload ${id} of this client is open.`);
  }

  #find(client: ClientId, id: number): Upload {
    const upload = this.#of(client, id);
    if (upload.busy) throw new RemoteError("invalid_request", "A piece of this upload is still being written.");
    return upload;
  }

  /** Runs one step of an upload. If it fails, or the upload has ended meanwhile, nothing of the upload stays. */
  async #working<T>(id: number, upload: Upload, step: () => Promise<T>): Promise<T> {
    upload.busy = true;
    clearTimeout(upload.idle);
    try {
      if (upload.ended !== undefined) throw upload.ended;
      const result = await step();
      if (upload.ended !== undefined) throw upload.ended;
      return result;
    } catch (error) {
      const reason = error instanceof RemoteError ? error : diskError(error);
      upload.busy = false;
      await this.#end(id, reason);
      throw reason;
    } finally {
      upload.busy = false;
      if (this.#open.has(id)) upload.idle = this.#watch(id);
    }
  }

  #watch(id: number): NodeJS.Timeout {
    const { idleMs = IDLE_MS } = this.#options;
    const late = () =>
      void this.#end(id, new RemoteError("no_answer", "The upload ended: no piece came for a minute."));
    return setTimeout(late, idleMs).unref();
  }

  /** Ends an upload before it is complete. While a step runs, that step removes the files. */
  async #end(id: number, reason: RemoteError): Promise<void> {
    const upload = this.#open.get(id);
    if (upload === undefined) return;
    upload.ended ??= reason;
    if (upload.busy) return;
    this.#open.delete(id);
    upload.release();
    const removal = upload.target.remove();
    this.#removals.add(removal);
    await removal.finally(() => this.#removals.delete(removal));
  }
}

/** Whether all files before this one are complete, and none after it has begun. */
function isWhole({ received, sizes }: Upload, file: number): boolean {
  return received.every((bytes, index) => (index < file ? bytes === sizes[index] : index === file || bytes === 0));
}

/** The user has agreed to one folder: a shell that has moved on since then must not lead elsewhere. */
async function checkFolder(folder: string, cwd: string): Promise<void> {
  if (folder !== cwd || !isAbsolute(folder)) {
    throw new RemoteError("invalid_request", `The shell is in another folder now: ${cwd}. Try again.`);
  }
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new RemoteError("invalid_request", `${folder} is no folder of the relay's machine.`);
}

function diskError(error: unknown): RemoteError {
  const code = String((error as { code?: unknown }).code);
  const why =
    code === "EACCES" || code === "EPERM" || code === "EROFS"
      ? "the folder cannot be written"
      : "the disk is full or failing";
  return new RemoteError("storage_failed", `The upload was not kept, because ${why}.`, { cause: error });
}
