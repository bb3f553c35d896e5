import { HitPlace } from "./history-search.ts";

const PLACE = /(^|&)place=([^&]*)/;

/** Adds to the fragment of the address of a session's page the place that it opens at. */
export function withPlace(fragment: string, place: HitPlace | undefined): string {
  return place === undefined ? fragment : `${fragment}&place=${encodeURIComponent(JSON.stringify(place))}`;
}

/** Splits the place off the fragment of the address of a session's page. Another text than a place is no place. */
export function splitPlace(fragment: string): { readonly fragment: string; readonly place: HitPlace | undefined } {
  const [part = "", , text] = PLACE.exec(fragment) ?? [];
  return { fragment: fragment.replace(part, ""), place: text === undefined ? undefined : parsed(text) };
}

function parsed(text: string): HitPlace | undefined {
  try {
    return HitPlace.safeParse(JSON.parse(decodeURIComponent(text))).data;
  } catch {
    return undefined;
  }
}
