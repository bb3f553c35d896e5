// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { ThemeCards } from "../../../../renderer/settings/theme-cards.tsx";
import { builtInThemes, isDark } from "../../../../renderer/ui/terminal-themes.ts";

afterEach(cleanup);

function cards(chosen: string, appearance: "dark" | "light" = "dark") {
  const told: [string, string | undefined][] = [];
  render(
    <ThemeCards
      label="Colours"
      setting="darkTheme"
      appearance={appearance}
      imported={[{ ...(builtInThemes[0] ?? never()), name: "Mine" }]}
      chosen={chosen}
      choose={(name) => told.push(["choose", name])}
      tryOut={(name) => told.push(["try", name])}
    />,
  );
  const names = () => screen.getAllByRole("radio").map((radio) => (radio as HTMLInputElement).value);
  const checked = () => (screen.getByRole("radio", { checked: true }) as HTMLInputElement).value;
  return { told, names, checked, user: userEvent.setup() };
}

function never(): never {
  throw new Error("There is no theme.");
}

test("all themes are cards in a group, Patchbay's own first, then those for this brightness", () => {
  const { names, checked } = cards("Nord");
  expect(screen.getByRole("radiogroup", { name: "Colours" })).toBeTruthy();
  const dark = builtInThemes.filter(isDark).map(({ name }) => name);
  expect(names().slice(0, dark.length + 1)).toEqual(["Patchbay", ...dark]);
  expect(names()).toContain("Mine");
  expect(names().length).toBe(builtInThemes.length + 2);
  expect(checked()).toBe("Nord");
});

test.each(["", "Patchbay", "a removed one"])("the name %j stands for Patchbay's own", (name) => {
  expect(cards(name).checked()).toBe("Patchbay");
});

test("the theme under the pointer is tried, and a click chooses it", async () => {
  const { told, user } = cards("Nord");
  await user.click(screen.getByRole("radio", { name: "Dracula" }));
  expect(told).toContainEqual(["choose", "Dracula"]);
  await user.hover(screen.getByText("Monokai"));
  expect(told).toContainEqual(["try", "Monokai"]);
  await user.unhover(screen.getByText("Monokai"));
  expect(told.at(-1)).toEqual(["try", undefined]);
});
