import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain, type WebContents } from "electron";
import { errorText } from "../../../core/protocol/error-text.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { type InvokeName, invokeNames, type OnName } from "../../../preload/channel-names.ts";
import { type InvokeResult, invokeChannels, type OnMessages, type ParsedArgs } from "../../../preload/channels.ts";
import { isAppUrl } from "./app-url.ts";

/** The handlers by channel. A `request` returns its value or throws; the result of a `send` is dropped. */
export type ChannelHandlers = {
  readonly [N in InvokeName]: (caller: WebContents, args: ParsedArgs<N>) => unknown;
};

/**
 * Serves the calls of pages. A call is accepted only from the top frame of a window of the app that shows the app's own
 * page, and only with valid arguments. Returns a function that stops serving.
 */
export function serveIpc(handlers: ChannelHandlers, isOurs: (contents: WebContents) => boolean): () => void {
  const names = Object.keys(invokeNames) as InvokeName[];
  const sends = names.filter((name) => invokeNames[name] === "send");
  const requests = names.filter((name) => invokeNames[name] === "request");
  const run = (name: InvokeName, event: IpcMainEvent | IpcMainInvokeEvent, args: unknown): unknown => {
    if (!isOurs(event.sender) || !fromTopFrame(event)) throw new RemoteError("scope_forbids", "Not one of our pages.");
    const parsed = invokeChannels[name].safeParse(args);
    if (!parsed.success) throw new RemoteError("invalid_params", `${name}: ${parsed.error.issues[0]?.message}`);
    return handlers[name](event.sender, parsed.data as never);
  };
  for (const name of requests) ipcMain.handle(name, (event, args: unknown) => toResult(() => run(name, event, args)));
  const stops = sends.map((name) => {
    const receive = (event: IpcMainEvent, args: unknown) => void toResult(() => run(name, event, args));
    ipcMain.on(name, receive);
    return () => ipcMain.off(name, receive);
  });
  return () => {
    for (const name of requests) ipcMain.removeHandler(name);
    for (const stop of stops) stop();
  };
}

/** Sends a message to the page of a window; has no effect when the window is closed. */
export function sendToPage<N extends OnName>(contents: WebContents, name: N, message: OnMessages[N]): void {
  if (!contents.isDestroyed()) contents.send(name, message);
}

function fromTopFrame({ senderFrame }: IpcMainEvent | IpcMainInvokeEvent): boolean {
  return senderFrame !== null && senderFrame.parent === null && isAppUrl(senderFrame.url);
}

async function toResult(run: () => unknown): Promise<InvokeResult> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    const code = error instanceof RemoteError ? error.code : "internal";
    return { ok: false, code, message: errorText(error) };
  }
}
