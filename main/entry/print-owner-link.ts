/** Returns what is printed about a link that lets the owner in. */
export function ownerLinkText({ url, expiresAt }: { readonly url: string; readonly expiresAt: string }): string {
  const until = new Intl.DateTimeFormat(undefined, { timeStyle: "short" }).format(new Date(expiresAt));
  return [`Your own link, for one browser on this machine; until ${until}:`, `  ${url}`, ""].join("\n");
}
