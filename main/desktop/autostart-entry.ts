/** The XDG autostart entry that runs this command line. */
export function autostartEntry(words: readonly string[]): string {
  const quoted = words.map((word) => `"${word.replaceAll(/["`$\\]/g, "\\\\$&").replaceAll("%", "%%")}"`);
  return ["[Desktop Entry]", "Type=Application", "Name=Patchbay", `Exec=${quoted.join(" ")}`, "Icon=patchbay", ""].join(
    "\n",
  );
}
