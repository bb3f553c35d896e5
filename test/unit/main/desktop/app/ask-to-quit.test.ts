import { beforeEach, expect, test, vi } from "vitest";
import { askToQuit } from "../../../../../main/desktop/app/ask-to-quit.ts";

// Modules that other files have loaded do not have what is mocked here.
vi.hoisted(() => vi.resetModules());
const electron = vi.hoisted(() => ({ answer: 0, asked: [] as { detail: string; buttons: string[] }[], quits: 0 }));

vi.mock("electron", () => ({
  app: {
    quit() {
      electron.quits += 1;
    },
  },
  dialog: {
    async showMessageBox(question: { detail: string; buttons: string[] }) {
      electron.asked.push(question);
      return { response: electron.answer };
    },
  },
}));

beforeEach(() => {
  Object.assign(electron, { asked: [], quits: 0 });
});

test.each([
  ["Quit and End Shells", { kept: 0, quits: 1 }],
  ["Quit and Keep Shells", { kept: 1, quits: 1 }],
  ["Cancel", { kept: 0, quits: 0 }],
])("with running shells it asks, and ends or keeps them, or stays, as answered: %s", async (button, done) => {
  const buttons = ["Quit and End Shells", "Quit and Keep Shells", "Cancel"];
  electron.answer = buttons.indexOf(button);
  let kept = 0;
  await askToQuit(2, () => {
    kept += 1;
  });
  expect(electron.asked).toMatchObject([
    { title: "Quit Patchbay", detail: expect.stringContaining("2 running shells"), buttons },
  ]);
  expect({ kept, quits: electron.quits }).toEqual(done);
});

test("without running shells it quits and asks nothing", async () => {
  await askToQuit(0, () => undefined);
  expect([electron.asked.length, electron.quits]).toEqual([0, 1]);
});
