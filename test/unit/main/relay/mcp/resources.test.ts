import { expect, test } from "vitest";
import { placeOfResource } from "../../../../../main/relay/mcp/resources.ts";

test.each([
  ["patchbay://sessions/s1/shells/3", "getShellOutput", { id: 3, plain: true, lines: 2000 }, "s1", "text/plain", true],
  ["patchbay://sessions/s1/commands", "getCommands", {}, "s1", "application/json", false],
  ["patchbay://sessions/s1/commands/3.10240", "getCommandOutput", { id: "3.10240" }, "s1", "text/plain", false],
  ["patchbay://conversations/a%2Fb", "getConversation", { agentSessionId: "a/b" }, undefined, "application/json", true],
])("%s is read by %s", (uri, name, params, session, mimeType, isWatched) => {
  expect(placeOfResource(uri)).toMatchObject({ name, params, mimeType, isWatched });
  expect(placeOfResource(uri)?.session).toBe(session);
});

test.each([
  "patchbay://sessions/s1",
  "patchbay://sessions/s1/tiles/3",
  "patchbay://sessions/s1/shells/three",
  "patchbay://sessions/s1/shells/3/4",
  "patchbay://sessions/s1/commands/3/4",
  "patchbay://conversations/",
  "file:///etc/passwd",
  "no address",
])("%s is no resource", (uri) => {
  expect(placeOfResource(uri)).toBeUndefined();
});

test("the output of a command is its text", () => {
  const place = placeOfResource("patchbay://sessions/s1/commands/3.0");
  expect(place?.textOf({ id: "3.0", output: "made\n" })).toBe("made\n");
});
