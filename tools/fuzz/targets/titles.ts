import type { ShellId } from "../../../core/protocol/ids.ts";
import { describeShell } from "../../../core/protocol/shell-name.ts";
import { safeFileName } from "../../../core/protocol/uploads.ts";
import { visibleText } from "../../../core/protocol/visible-text.ts";
import { parseOsc } from "../../../main/shells/marks/terminal-signal.ts";

export const seeds = [
  "0;✳ mara@vm: ~/src/api (api)",
  "2;[mara@vm]:~ [ * ] ⠋ Working",
  "7;file://host/home/mara/a%20b",
  "9;4;1;50",
  "99;i=1:d=0;title",
  "777;notify;title;body",
  "7501;state=working;text=abc",
].map((text) => Buffer.from(text));

/** An operating system command, and its text as a title, a folder, a process and a file's name. */
export function fuzz(data: Buffer): void {
  const text = data.toString("utf8");
  parseOsc(text);
  const rest = text.slice(text.indexOf(";") + 1);
  visibleText(rest);
  safeFileName(rest);
  const shell = { id: 1 as ShellId, title: rest, cwd: `/${rest}`, command: "bash", process: "vim", running: true };
  describeShell(shell);
  describeShell({ ...shell, process: rest, title: `mara@vm: ${rest}` });
}
