import { request } from "node:http";
import { createConnection } from "node:net";
import type { Finding } from "../../core/protocol/health.ts";

const TIMEOUT_MS = 5000;
const MEBIBYTE = 1024 * 1024;

interface ProbeRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

interface Probe {
  readonly check: string;
  readonly requests: readonly ProbeRequest[];
  /** Statuses of a refusal; undefined stands for a closed connection. */
  readonly expectedStatuses: readonly (number | undefined)[];
}

/** A well-formed key that does not exist. */
const GUESSED_KEY = `pb_${"A".repeat(43)}`;
const JSON_TYPE = { "Content-Type": "application/json" };
const API = "/v1/sessions";
const COMMAND = "/v1/sessions/nowhere/remote/command";
const ATTACKER = "attacker.example";

/** No request has a valid key, and none would change anything if it were accepted. */
const probes: readonly Probe[] = [
  {
    check: "foreign Host (DNS rebinding)",
    requests: ["/v1/health", API, "/s/x"].map((path) => ({ path, headers: { Host: ATTACKER } })),
    expectedStatuses: [403],
  },
  {
    check: "foreign Origin (a web page)",
    requests: [
      { path: API, headers: { Origin: `https://${ATTACKER}` } },
      { path: API, headers: { Origin: "null" } },
      { method: "OPTIONS", path: COMMAND, headers: { Origin: `https://${ATTACKER}` } },
    ],
    expectedStatuses: [403],
  },
  {
    check: "foreign WebSocket",
    requests: [`https://${ATTACKER}`, "null"].map((Origin) => ({
      path: "/s/x/socket",
      headers: {
        Origin,
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
      },
    })),
    expectedStatuses: [403],
  },
  {
    check: "no key",
    requests: [{ path: API }, { method: "POST", path: COMMAND, headers: JSON_TYPE, body: "{}" }],
    expectedStatuses: [401],
  },
  {
    check: "guessed key",
    // Few requests, so that the limit for wrong keys is not used up.
    requests: [
      { path: API, headers: { "X-Service-Token": GUESSED_KEY } },
      { path: API, headers: { Authorization: `Bearer ${GUESSED_KEY}` } },
    ],
    expectedStatuses: [401, 429],
  },
  {
    check: "key in the address",
    requests: [{ path: `${API}?token=${GUESSED_KEY}` }, { path: `${API}?X-Service-Token=${GUESSED_KEY}` }],
    expectedStatuses: [401],
  },
  {
    check: "oversized body",
    requests: [{ method: "POST", path: "/v1/oauth/device_authorization", body: Buffer.alloc(2 * MEBIBYTE, 0x61) }],
    expectedStatuses: [400, 413, 415, undefined],
  },
  {
    check: "malformed requests",
    requests: [
      { method: "POST", path: COMMAND, headers: JSON_TYPE, body: "{" },
      { method: "POST", path: COMMAND, headers: JSON_TYPE, body: `${"[".repeat(100_000)}` },
      { path: "/v1/%ff%fe" },
      { path: "/v1/../../etc/passwd" },
      { path: `/v1/${"a".repeat(20_000)}` },
    ],
    expectedStatuses: [400, 401, 404, 414, 431, undefined],
  },
];

/** Probes the running relay's port as a hostile page or program would. Returns a finding for each probe. */
export async function probeRelay(url: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { check, requests: shots, expectedStatuses: held } of probes) {
    const statuses = [];
    for (const shot of shots) statuses.push(await statusOf(url, shot));
    const broke = statuses.filter((status) => !held.includes(status));
    const seen = [...new Set(statuses.map((status) => status ?? "cut"))].join(", ");
    findings.push(
      broke.length === 0
        ? { check, state: "ok", found: `Held (${seen}).` }
        : { check, state: "problem", found: `Did not hold: answered ${broke.join(", ")}.`, advice: ADVICE },
    );
  }
  findings.push(await probeWithoutHttp(url));
  return findings;
}

const ADVICE = "Stop the relay, and report this as SECURITY.md says.";

function statusOf(
  url: string,
  { method = "GET", path, headers = {}, body }: ProbeRequest,
): Promise<number | undefined> {
  const base = new URL(url);
  return new Promise((resolve) => {
    const outgoing = request(
      {
        host: base.hostname,
        port: base.port,
        path,
        method,
        headers,
        timeout: TIMEOUT_MS,
        setHost: headers.Host === undefined,
      },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      },
    );
    outgoing.on("error", () => resolve(undefined));
    outgoing.on("timeout", () => outgoing.destroy());
    outgoing.on("upgrade", (_answer, socket) => {
      socket.destroy();
      resolve(101);
    });
    outgoing.end(body);
  });
}

/** Sends bytes that are not HTTP: they are refused, and the relay still answers other requests. */
async function probeWithoutHttp(url: string): Promise<Finding> {
  const check = "no HTTP at all";
  const { hostname, port } = new URL(url);
  const answer = await new Promise<string>((resolve) => {
    let response = "";
    const socket = createConnection({ host: hostname, port: Number(port), timeout: TIMEOUT_MS });
    socket.on("data", (piece) => {
      response += String(piece);
    });
    for (const end of ["close", "error", "timeout"] as const) socket.on(end, () => resolve(response));
    socket.end(Buffer.from([0x16, 0x03, 0x01, 0x00, 0xff, 0x00, 0x0a, 0x0d, 0x0a]));
  });
  const alive = (await statusOf(url, { path: "/v1/health" })) === 200;
  const held = alive && !answer.startsWith("HTTP/1.1 2");
  return held
    ? { check, state: "ok", found: "Held (refused, and others are answered)." }
    : { check, state: "problem", found: "The relay did not answer others any more.", advice: ADVICE };
}
