import { expect, test } from "vitest";
import { hintForService, suggestLines } from "../../../../cli/parse/suggest-lines.ts";

test.each([
  ["open", "service: as a command of Patchbay: Did you mean `service func open-tile` or `service sessions open`?\n"],
  ["run", "service: as a command of Patchbay: Did you mean `service func run`?\n"],
  ["list-tiles", "service: as a command of Patchbay: Did you mean `service func list-tiles`?\n"],
])("the word %s, which no service has, is answered with its line", (word, hint) => {
  expect(hintForService("service", word)).toBe(hint);
});

test.each(["nginx", "ssh", "cron", "mysql", "docker", "networking", "udev"])(
  "the service %s of the operating system is not taken for a command",
  (word) => expect(hintForService("service", word)).toBe(""),
);

test("an operation is found by its name in the API and by its word", () => {
  expect(suggestLines("listSessions")).toEqual(["sessions list"]);
  expect(suggestLines("sesions")).toEqual(["sessions"]);
  expect(suggestLines("send-promt")).toEqual(["send-prompt"]);
  expect(suggestLines("xyzzyplugh")).toEqual([]);
});
