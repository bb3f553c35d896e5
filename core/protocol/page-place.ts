import { z } from "zod";
import { HitPlace } from "./history-search.ts";
import { ShellId } from "./ids.ts";

/** Target of a session's page: a place that a search has found, or a shell. */
export const PagePlace = z.union([HitPlace, z.object({ in: z.literal("shell"), shellId: ShellId })]);
export type PagePlace = z.output<typeof PagePlace>;

const PLACE = /(^|&)place=([^&]*)/;

/** Adds to the fragment of the address of a session's page the place that it opens at. */
export function withPlace(fragment: string, place: PagePlace | undefined): string {
  return place === undefined ? fragment : `${fragment}&place=${encodeURIComponent(JSON.stringify(place))}`;
}

/** Splits the place off the fragment of the address of a session's page. Another text than a place is no place. */
export function splitPlace(fragment: string): { readonly fragment: string; readonly place: PagePlace | undefined } {
  const [part = "", , text] = PLACE.exec(fragment) ?? [];
  return { fragment: fragment.replace(part, ""), place: text === undefined ? undefined : parsed(text) };
}

function parsed(text: string): PagePlace | undefined {
  try {
    return PagePlace.safeParse(JSON.parse(decodeURIComponent(text))).data;
  } catch {
    return undefined;
  }
}
