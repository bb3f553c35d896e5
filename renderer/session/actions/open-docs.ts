import { errorText } from "../../../core/protocol/error-text.ts";
import type { View } from "../view/view.ts";

/** Opens the relay's own description of its API. */
export async function openDocs({ host, ui }: View): Promise<void> {
  try {
    host.openInBrowser(await host.addressOf("v1/docs"));
  } catch (error) {
    ui.toasts.show("error", errorText(error));
  }
}
