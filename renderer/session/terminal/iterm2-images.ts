import type { ImageAddon } from "@xterm/addon-image";
import type { IDisposable, Terminal } from "@xterm/xterm";
import { withoutTrailing } from "../../../core/protocol/without-trailing.ts";

/** What the add-on has for one image of iTerm2's protocol: its content in pieces, as code points. */
interface ImageHandler {
  start(): void;
  put(data: Uint32Array, start: number, end: number): void;
  end(success: boolean): boolean | Promise<boolean>;
}

const PIECE = 16 * 1024;
const FILE = "File=";
const FIRST_PART = "MultipartFile=";
const PART = "FilePart=";
const LAST_PART = "FileEnd";

/**
 * Draws those images of iTerm2's protocol that the add-on leaves out: without a size, which is optional there, and in
 * several parts, as `imgcat` sends them.
 *
 * @param maxLength of an image's content, in characters; a longer one is left out
 */
export function completeImages(terminal: Terminal, addon: ImageAddon, maxLength: number): IDisposable {
  const handler = handlerOf(addon);
  let open: { readonly header: string; readonly parts: string[]; length: number } | undefined;

  const draw = (header: string, content: string): boolean | Promise<boolean> => {
    handler?.start();
    const sized = hasSize(header) ? header : `${header};size=${sizeOf(content)}`;
    feed(handler, `${FILE}${sized}:${content}`);
    return handler?.end(true) ?? true;
  };
  return terminal.parser.registerOscHandler(1337, (data) => {
    if (data.startsWith(FILE)) {
      const colon = data.indexOf(":");
      const header = data.slice(FILE.length, colon);
      // The add-on has followed it already.
      return colon === -1 || hasSize(header) || data.length > maxLength ? false : draw(header, data.slice(colon + 1));
    }
    if (data.startsWith(FIRST_PART)) open = { header: data.slice(FIRST_PART.length), parts: [], length: 0 };
    else if (data.startsWith(PART)) {
      open?.parts.push(data.slice(PART.length));
      if (open !== undefined) open.length += data.length;
      if (open !== undefined && open.length > maxLength) open = undefined;
    } else if (data === LAST_PART) {
      const whole = open;
      open = undefined;
      return whole === undefined ? true : draw(whole.header, whole.parts.join(""));
    } else return false;
    return true;
  });
}

function feed(handler: ImageHandler | undefined, text: string): void {
  const codes = new Uint32Array(PIECE);
  for (let at = 0; at < text.length; at += PIECE) {
    const end = Math.min(PIECE, text.length - at);
    for (let index = 0; index < end; index++) codes[index] = text.charCodeAt(at + index);
    handler?.put(codes, 0, end);
  }
}

function hasSize(header: string): boolean {
  return /(?:^|;)size=[1-9]/.test(header);
}

/** The number of bytes that a text in base64 stands for. */
function sizeOf(content: string): number {
  return Math.floor((withoutTrailing(content, "=").length * 3) / 4);
}

function handlerOf(addon: ImageAddon): ImageHandler | undefined {
  const handlers: unknown = Reflect.get(addon, "_handlers");
  const handler: unknown = handlers instanceof Map ? handlers.get("iip") : undefined;
  return isHandler(handler) ? handler : undefined;
}

function isHandler(value: unknown): value is ImageHandler {
  return typeof value === "object" && value !== null && "start" in value && "put" in value && "end" in value;
}
