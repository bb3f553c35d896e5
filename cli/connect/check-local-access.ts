import { CliError, exitCodes } from "../parse/exit-codes.ts";
import { RelayUnreachable } from "../parse/relay-unreachable.ts";
import { enclosingShell } from "./enclosing-shell.ts";
import { RemoteClient } from "./remote-client.ts";

/**
 * Checks that a command may use what belongs to the user alone, a data folder or the keychain: it may not in a Patchbay
 * shell that may not create keys. The shell's relay decides that, and asks the user where it can.
 *
 * @throws RemoteError or CliError with the reason
 */
export async function checkLocalAccess(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const around = enclosingShell(env);
  if (around === undefined) return;
  const { shell, url, token } = around;
  if (url === "" || token === "") {
    throw new CliError(
      exitCodes.authentication,
      `This runs in shell ${shell}, without its SERVICE_URL and SERVICE_TOKEN, so its permissions are unknown: run it outside of Patchbay's shells.`,
    );
  }
  try {
    await new RemoteClient({ url, token }).operation("listKeys", {});
  } catch (error) {
    if (!(error instanceof RelayUnreachable)) throw error;
    throw new CliError(
      exitCodes.unreachable,
      `This runs in shell ${shell}, whose relay at ${url} does not answer, so its permissions are unknown: run it outside of Patchbay's shells.`,
      { cause: error },
    );
  }
}
