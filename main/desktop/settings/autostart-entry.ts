/** The XDG autostart entry that runs this command line. */
export function autostartEntry(words: readonly string[]): string {
  const quoted = words.map((word) => `"${word.replaceAll(/["`$\\]/g, "\\\\$&").replaceAll("%", "%%")}"`);
  return [
    "[Desktop Entry]",
    "Type=Application",
    "Name=Patchbay",
    // TryExec disables the entry when the program is missing: a removed package cannot clean up its users' homes.
    `TryExec=${words[0]}`,
    `Exec=${quoted.join(" ")}`,
    "Icon=patchbay",
    "",
  ].join("\n");
}
