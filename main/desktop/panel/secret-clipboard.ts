import { clipboard } from "electron";

const CLEAR_AFTER_MS = 60_000;

/** Copies secrets to the clipboard and clears it after a minute, unless something else was copied meanwhile. */
export class SecretClipboard implements Disposable {
  #timer: NodeJS.Timeout | undefined;
  #secret: string | undefined;

  copy(secret: string): void {
    clearTimeout(this.#timer);
    clipboard.writeText(secret);
    this.#secret = secret;
    this.#timer = setTimeout(() => void this.#clear(), CLEAR_AFTER_MS);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    void this.#clear();
  }

  async #clear(): Promise<void> {
    const secret = this.#secret;
    this.#secret = undefined;
    if (secret !== undefined && (await clipboard.readText()) === secret) clipboard.clear();
  }
}
