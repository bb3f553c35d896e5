import { RemoteError } from "../core/protocol/errors.ts";
import { type EnclosingShell, findEnclosingShells } from "./enclosing-shell.ts";
import { ClientError, RelayUnreachable } from "./errors.ts";
import { announcedUrl } from "./find-relay.ts";
import { RemoteClient } from "./remote-client.ts";

const OUTSIDE = "run it outside of Patchbay's shells";

/**
 * Checks that a command may use what belongs to the user alone, a data folder or the keychain: it may not in a Patchbay
 * shell that may not create keys. The relay decides that, and asks the user where it can. Its address is that in the data
 * folder of the shell's own host, else of the data folder in use, else the one that the shell's environment names: a caller
 * can name any server in its environment.
 *
 * @throws RemoteError or ClientError with the reason
 */
export async function checkLocalAccess(
  env: Readonly<Record<string, string | undefined>>,
  { data }: { readonly data?: string | undefined } = {},
): Promise<void> {
  const { shells, folders, isComplete } = findEnclosingShells(env);
  if (!isComplete) {
    throw new ClientError("no_key", `This runs too deep in other programs to tell its shell: ${OUTSIDE}.`);
  }
  for (const folder of folders) await checkAt(announcedUrl({ data: folder, env }), shells);
  if (folders.length > 0 || shells.length === 0) return;
  const inUse = announcedUrl({ data, env });
  for (const shell of shells) await checkAt(inUse ?? shell.url, [shell]);
}

/** Asks one relay with the token of the first of these shells that it knows. */
async function checkAt(url: string | undefined, shells: readonly EnclosingShell[]): Promise<void> {
  const where = shells[0] === undefined ? "a Patchbay shell" : `shell ${shells[0].shell}`;
  const tokens = [...new Set(shells.map(({ token }) => token))].filter((token) => token !== "");
  if (tokens.length === 0 || url === "") {
    throw new ClientError(
      "no_key",
      `This runs in ${where}, without its SERVICE_URL and SERVICE_TOKEN, so its permissions are unknown: ${OUTSIDE}.`,
    );
  }
  if (url === undefined) {
    throw new ClientError(
      "unreachable",
      `This runs in ${where}, whose relay does not run, so its permissions are unknown: ${OUTSIDE}.`,
    );
  }
  for (const token of tokens) {
    try {
      await new RemoteClient({ url, token }).operation("listKeys", {});
      return;
    } catch (error) {
      if (error instanceof RelayUnreachable) {
        throw new ClientError(
          "unreachable",
          `This runs in ${where}, whose relay at ${url} does not answer, so its permissions are unknown: ${OUTSIDE}.`,
          { cause: error },
        );
      }
      // The relay may know the token of a shell further out.
      if (!(error instanceof RemoteError && error.code === "unauthenticated") || token === tokens.at(-1)) throw error;
    }
  }
}
