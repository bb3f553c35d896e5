import type { ShellHost } from "../shell-host.ts";
import type { CallName, CallParams, CallResult } from "./calls.ts";

type Answers = {
  [M in Exclude<CallName, "dispose">]: (host: ShellHost, params: CallParams<M>) => Promise<CallResult<M>>;
};

const answers: Answers = {
  spawn: (host, wish) => host.spawn(wish),
  paste: (host, { shell, text }) => host.paste(shell, text),
  keys: (host, { shell, ...input }) => host.keys(shell, input),
  resize: (host, { shell, cols, rows }) => silent(host.resize(shell, cols, rows)),
  close: (host, { shell }) => silent(host.close(shell)),
  forget: (host, { shell }) => silent(host.forget(shell)),
  read: (host, { shell, ...options }) => host.read(shell, options),
  screen: (host, { shell, ...options }) => host.screen(shell, undefined, options),
  snapshot: (host, { shell, scrollbackRows }) => host.snapshot(shell, scrollbackRows),
  type: (host, { shell, line }) => host.type(shell, line),
  run: (host, { shell, line, ...wish }) => host.run(shell, line, wish),
  waitFor: (host, { shell, ...options }) => host.waitFor(shell, options),
  info: (host, { shell }) => host.info(shell),
};

/** Has a session's shells do what a relay asks; the parameters are those of the method. */
export function answerCall(host: ShellHost, method: keyof Answers, params: unknown): Promise<unknown> {
  const answer = answers[method] as (host: ShellHost, params: unknown) => Promise<unknown>;
  return answer(host, params);
}

async function silent(done: Promise<void>): Promise<undefined> {
  await done;
  return undefined;
}
