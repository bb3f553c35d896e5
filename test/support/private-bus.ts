import { spawn } from "node:child_process";
import { once } from "node:events";

/** A session bus of a test's own, with nothing on it. */
export interface PrivateBus extends AsyncDisposable {
  readonly address: string;
  /** As a crash of the bus. */
  kill(): Promise<void>;
}

export async function startPrivateBus(): Promise<PrivateBus> {
  const daemon = spawn("dbus-daemon", ["--session", "--nofork", "--nopidfile", "--print-address=1"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(daemon, "exit");
  const [said] = (await once(daemon.stdout, "data")) as [Buffer];
  const kill = async () => {
    daemon.kill("SIGKILL");
    await ended;
  };
  return { address: String(said).trim(), kill, [Symbol.asyncDispose]: kill };
}
