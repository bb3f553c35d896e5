import { useStore } from "../../ui/store.ts";
import { useView } from "../view/view.ts";

/** Returns how the messages with requests are told to screen readers: not at all while the drawer tells of the same. */
export function useLiveRequests(): "assertive" | "off" {
  return useStore(useView().ui.drawerWaiting) === undefined ? "assertive" : "off";
}
