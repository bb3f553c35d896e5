import { z } from "zod";

const Entered = z.object({ result: z.object({ url: z.url({ protocol: /^https?$/ }) }) });

/** Has the relay let this browser into a tunnel, and answers the tunnel's address. Rejects with the relay's sentence. */
export async function enterTunnel(port: number): Promise<string> {
  const answer = await fetch(`${location.pathname}/tunnels/${port}`, { method: "POST" });
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return Entered.parse(await answer.json()).result.url;
}
