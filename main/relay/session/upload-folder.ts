import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdtemp, open, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { numberedName, safeFileName } from "../../../core/protocol/uploads.ts";

/** Names that are tried for one file: `photo.png`, `photo (2).png` and so on. */
const MOST_NAMES = 100;

/**
 * The files of one upload on disk: under hidden names until `finish`, which gives them their own. Nothing that exists is
 * overwritten or followed.
 */
export class UploadFolder {
  readonly #wanted: string | undefined;
  readonly #names: readonly string[];
  /** Paths of what was written, by the index of the file. */
  readonly #parts = new Map<number, string>();
  readonly #finished: string[] = [];
  #folder = "";
  #current: { readonly file: number; readonly handle: FileHandle } | undefined;

  /** @param wanted an existing folder; undefined for a new one that only this user can read */
  constructor(wanted: string | undefined, names: readonly string[]) {
    this.#wanted = wanted;
    this.#names = names.map(safeFileName);
  }

  /** Returns the folder, after creating it if it is a private one. */
  async open(): Promise<string> {
    this.#folder = this.#wanted ?? (await mkdtemp(join(tmpdir(), "patchbay-upload-")));
    return this.#folder;
  }

  async write(file: number, bytes: Buffer): Promise<void> {
    const handle = await this.#handleOf(file);
    let written = 0;
    while (written < bytes.length) {
      const { bytesWritten } = await handle.write(bytes, written, bytes.length - written);
      written += bytesWritten;
    }
  }

  /** Gives the files their names and returns their paths. */
  async finish(): Promise<string[]> {
    for (const index of this.#names.keys()) if (!this.#parts.has(index)) await this.#handleOf(index);
    await this.#close();
    for (const [index, name] of this.#names.entries()) {
      const part = this.#parts.get(index);
      if (part === undefined) continue;
      const path = await this.#reserve(name);
      this.#finished.push(path);
      await rename(part, path);
      this.#parts.delete(index);
    }
    return [...this.#finished];
  }

  /** Removes all that was written. */
  async remove(): Promise<void> {
    await this.#close().catch(() => undefined);
    const written = [...this.#parts.values(), ...this.#finished];
    for (const path of written) await rm(path, { force: true }).catch(() => undefined);
    if (this.#wanted !== undefined || this.#folder === "") return;
    await rm(this.#folder, { recursive: true, force: true }).catch(() => undefined);
  }

  async #handleOf(file: number): Promise<FileHandle> {
    if (this.#current?.file === file) return this.#current.handle;
    await this.#close();
    const part = join(this.#folder, `.${randomBytes(8).toString("hex")}.patchbay-upload`);
    const handle = await this.#create(part);
    this.#parts.set(file, part);
    this.#current = { file, handle };
    return handle;
  }

  /** Creates an empty file under a name that is free, which the whole file then replaces. */
  async #reserve(name: string): Promise<string> {
    for (let number = 1; ; number++) {
      const path = join(this.#folder, numberedName(name, number));
      try {
        await (await this.#create(path)).close();
        return path;
      } catch (error) {
        if ((error as { code?: unknown }).code !== "EEXIST" || number === MOST_NAMES) throw error;
      }
    }
  }

  /** Creates a file that must not exist, not even as a link. No uploaded file is executable. */
  #create(path: string): Promise<FileHandle> {
    const { O_CREAT, O_EXCL, O_WRONLY } = constants;
    return open(path, O_CREAT | O_EXCL | O_WRONLY, this.#wanted === undefined ? 0o600 : 0o666);
  }

  async #close(): Promise<void> {
    const { handle } = this.#current ?? {};
    this.#current = undefined;
    await handle?.close();
  }
}
