import { once } from "node:events";
import { type RequestOptions, request } from "node:https";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { parseCertificate } from "../../../../../main/relay/tls/certificate.ts";
import { makeCertificate } from "../../../../../main/relay/tls/make-certificate.ts";
import { servedNames } from "../../../../../main/relay/tls/served-names.ts";
import { otherAddress } from "../../../../support/other-address.ts";
import { startPaperTunnels } from "./paper-tunnels.ts";

describe("for a browser on another machine", () => {
  const made = makeCertificate(servedNames("0.0.0.0"));
  const certificate = parseCertificate(made.cert, made.key);
  if (certificate === undefined) throw new Error("no certificate");
  const ca = certificate.cert;

  const ask = (url: URL | string, options: RequestOptions = {}) =>
    new Promise<{ status: number | undefined; text: string; cookie: string }>((resolve, reject) => {
      const sent = request(url, { ca, agent: false, ...options }, (response) => {
        let text = "";
        response.on("data", (piece) => (text += String(piece)));
        const [cookie = ""] = response.headers["set-cookie"] ?? [];
        response.on("end", () => resolve({ status: response.statusCode, text, cookie }));
      });
      sent.on("error", reject).end();
    });

  test("a tunnel has a door of its own over TLS, which only a pass opens", async () => {
    await using lab = await startPaperTunnels({
      outside: { host: "0.0.0.0", port: 0, certificate: async () => certificate },
    });
    const { port, url: here } = await lab.program();
    const base = `https://${otherAddress()}:${new URL(lab.relay.relay.remoteAccess?.urls[0] ?? "").port}`;
    const path = `${base}/s/${lab.relay.session}/tunnels/${port}`;
    const entered = await ask(path, { method: "POST", headers: { Cookie: lab.guest() } });
    expect(entered).toMatchObject({ status: 200, cookie: expect.stringMatching(/; Secure$/) });
    const { url } = (JSON.parse(entered.text) as { result: { url: string } }).result;
    expect(url).toMatch(new RegExp(`^https://${otherAddress()}:\\d+/$`));
    expect(new URL(url).port).not.toBe(new URL(here).port);

    const headers = { Cookie: entered.cookie.split(";", 1).join("") };
    expect(JSON.parse((await ask(`${url}a`, { headers })).text)).toMatchObject({ url: "/a" });
    const socket = new WebSocket(url.replace("https", "wss"), { ca, headers });
    await once(socket, "message");
    socket.terminate();

    expect((await ask(url)).status).toBe(401);
    const rebound = {
      headers: { ...headers, Host: "rebound.test" },
      servername: "",
      checkServerIdentity: () => undefined,
    };
    expect((await ask(url, rebound)).status).toBe(403);
    expect((await ask(url, { headers: { ...headers, Origin: base } })).status).toBe(403);
    expect((await ask(path, { method: "POST", headers: { Cookie: lab.guest("reader") } })).status).toBe(403);
  });
});
