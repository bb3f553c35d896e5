const cursor: Readonly<Record<string, string>> = { up: "A", down: "B", right: "C", left: "D" };
const plain: Readonly<Record<string, string>> = {
  escape: "\x1b",
  tab: "\t",
  enter: "\r",
  "ctrl-c": "\x03",
  "ctrl-d": "\x04",
};

/** What a terminal sends for a key that a touch screen has not; any other name is sent as it is. */
export function keySequence(name: string, applicationCursor: boolean): string {
  const arrow = cursor[name];
  if (arrow !== undefined) return `\x1b${applicationCursor ? "O" : "["}${arrow}`;
  return plain[name] ?? name;
}
