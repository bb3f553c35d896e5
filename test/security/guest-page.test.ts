import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROTOCOL_VERSION } from "../../core/protocol/frames.ts";
import { GUEST_PROTOCOL } from "../../core/protocol/page-credentials.ts";
import { startWebLab, type WebLab } from "../e2e/browser/web-lab.ts";
import { until } from "../support/until.ts";

/** Guests who run scripts of their own in the session's page, with what it keeps, in a real browser. */
let lab: WebLab;

beforeAll(async () => {
  lab = await startWebLab({ own: true });
}, 60_000);
afterAll(() => lab[Symbol.asyncDispose]());

/** Opens a WebSocket as the page does, which poses as a desktop. Its frames are kept in the page. */
async function openSocket(page: Page): Promise<string> {
  return page.evaluate(
    async ({ session, protocol, version }) => {
      const key = Object.values(localStorage).find((value) => /^pbg?_|^pbk_/.test(value)) ?? "";
      const kept: { frames: unknown[]; socket?: WebSocket } = { frames: [] };
      Object.assign(window, { kept });
      const socket = new WebSocket(`${location.origin.replace("http", "ws")}/s/${session}/socket`, [protocol, key]);
      kept.socket = socket;
      return new Promise<string>((resolve) => {
        socket.onclose = () => resolve("closed");
        socket.onopen = () => {
          socket.send(JSON.stringify({ type: "hello", protocol: version, device: "desktop", clientKind: "desktop" }));
        };
        socket.onmessage = ({ data }) => {
          const frame = typeof data === "string" ? JSON.parse(data) : { type: "bytes" };
          kept.frames.push(frame);
          if (frame.type === "welcome") resolve(frame.role);
          // It answers whatever it is asked for.
          if (frame.type === "execute") socket.send(JSON.stringify({ type: "result", id: frame.id, value: [] }));
        };
      });
    },
    { session: lab.relay().session, protocol: GUEST_PROTOCOL, version: PROTOCOL_VERSION },
  );
}

/** Asks for an operation over the script's socket. Returns the code of the refusal, or `ok`. */
async function ask(page: Page, op: string, params: object): Promise<string> {
  return page.evaluate(
    async ({ op, params }) => {
      const { kept } = window as unknown as { kept: { frames: Record<string, unknown>[]; socket: WebSocket } };
      const id = 1 + kept.frames.length;
      kept.socket.send(JSON.stringify({ type: "ask", id, op, params }));
      for (;;) {
        const frame = kept.frames.find((one) => (one.type === "answer" || one.type === "refused") && one.id === id);
        if (frame?.type === "answer") return "ok";
        if (frame !== undefined) return (frame.error as { code: string }).code;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    { op, params },
  );
}

const request = (method: string, path: string, body?: object) =>
  fetch(`${lab.relay().url}/v1/sessions/${lab.relay().session}/${path}`, {
    method,
    headers: { "X-Service-Token": lab.key, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

test("a script of a guest's page answers none of the owner's commands as a desktop, and gets no more rights", async () => {
  const { page, context } = await lab.guest({ role: "reader", name: "Eve" });
  expect(await openSocket(page)).toBe("reader");
  const { shellId } = await lab.command<{ shellId: number }>("createShell", { command: "cat", tile: false });
  await lab.command("writeToShell", { id: shellId, data: "s3cret\\n" });
  await until("the true output", async () =>
    (await lab.command<{ output: string }>("getShellOutput", { id: shellId })).output.includes("s3cret"),
  );
  expect(await lab.command<unknown[]>("getShells")).toHaveLength(1);
  const executed = await page.evaluate(
    () =>
      (window as unknown as { kept: { frames: { type: string }[] } }).kept.frames.filter(
        ({ type }) => type === "execute",
      ).length,
  );
  expect(executed).toBe(0);
  expect(await ask(page, "createShell", {})).toBe("role_forbids");
  expect(await ask(page, "writeShell", { shell: shellId, data: "x" })).toBe("role_forbids");
  expect(await ask(page, "toastShown", { message: "feigned", kind: "info", by: "native" })).toBe("role_forbids");
  await lab.command("closeShell", { id: shellId });
  await context.close();
});

test("a guest whose role is lowered has it in no page of the browser, and in none of their scripts", {
  tags: "slow",
}, async () => {
  const { page, context, id } = await lab.guest({ role: "writer", name: "Bob" });
  const second = await context.newPage();
  await second.goto(page.url());
  await second.getByText("Connected", { exact: true }).waitFor();
  expect(await openSocket(second)).toBe("writer");
  expect((await request("PATCH", `clients/${id}`, { role: "reader" })).status).toBe(200);
  expect(await ask(second, "createShell", {})).toBe("role_forbids");
  await until("both pages to say it", async () =>
    (await Promise.all([page, second].map((one) => one.getByText("can watch").count()))).every((count) => count > 0),
  );
  await context.close();
});

test("a guest who is removed loses every page and script within a second, and none comes back", async () => {
  const { page, context } = await lab.guest({ name: "Mallory" });
  const second = await context.newPage();
  await second.goto(page.url());
  await second.getByText("Connected", { exact: true }).waitFor();
  expect(await openSocket(second)).toBe("writer");
  const { result } = (await (await request("GET", "guests")).json()) as { result: { id: string; name: string }[] };
  const mallory = result.find(({ name }) => name === "Mallory");
  const cut = second.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const { socket } = (window as unknown as { kept: { socket: WebSocket } }).kept;
        socket.addEventListener("close", () => resolve());
        // The page may begin this after the guest is removed.
        if (socket.readyState === WebSocket.CLOSED) resolve();
      }),
  );
  const before = performance.now();
  expect((await request("DELETE", `guests/${mallory?.id}`)).status).toBe(200);
  await cut;
  expect(performance.now() - before).toBeLessThan(1000);
  for (const one of [page, second]) await one.getByText("Connected", { exact: true }).waitFor({ state: "detached" });
  expect(await openSocket(second)).toBe("closed");
  await page.reload();
  await page.getByRole("heading", { name: "No access to this session" }).waitFor();
  await context.close();
});
