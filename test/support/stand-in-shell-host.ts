import type { ShellHost } from "../../core/protocol/shell-host.ts";

/** A shell host without shells, for tests: calls are rejected unless overridden. */
export function standInShellHost(overrides: Partial<ShellHost> = {}, error = new Error("not here")): ShellHost {
  const reject = () => Promise.reject(error);
  const subscription = { acknowledge: () => undefined, stop: () => undefined };
  return {
    spawn: reject,
    write: reject,
    keys: reject,
    resize: reject,
    close: reject,
    forget: reject,
    read: reject,
    screen: reject,
    snapshot: reject,
    type: reject,
    run: reject,
    waitFor: reject,
    info: reject,
    subscribe: () => subscription,
    follow: () => subscription,
    list: () => [],
    has: () => false,
    onEvent: () => () => undefined,
    dispose: () => Promise.resolve(),
    ...overrides,
  };
}
