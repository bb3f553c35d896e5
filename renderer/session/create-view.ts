import type { MethodName } from "../../core/commands/specs.ts";
import { rememberedScrollback } from "../ui/scrollback.ts";
import { createStore, type Store } from "../ui/store.ts";
import { rememberedFontSize } from "./font-size.ts";
import type { OpenQuestion, Question } from "./frame/question.ts";
import { keymap } from "./keys/keymap.ts";
import { perform } from "./keys/perform.ts";
import type { SessionHost } from "./session-host.ts";
import { ShellFeeds } from "./terminal/shell-feeds.ts";
import { WebglSlots } from "./terminal/webgl-slots.ts";
import { ToastStore } from "./toasts/toast-store.ts";
import type { PaletteRequest, View } from "./view.ts";

/** Builds the parts of one view over its host. */
export function createView(host: SessionHost, window: Window): View {
  const toasts = new ToastStore();
  const question = createStore<OpenQuestion | undefined>(undefined);
  const mac = /mac/i.test(window.navigator.platform);
  const bindings = keymap(mac);
  const view: View = {
    host,
    mac,
    bindings,
    toasts,
    question,
    palette: createStore<PaletteRequest | undefined>(undefined),
    chatOpen: createStore(false),
    lastRead: createStore(host.snapshot().mirror?.chat.at(-1)?.id ?? 0),
    shellsOpen: createStore(false),
    fontSize: rememberedFontSize(window),
    scrollback: rememberedScrollback(window),
    feeds: new ShellFeeds((shell, listener) => host.listen(shell, listener)),
    slots: new WebglSlots(),
    terminals: new Map(),
    clipboardAllowed: new Set(),
    run: (method, params) => run(host, toasts, method, params),
    ask: (asked) => ask(question, asked),
    perform: (binding) => perform(view, binding),
  };
  return view;
}

async function run(
  host: SessionHost,
  toasts: ToastStore,
  method: MethodName,
  params: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  try {
    return await host.execute(method, params);
  } catch (error) {
    toasts.show("error", error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** A question that comes while another is open takes its place; the earlier one counts as left. */
function ask(open: Store<OpenQuestion | undefined>, question: Question): Promise<string | undefined> {
  open.get()?.settle(undefined);
  return new Promise((resolve) => {
    const settle = (answer: string | undefined) => {
      open.set(undefined);
      resolve(answer);
    };
    open.set({ ...question, settle });
  });
}
