import { useEffect, useState } from "react";
import { formatLocale, formatNumber, listNames } from "../../core/phrases.ts";
import { SessionId } from "../../core/protocol/ids.ts";
import type { LeftBehind, ShellUsage } from "../../core/protocol/shell-usage.ts";
import type { PanelSession } from "../../preload/channels.ts";
import { formatBytes } from "../ui/format-bytes.ts";
import { formatTime } from "../ui/format-time.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { usePanel } from "./use-panel.ts";
import { usePolling } from "./use-polling.ts";
import { words } from "./words/index.ts";

const POLL_INTERVAL_MS = 10_000;
/** While the shells are shown one by one. */
const OPEN_INTERVAL_MS = 5_000;
/** Processes that are listed, and named in the question; *End them* ends the others too. */
const MAX_LISTED = 8;

/**
 * What a session costs the machine, by shell on demand, and what ended agents left running in it. Asked only while it is
 * visible.
 */
export function MachineUse({ session }: { readonly session: PanelSession }) {
  const { ask } = usePanel();
  const id = SessionId.parse(session.id);
  const [shells, setShells] = useState<readonly ShellUsage[]>([]);
  const [isOpen, setOpen] = useState(false);
  const askNow = usePolling(() => ask("getShellUsage", { session: id }), setShells, POLL_INTERVAL_MS, [
    "shells",
    "agents",
  ]);
  useEffect(() => {
    if (!isOpen) return;
    askNow();
    const timer = setInterval(askNow, OPEN_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [isOpen, askNow]);
  const running = shells.filter(({ count }) => count > 0);
  const left = shells.flatMap(({ leftBehind }) => leftBehind);
  const isExpected = session.shells.some((shell) => shell.running);
  return (
    <>
      {isExpected && running.length === 0 && <div className="machine-use" />}
      {isExpected && running.length > 0 && (
        <details className="machine-use" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary title={words.machineUse.basis}>{summaryOf(running)}</summary>
          <ShellTable session={session} shells={running} />
        </details>
      )}
      {left.length > 0 && <Left session={session} left={left} ended={askNow} />}
    </>
  );
}

function summaryOf(shells: readonly ShellUsage[]): string {
  const sum = (of: (shell: ShellUsage) => number) => shells.reduce((total, shell) => total + of(shell), 0);
  return [
    words.machineUse.cpu(formatPercent(sum(({ cpuPercent }) => cpuPercent))),
    formatBytes(sum(({ memoryBytes }) => memoryBytes)),
    words.machineUse.processes(sum(({ count }) => count)),
  ].join(" · ");
}

function ShellTable({ session, shells }: { readonly session: PanelSession; readonly shells: readonly ShellUsage[] }) {
  const nameOf = ({ shellId, title }: ShellUsage) =>
    session.shells.find(({ id }) => id === shellId)?.name || title || words.shell(shellId);
  return (
    <table aria-label={words.machineUse.of(session.name)}>
      <thead>
        <tr>
          <th scope="col">{words.machineUse.shell}</th>
          <th scope="col">{words.machineUse.processor}</th>
          <th scope="col">{words.machineUse.memory}</th>
          <th scope="col">{words.machineUse.count}</th>
        </tr>
      </thead>
      <tbody>
        {shells.map((shell) => (
          <tr key={shell.shellId}>
            <th scope="row" className="ellipsis" title={nameOf(shell)}>
              {nameOf(shell)}
            </th>
            <td>{formatPercent(shell.cpuPercent)}</td>
            <td>{formatBytes(shell.memoryBytes)}</td>
            <td>{formatNumber(shell.count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface LeftProps {
  readonly session: PanelSession;
  readonly left: readonly LeftBehind[];
  /** Called after processes were ended. */
  readonly ended: () => void;
}

/** What agents that have ended left running; nothing ends without a question. */
function Left({ session, left, ended }: LeftProps) {
  const { ask, showStatus } = usePanel();
  const [ending, setEnding] = useState<readonly LeftBehind[]>();
  // Each by its pid: what was left behind since the question is not what was asked about.
  const end = async (asked: readonly LeftBehind[]) => {
    const id = SessionId.parse(session.id);
    const answers = await Promise.allSettled(asked.map(({ pid }) => ask("endLeftBehind", { session: id, pid })));
    const count = answers.reduce((sum, answer) => sum + (answer.status === "fulfilled" ? answer.value.length : 0), 0);
    const failed = answers.find((answer) => answer.status === "rejected");
    if (count > 0 || failed === undefined) showStatus(words.machineUse.ended(count));
    else showStatus(failed.reason instanceof Error ? failed.reason.message : String(failed.reason), "bad");
    ended();
  };
  const listed = left.slice(0, MAX_LISTED);
  const others = left.length - listed.length;
  return (
    <section className="machine-left" aria-label={words.machineUse.leftIn(session.name)}>
      <div className="panel-row">
        <h3>{words.machineUse.left(left.length)}</h3>
        <button
          type="button"
          className="button quiet small"
          aria-label={words.machineUse.endAll(session.name)}
          onClick={() => setEnding(left)}
        >
          {words.machineUse.endThem}
        </button>
      </div>
      <ul>
        {listed.map((one) => (
          <li key={one.pid} className="panel-row">
            <span
              className="ellipsis"
              title={`${describe(one)} · ${words.machineUse.leftBy(one.agentType, formatTime(one.since))}`}
            >
              {one.name}{" "}
              <span className="panel-faint">{words.machineUse.leftBy(one.agentType, formatTime(one.since))}</span>
            </span>
            <span className="panel-faint panel-number">
              {formatPercent(one.cpuPercent)} · {formatBytes(one.memoryBytes)}
            </span>
            <button
              type="button"
              className="button quiet small"
              aria-label={words.machineUse.endOne(one.name, String(one.pid))}
              onClick={() => setEnding([one])}
            >
              {words.machineUse.end}
            </button>
          </li>
        ))}
        {others > 0 && <li className="panel-faint">{words.machineUse.more(others)}</li>}
      </ul>
      {ending !== undefined && (
        <ConfirmDialog
          title={words.machineUse.question(ending.length)}
          body={words.machineUse.body(namesOf(ending))}
          action={words.machineUse.end}
          confirm={() => end(ending)}
          close={() => setEnding(undefined)}
        />
      )}
    </section>
  );
}

function describe({ name, pid }: LeftBehind): string {
  return `${name} (${pid})`;
}

function namesOf(left: readonly LeftBehind[]): string {
  const others = left.length - MAX_LISTED;
  return listNames([
    ...left.slice(0, MAX_LISTED).map(describe),
    ...(others > 0 ? [words.machineUse.others(others)] : []),
  ]);
}

/** Formats a share of one processor in the user's locale. */
function formatPercent(percent: number): string {
  const maximumFractionDigits = percent < 10 ? 1 : 0;
  return new Intl.NumberFormat(formatLocale(), { style: "percent", maximumFractionDigits }).format(percent / 100);
}
