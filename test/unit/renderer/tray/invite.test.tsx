// @vitest-environment happy-dom
import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { words } from "../../../../renderer/tray/words/index.ts";
import { formatTime } from "../../../../renderer/ui/format-time.ts";
import { roleWords } from "../../../../renderer/ui/words.ts";
import { pendingAnswer } from "../../../support/pending-answer.ts";
import { panelSession, renderPanel } from "../../../support/render-panel.tsx";

const said = words.invite;
const expiresAt = "2030-01-01T00:00:00.000Z";

test("a link is made once, with nothing chosen meanwhile, and never shown for another choice than it was made with", async () => {
  let answer: (link: object) => void = () => undefined;
  const link = new Promise<object>((resolve) => {
    answer = resolve;
  });
  const content = { sessions: [panelSession()] };
  const { user, calls } = await renderPanel({ content, answers: { "panel.invite": link } });
  await user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
  await user.click(await screen.findByRole("button", { name: said.title("orders") }, { timeout: 20_000 }));
  const dialog = within(screen.getByRole("dialog", { name: said.title("orders") }));
  const asked = () => calls.filter(([name]) => name === "panel.invite").map(([, params]) => params);
  await user.click(dialog.getByRole("radio", { name: said.roles.owner }));
  await user.click(dialog.getByRole("button", { name: said.copyLocal }));
  await user.click(dialog.getByRole("button", { name: said.copyLocal }));
  expect(asked()).toEqual([expect.objectContaining({ role: "owner", copy: true })]);

  const reader = dialog.getByRole("radio", { name: said.roles.reader });
  await user.click(reader);
  expect(reader.getAttribute("aria-checked")).toBe("false");
  await act(async () => answer({ url: "http://127.0.0.1:7717/s/a#k", expiresAt, copied: true }));
  expect(dialog.getByRole("status")).toBeDefined();
  await user.click(reader);
  expect(dialog.queryByRole("status")).toBeNull();

  await user.click(dialog.getByRole("button", { name: said.copyLocal }));
  await dialog.findByRole("status");
  expect(asked()).toEqual([
    expect.objectContaining({ role: "owner" }),
    expect.objectContaining({ role: "reader", ttl: 3600, uses: 1, outside: false }),
  ]);
});

describe("the session that a link lets into", () => {
  const link = { url: "http://127.0.0.1:7717/s/a#k", expiresAt: "2030-01-01T00:00:00.000Z" };
  const [orders, docs] = [panelSession(), panelSession({ id: "session-0000000b", name: "docs" })];

  test("is chosen under Now where there are several, and a link is not shown for another one", async () => {
    const content = { sessions: [orders, docs] };
    const { user, calls } = await renderPanel({ content, answers: { "panel.invite": link } });
    await user.click(screen.getByRole("button", { name: said.title("orders") }));
    const dialog = within(screen.getByRole("dialog", { name: said.title("orders") }));
    await user.click(dialog.getByRole("button", { name: said.copyLocal }));
    await dialog.findByRole("status");
    await user.selectOptions(dialog.getByRole("combobox", { name: said.session }), "docs");
    expect(screen.getByRole("dialog", { name: said.title("docs") })).toBeDefined();
    expect(dialog.queryByRole("status")).toBeNull();
    await user.click(dialog.getByRole("button", { name: said.copyLocal }));
    await dialog.findByRole("status");
    expect(calls.filter(([name]) => name === "panel.invite").map(([, params]) => params)).toEqual([
      expect.objectContaining({ id: orders.id }),
      expect.objectContaining({ id: docs.id }),
    ]);
    expect(calls).toContainEqual(["listInvites", { session: docs.id }]);
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("button", { name: said.title("orders") }));
    expect(screen.getByRole("dialog", { name: said.title("orders") })).toBeDefined();
  });

  test("is no choice where there is one only", async () => {
    const { user } = await renderPanel({ content: { sessions: [orders] } });
    await user.click(screen.getByRole("button", { name: said.title("orders") }));
    expect(screen.queryByRole("combobox", { name: said.session })).toBeNull();
  });
});

describe("an open link", () => {
  const expiresAt = "2099-01-01T00:00:00.000Z";
  const invite = { id: "i", session: "session-0000000a", role: "reader", usesLeft: 1, expiresAt };

  async function openLinks(revokeInvite: unknown) {
    const content = { sessions: [panelSession()] };
    const panel = await renderPanel({ content, answers: { listInvites: [invite], revokeInvite } });
    await panel.user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
    await panel.user.click(await screen.findByRole("button", { name: said.title("orders") }, { timeout: 20_000 }));
    const revoke = await screen.findByRole("button", { name: said.revokeOf(roleWords.reader, formatTime(expiresAt)) });
    const revoked = () => panel.calls.filter(([name]) => name === "revokeInvite").length;
    return { ...panel, revoke, revoked };
  }

  test("is revoked once, also while it is still listed", async () => {
    const answer = pendingAnswer();
    const { user, revoke, revoked } = await openLinks(() => answer.result);
    await user.click(revoke);
    expect(revoke.getAttribute("aria-disabled")).toBe("true");
    await user.click(revoke);
    await answer.give({ id: "i" });
    await user.click(revoke);
    expect(revoked()).toBe(1);
  });

  test("that could not be revoked can be revoked again", async () => {
    const { user, revoke, revoked } = await openLinks(new Error("Not now."));
    await user.click(revoke);
    await waitFor(() => expect(revoke.getAttribute("aria-disabled")).toBe("false"));
    await user.click(revoke);
    expect(revoked()).toBe(2);
  });
});

describe("where the relay has several addresses", () => {
  const externalAddresses = ["https://192.168.1.5:7718", "https://studio.tail1.ts.net:7718"];

  async function openInvite(content: object = {}) {
    const link = { url: "https://192.168.1.5:7718/s/a#k", expiresAt, copied: true };
    const panel = await renderPanel({
      content: { sessions: [panelSession()], externalAddresses, ...content },
      answers: { "panel.invite": link },
    });
    await panel.user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
    await panel.user.click(await screen.findByRole("button", { name: said.title("orders") }, { timeout: 20_000 }));
    const dialog = within(screen.getByRole("dialog", { name: said.title("orders") }));
    const asked = () => panel.calls.filter(([name]) => name === "panel.invite").map(([, params]) => params);
    return { ...panel, dialog, asked };
  }

  test("the person chooses which one the link has, each with whom it reaches", async () => {
    const { user, dialog, asked } = await openInvite();
    const reach = dialog.getByRole("combobox", { name: said.reach });
    expect(
      within(reach)
        .getAllByRole("option")
        .map(({ textContent }) => textContent),
    ).toEqual([
      said.reaches.network("192.168.1.5:7718"),
      said.reaches.vpn("studio.tail1.ts.net:7718"),
      said.reaches.here("127.0.0.1:7717"),
    ]);
    await user.selectOptions(reach, said.reaches.vpn("studio.tail1.ts.net:7718"));
    await user.click(dialog.getByRole("button", { name: said.copy }));
    await user.selectOptions(reach, said.reaches.here("127.0.0.1:7717"));
    expect(dialog.queryByRole("status")).toBeNull();
    await user.click(dialog.getByRole("button", { name: said.copyLocal }));
    expect(asked()).toEqual([
      expect.objectContaining({ outside: true, address: externalAddresses[1] }),
      expect.objectContaining({ outside: false, address: undefined }),
    ]);
  });

  test("a link that is shown has no address that the machine has left", async () => {
    const { user, dialog, asked, change } = await openInvite();
    await user.click(dialog.getByRole("button", { name: said.copy }));
    await dialog.findByRole("status");
    change({ externalAddresses: externalAddresses.slice(1) });
    expect(dialog.queryByRole("status")).toBeNull();
    await user.click(dialog.getByRole("button", { name: said.copy }));
    expect(asked()[1]).toEqual(expect.objectContaining({ outside: true, address: externalAddresses[1] }));
  });

  test("a browser says in words how others are let in, where the app has a button", async () => {
    const { dialog } = await openInvite({ externalAddresses: [], desktop: undefined });
    expect(dialog.getByText("patchbay serve --listen 0.0.0.0")).toBeTruthy();
    expect(dialog.queryByRole("button", { name: said.letIn })).toBeNull();
  });
});

describe("where the browser refuses to copy", () => {
  const url = "http://127.0.0.1:7717/s/a#k";
  const open = { id: "i1", session: "session-0000000a", role: "reader", usesLeft: 1, createdAt: "", expiresAt };

  async function refusedLink(answers: Readonly<Record<string, unknown>> = {}) {
    const panel = await renderPanel({
      content: { sessions: [panelSession()], desktop: undefined },
      answers: { "panel.invite": { url, expiresAt, copied: false }, listInvites: [open], ...answers },
    });
    await panel.user.click(screen.getByRole("tab", { name: words.panel.tabs.sessions }));
    await panel.user.click(await screen.findByRole("button", { name: said.title("orders") }, { timeout: 20_000 }));
    const dialog = within(screen.getByRole("dialog", { name: said.title("orders") }));
    await panel.user.click(dialog.getByRole("button", { name: said.copyLocal }));
    const made = () => panel.calls.filter(([name]) => name === "panel.invite").length;
    return { ...panel, dialog, made };
  }

  test("the link stands in a field, and is copied by the next press in place of another one", async () => {
    const { user, dialog, made } = await refusedLink();
    const field = await dialog.findByRole("textbox", { name: said.link });
    expect([Reflect.get(field, "value"), Reflect.get(field, "readOnly")]).toEqual([url, true]);
    expect(dialog.getByRole("status").textContent).toContain("did not copy");
    const write = vi.spyOn(navigator.clipboard, "writeText").mockRejectedValueOnce(new Error("NotAllowedError"));
    onTestFinished(() => write.mockRestore());
    await user.click(dialog.getByRole("button", { name: said.copyLocal }));
    expect([Reflect.get(field, "selectionStart"), Reflect.get(field, "selectionEnd")]).toEqual([0, url.length]);
    write.mockResolvedValueOnce();
    await user.click(dialog.getByRole("button", { name: said.copyLocal }));
    expect((await dialog.findByRole("button", { name: said.again })).textContent).toBe(said.again);
    expect([write.mock.calls.at(-1), made()]).toEqual([[url], 1]);
  });

  test("its code is shown in place of that of another one", async () => {
    const { user, dialog, made } = await refusedLink();
    await user.click(dialog.getByRole("button", { name: said.show }));
    expect(await dialog.findByRole("img", { name: said.code("orders") })).toBeDefined();
    expect(made()).toBe(1);
  });

  test("a link that may be revoked is not given again", async () => {
    const { user, dialog, made } = await refusedLink();
    const revoke = said.revokeOf(roleWords.reader, formatTime(expiresAt));
    await user.click(await dialog.findByRole("button", { name: revoke }));
    await waitFor(() => expect(dialog.queryByRole("textbox", { name: said.link })).toBeNull());
    await user.click(dialog.getByRole("button", { name: said.copyLocal }));
    expect(made()).toBe(2);
  });

  test("a link stays while the relay refuses to revoke one", async () => {
    const { user, dialog, calls } = await refusedLink({ revokeInvite: new Error("The disk is full.") });
    const revoke = said.revokeOf(roleWords.reader, formatTime(expiresAt));
    await user.click(await dialog.findByRole("button", { name: revoke }));
    await waitFor(() =>
      expect(dialog.getByRole("button", { name: revoke }).getAttribute("aria-disabled")).toBe("false"),
    );
    expect(calls.map(([name]) => name)).toContain("revokeInvite");
    expect(dialog.getByRole("textbox", { name: said.link })).toBeDefined();
  });

  test("the link is shared where the device has a choice of apps", async () => {
    const share = vi.fn(async () => undefined);
    Object.defineProperty(navigator, "share", { value: share, configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(navigator, "share"));
    const { user, dialog } = await refusedLink();
    await user.click(await dialog.findByRole("button", { name: said.share }));
    expect(share).toHaveBeenCalledWith({ url });
  });
});
