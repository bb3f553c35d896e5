import { askMachines, type Machine } from "../../client/ask-machines.ts";
import { userOf } from "../../client/remote-machine.ts";
import type { DamagedRemote } from "../../client/remotes.ts";
import type { Finding } from "../../core/protocol/health.ts";
import type { MachineReport } from "../../core/protocol/machines.ts";
import { describeState } from "../machines/print-machines.ts";
import { version } from "../parse/version.ts";
import type { CheckResult } from "./finding.ts";

interface KnownRemotes {
  readonly machines: readonly Machine[];
  readonly damaged: readonly DamagedRemote[];
}

/** Checks that each remote is there, proves who it is, and takes its key. All are asked at the same time. */
export async function checkRemotes({ machines, damaged }: KnownRemotes): Promise<Finding[]> {
  const answers = await askMachines(machines, userOf);
  return [
    ...answers.map(({ value, ...report }) => ({ check: `remote ${report.machine}`, ...resultOf(report, value) })),
    ...damaged.map(({ name }) => ({ check: `remote ${name}`, ...damagedResult(name) })),
  ];
}

function resultOf(report: MachineReport, user: string | undefined): CheckResult {
  const { machine, url, state, key } = report;
  if (user !== undefined) return answeringResult(report, user);
  const found = `It is ${describeState(report)}`;
  // A laptop that sleeps is no fault.
  if (state === "away")
    return { state: "note", found, advice: `If it moved: \`service remotes update ${machine} --url ADDRESS\`.` };
  if (state === "untrusted") return { state: "problem", found };
  if (state === "invalid") {
    return {
      state: "problem",
      found,
      advice: `See what answers at ${url}, or give its address: \`service remotes update ${machine} --url ADDRESS\`.`,
    };
  }
  if (key === "missing" || key === "rejected") {
    return { state: "problem", found, advice: `Give it another key: \`service remotes update ${machine} --key\`.` };
  }
  return { state: "note", found };
}

function answeringResult({ machine, url, version: theirs }: MachineReport, user: string): CheckResult {
  const found = `It answers at ${url}, version ${theirs}, and takes its key, as ${user}.`;
  if (theirs === version) return { state: "ok", found };
  return {
    state: "note",
    found,
    advice: `This program is version ${version}: update the older one of ${machine} and this machine.`,
  };
}

function damagedResult(name: string): CheckResult {
  const advice = `\`service remotes remove ${name}\`, then add it again.`;
  return { state: "problem", found: "Its record cannot be read.", advice };
}
