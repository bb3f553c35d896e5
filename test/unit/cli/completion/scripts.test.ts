import { expect, test } from "vitest";
import { completionModel } from "../../../../cli/completion/model.ts";
import { systemCompletions } from "../../../../cli/completion/scripts.ts";

test("where nothing is known of a value, each shell offers files", () => {
  const { bash, zsh, fish } = systemCompletions();
  expect(bash).toContain("complete -o default -F _patchbay patchbay service\n");
  expect(zsh).toMatch(/'--tls-cert\[[^\n]*?\]:value:_files'/);
  expect(zsh).toMatch(/^ {6}agents\) .* '\*: :_files' ;;$/m);
  expect(fish).toMatch(/^complete -c patchbay -r -F -n '__patchbay_at 1 serve' -l tls-cert -d /m);
  // After `patchbay agents`, the action and the kind.
  expect(fish).toContain("complete -c patchbay -F -n '__patchbay_at 1 agents; and __patchbay_after 4'\n");
});

test("arguments of actions are completed where all actions of the word take the same", () => {
  const { words } = completionModel();
  const placesOf = (name: string) => words.find(({ word }) => word === name)?.positionals ?? [];
  expect(placesOf("settings")[0]).toContain("set");
  expect(placesOf("settings")[1]).toEqual(expect.arrayContaining(["font-size", "budget-day"]));
  expect(placesOf("clients").slice(1)).toEqual([[], ["admin", "writer", "reader"]]);
  expect(placesOf("budget")[1]).toContain("day");
  // `history session on`, but `history output 3.10240`.
  expect(placesOf("history")[1]).toEqual([]);
  expect(placesOf("help")[0]).toContain("recipes");
});
