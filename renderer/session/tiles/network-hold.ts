import { useEffect, useState } from "react";
import { z } from "zod";
import type { SessionHost } from "../view/session-host.ts";
import { useView } from "../view/view.ts";

const Answer = z.strictObject({ patchbayHeld: z.boolean() });
/** A document that has loaded has answered; this covers a busy browser. */
const ANSWER_MS = 2000;

/**
 * Returns whether this view keeps a plugin's page from every connection; undefined until that is known. The app's windows
 * do. Browsers do if they enforce `Connection-Allowlist`; others look up, and some connect to, the server of an address
 * that a page tries to open, before they refuse to open it.
 *
 * @param page the plugin's frame, as in its record
 */
export function useNetworkHold(page: string): boolean | undefined {
  const { host } = useView();
  const [held, setHeld] = useState<boolean | undefined>(host.platform === "electron" ? true : undefined);
  useEffect(() => {
    let wanted = true;
    if (host.platform !== "electron") void probe(host, page).then((found) => wanted && setHeld(found));
    return () => {
      wanted = false;
    };
  }, [host, page]);
  return held;
}

async function probe(host: SessionHost, page: string): Promise<boolean> {
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.setAttribute("sandbox", "allow-scripts");
  const address = await host.addressOf(page);
  frame.src = `${address.slice(0, address.lastIndexOf("/") + 1)}probe`;
  return new Promise((resolve) => {
    const finish = (held: boolean) => {
      window.removeEventListener("message", onMessage);
      frame.remove();
      resolve(held);
    };
    const onMessage = ({ source, data }: MessageEvent<unknown>) => {
      const answer = source === frame.contentWindow ? Answer.safeParse(data).data : undefined;
      if (answer !== undefined) finish(answer.patchbayHeld);
    };
    window.addEventListener("message", onMessage);
    frame.addEventListener("load", () => setTimeout(() => finish(false), ANSWER_MS));
    document.body.append(frame);
  });
}

const STORED = "patchbay-plugin-accepted-";

/**
 * Returns whether the user of this browser has accepted that this page, with these methods allowed, could send away what
 * they read, and a function that accepts it.
 */
export function useAcceptance(
  page: string,
  allowed: readonly string[],
): readonly [boolean, (methods: readonly string[]) => void] {
  const [accepted, setAccepted] = useState(() => readAccepted(page));
  const accept = (methods: readonly string[]) => {
    setAccepted(methods);
    try {
      localStorage.setItem(STORED + page, JSON.stringify(methods));
    } catch {
      // Accepted until the page is closed.
    }
  };
  return [accepted !== undefined && allowed.every((method) => accepted.includes(method)), accept];
}

function readAccepted(page: string): readonly string[] | undefined {
  try {
    return z.array(z.string()).safeParse(JSON.parse(localStorage.getItem(STORED + page) ?? "")).data;
  } catch {
    return undefined;
  }
}
