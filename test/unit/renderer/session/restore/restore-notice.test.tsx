// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { OpInput } from "../../../../../core/protocol/relay-ops.ts";
import type { RestorableShell } from "../../../../../core/protocol/restore.ts";
import { sceneNamed } from "../../../../../renderer/session/dev/scenes.ts";
import { RestoreNotice } from "../../../../../renderer/session/restore/restore-notice.tsx";
import { words } from "../../../../../renderer/session/words/index.ts";
import { renderView } from "../../../../support/render-view.tsx";

type Wish = OpInput<"restoreShells">;

/** A view whose relay offers what the scene has ended, and answers as told. */
function rendered(name: string, answer: (offer: RestorableShell, wish: Wish) => Partial<RestorableShell> = () => ({})) {
  const scene = sceneNamed(name);
  const wishes: Wish[] = [];
  const host = {
    async restore(wish: Wish): Promise<RestorableShell[]> {
      wishes.push(wish);
      const all = [...(scene.offers ?? [])];
      if (wish.shell === undefined) return all;
      return all
        .filter(({ shellId }) => shellId === wish.shell)
        .map((offer) => ({ ...offer, state: "started", ...answer(offer, wish) }));
    },
  };
  return { ...renderView(<RestoreNotice />, { scene: name, host }), wishes, scene };
}

const show = () => screen.findByRole("button", { name: words.restore.show });

test("everything certain is chosen, and only what is chosen starts, each as it was chosen", async () => {
  const { user, wishes } = rendered("ended");
  await user.click(await show());
  const sheet = within(await screen.findByRole("dialog", { name: words.restore.title }));
  expect(wishes).toEqual([{}]);
  const [all, ...boxes] = sheet
    .getAllByRole("checkbox")
    .filter((box) => !box.closest("label")?.textContent?.includes(words.restore.always));
  // The folder of the fourth one is gone.
  expect(boxes.map((box) => (box as HTMLInputElement).checked)).toEqual([true, true, true, false, true]);
  expect(all).toMatchObject({ checked: false, indeterminate: true });
  await user.click(sheet.getAllByRole("radio", { name: words.restore.shellOnly("zsh") })[0] ?? expect.unreachable());
  await user.click(boxes[2] ?? expect.unreachable());
  await user.click(sheet.getAllByRole("checkbox", { name: words.restore.always })[1] ?? expect.unreachable());
  await user.click(sheet.getByRole("button", { name: words.restore.start(3) }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(wishes.slice(1)).toEqual([
    { shell: 1, resume: false, nearest: false, dismiss: false },
    {
      ...{ shell: 2, resume: true, nearest: false, dismiss: false },
      conversation: "3374e44a-3626-41a4-8b49-1220ae11de2",
      folder: "always",
    },
    { shell: 5, resume: false, nearest: false, dismiss: false },
  ]);
});

test("what was not started stays, says why, and can be tried again", async () => {
  const { user, wishes } = rendered("ended", ({ shellId }) =>
    shellId === 2 ? { state: "skipped", why: "No program is called so." } : { state: "resumed" },
  );
  await user.click(await show());
  const sheet = within(await screen.findByRole("dialog"));
  await user.click(sheet.getByRole("button", { name: words.restore.start(4) }));
  expect(await sheet.findByText(`${words.restore.skipped} No program is called so.`)).toBeTruthy();
  await user.click(sheet.getByRole("button", { name: words.restore.start(1) }));
  await waitFor(() => expect(wishes.map(({ shell }) => shell)).toEqual([undefined, 1, 2, 3, 5, 2]));
});

test("without a choice nothing starts: not now, Escape, and what is not to be offered again", async () => {
  const { user, wishes } = rendered("ended-one", () => ({ state: "dismissed" }));
  await user.click(await show());
  await user.click(await screen.findByRole("button", { name: words.restore.dismiss }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(wishes).toEqual([{}, { shell: 1, resume: true, nearest: false, dismiss: true }]);
});

test("a guest, one who only watches, and a session in which nothing ended ask for nothing", async () => {
  const scene = sceneNamed("ended");
  const clients = scene.mirror.clients.map((client) => ({ ...client, guest: true as const }));
  const asked: Wish[] = [];
  const host = {
    async restore(wish: Wish) {
      asked.push(wish);
      return [];
    },
  };
  renderView(<RestoreNotice />, { scene: "ended", host, mirror: { clients } });
  renderView(<RestoreNotice />, { scene: "reader", host });
  renderView(<RestoreNotice />, { scene: "one", host });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked).toEqual([]);
  expect(screen.queryByRole("button", { name: words.restore.show })).toBeNull();
});
