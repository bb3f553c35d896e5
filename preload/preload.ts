import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from "electron";
import { invokeNames, onNames } from "./channel-names.ts";
import type { InvokeResult } from "./channels.ts";

/**
 * The page's only access to the main process: two functions and a list of channel names. `pathOf` names the place of a
 * file that the user has dropped on the page; a page cannot make such a file itself.
 */
contextBridge.exposeInMainWorld("patchbay", { invoke, on, pathOf: (file: File) => webUtils.getPathForFile(file) });

async function invoke(name: string, args: unknown): Promise<unknown> {
  if (!Object.hasOwn(invokeNames, name)) throw new Error(`No channel ${name}.`);
  if (invokeNames[name as keyof typeof invokeNames] === "send") return ipcRenderer.send(name, args);
  const result = (await ipcRenderer.invoke(name, args)) as InvokeResult;
  if (result.ok) return result.value;
  throw new Error(result.message);
}

function on(name: string, listener: (message: unknown) => void): () => void {
  if (!(onNames as readonly string[]).includes(name)) throw new Error(`No channel ${name}.`);
  const receive = (_event: IpcRendererEvent, message: unknown) => listener(message);
  ipcRenderer.on(name, receive);
  return () => ipcRenderer.off(name, receive);
}
