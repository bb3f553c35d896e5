import { z } from "zod";
import { CodexServer, codexSocket } from "./codex-server.ts";

const Turns = z.object({ data: z.array(z.object({ id: z.string(), status: z.string() })) });

/**
 * Stops the turn that runs in a thread of the app server that the Codex terminals of a home folder share. Resolves to whether
 * the server took it; false too where there is no server, or no turn runs.
 */
export async function stopCodexTurn(home: string, threadId: string): Promise<boolean> {
  const path = codexSocket(home);
  if (path === undefined) return false;
  return new Promise((resolve) => {
    const server = new CodexServer(path, {
      async onReady() {
        const turns = await server.call("thread/turns/list", { threadId, limit: 1, itemsView: "notLoaded" });
        const turn = Turns.safeParse(turns).data?.data.find(({ status }) => status === "inProgress");
        const taken = turn && (await server.call("turn/interrupt", { threadId, turnId: turn.id }));
        resolve(taken !== undefined);
        server[Symbol.dispose]();
      },
      onRequest: () => undefined,
      onNotification: () => undefined,
      onEnd: () => resolve(false),
    });
  });
}
