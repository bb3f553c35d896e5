import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** A session bus of a test's own, with nothing on it. */
export interface PrivateBus extends AsyncDisposable {
  readonly address: string;
  /** As a crash of the bus. */
  kill(): Promise<void>;
}

/**
 * Unlike a session's usual bus it starts no programs of this machine, whatever is installed here. The daemon refuses a
 * configuration without `listen`; its `--address` replaces that.
 */
const CONFIGURATION = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>`;

export async function startPrivateBus(): Promise<PrivateBus> {
  const folder = await mkdtemp(path.join(tmpdir(), "private-bus-"));
  const configuration = path.join(folder, "bus.conf");
  await writeFile(configuration, CONFIGURATION);
  const address = `--address=unix:path=${path.join(folder, "bus")}`;
  const words = [`--config-file=${configuration}`, address, "--nofork", "--nopidfile", "--print-address=1"];
  const daemon = spawn("dbus-daemon", words, { stdio: ["ignore", "pipe", "ignore"] });
  const ended = once(daemon, "exit");
  const [said] = (await once(daemon.stdout, "data")) as [Buffer];
  const kill = async () => {
    daemon.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  return { address: String(said).trim(), kill, [Symbol.asyncDispose]: kill };
}
