import path from "node:path";

export const APP_SCHEME = "app";
const APP_HOST = "patchbay";

/** The address of a page of the app, for example `appUrl("window/index.html")`. */
export function appUrl(page: string): string {
  return `${APP_SCHEME}://${APP_HOST}/${page}`;
}

export function isAppUrl(url: string): boolean {
  return url.startsWith(`${APP_SCHEME}://${APP_HOST}/`);
}

/** The file below `folder` that an address of the app names, or undefined when it names none. */
export function fileOfAppUrl(url: string, folder: string): string | undefined {
  if (!isAppUrl(url)) return undefined;
  const wanted = decoded(new URL(url).pathname);
  if (wanted === undefined || wanted.endsWith("/") || wanted.includes("\0")) return undefined;
  const file = path.join(folder, wanted);
  return file.startsWith(folder + path.sep) ? file : undefined;
}

function decoded(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
}
