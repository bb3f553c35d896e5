import { fileURLToPath } from "node:url";
import type { ServeModule } from "../../cli/commands/serve.ts";
import { exitCodes } from "../../cli/parse/exit-codes.ts";
import type { OperationResult } from "../../core/operations/index.ts";
import { userCaller } from "../relay/access/permits/caller.ts";
import { openKeychain } from "../system/keychain.ts";
import { askHistory, terminalQuestions } from "./ask-history.ts";
import { CommandLineSetUp } from "./connect-command-line.ts";
import { runHeadlessClients } from "./headless-client.ts";
import { limitStop } from "./limit-stop.ts";
import { machinesOf } from "./machines-of.ts";
import { nextSteps } from "./next-steps.ts";
import { parseOptions, UsageError } from "./options/options.ts";
import { inviteText } from "./print-invite.ts";
import { printLogins } from "./print-logins.ts";
import { ownerLinkText } from "./print-owner-link.ts";
import { firstServeText } from "./print-welcome.ts";
import { commandFolder } from "./shells-environment.ts";
import { type RunningRelay, startRelay } from "./start-relay.ts";
import { isUserError } from "./user-errors.ts";

/** `patchbay serve`: runs the relay under plain Node until it is told to stop. Returns 1 if it could not start, 2 for usage. */
export const main: ServeModule["main"] = async (args) => {
  try {
    const options = parseOptions(args, process.env);
    const dist = fileURLToPath(new URL("..", import.meta.url));
    const running = await startRelay(options, dist);
    // Before it says that it is up: a program that reads this may stop it at once.
    const stopped = stopSignal();
    // Read when the panel asks for other machines.
    const keychain = openKeychain((sentence) => {
      if (sentence !== undefined) running.log.warn(sentence);
    });
    running.relay.machines = machinesOf(running.relay, options.data, keychain);
    const print = (line: string) => process.stdout.write(`${line}\n`);
    for (const notice of running.notices) print(notice);
    const stopClients = options.client ? runHeadlessClients(running.relay, print) : undefined;
    const welcome = firstServeText(options.data, new CommandLineSetUp({ folder: commandFolder(dist) }).facts());
    if (welcome !== undefined) print(welcome);
    print(nextSteps(running, options));
    const onTerminal = process.stdout.isTTY === true;
    // A pipe may be a log, which keeps no way in.
    if (onTerminal) print(await ownLinksText(running));
    if (options.invite === true) print(await inviteText(() => createInvite(running), onTerminal));
    const stopTelling = printLogins(running.relay.logins, print, { data: options.ownData ? options.data : undefined });
    const questions = terminalQuestions();
    if (onTerminal && process.stdin.isTTY) void askHistoryOf(running, questions.ask, print);
    const lost = await Promise.race([stopped, running.lost]);
    questions.stop();
    limitStop(running.log, (code) => process.exit(code));
    if (options.keepShells) running.keepShells();
    stopTelling();
    stopClients?.();
    await running.close();
    return lost === undefined ? exitCodes.ok : exitCodes.refused;
  } catch (error) {
    if (!isUserError(error)) throw error;
    process.stderr.write(`patchbay: ${error.message}\n`);
    return error instanceof UsageError ? exitCodes.usage : exitCodes.refused;
  }
};

/** Creates an invite to the default session in the name of the user who has started the relay. */
function createInvite({ relay, session }: RunningRelay): Promise<OperationResult<"createInvite">> {
  return relay.calls.run(userCaller(relay.user, "serve"), "createInvite", { session, role: "writer" });
}

/** Creates the owner's links, for this machine and, where they reach the relay, for others. */
async function ownLinksText({ relay, session }: RunningRelay): Promise<string> {
  const create = (outside: boolean) =>
    relay.calls.run(userCaller(relay.user, "serve"), "createOwnerLink", { session, outside });
  return ownerLinkText(await create(false), relay.remoteAccess === undefined ? undefined : await create(true));
}

/** Asks once whether what shells print is recorded; the answer is a call like any other. */
function askHistoryOf(
  { relay }: RunningRelay,
  ask: (question: string) => Promise<string>,
  print: (line: string) => void,
) {
  const caller = userCaller(relay.user, "serve");
  return askHistory({
    settings: () => relay.history?.settings(),
    ask,
    print,
    start: (wish) => relay.calls.run(caller, "startHistory", wish),
    stop: () => relay.calls.run(caller, "stopHistory", {}),
  });
}

function stopSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve(undefined));
  });
}
