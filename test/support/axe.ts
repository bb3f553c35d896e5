import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/**
 * A look for rules of accessibility that a page breaks. Without frames of other origins there is nothing to join, and a page of
 * its own for that takes as long as the look; so does the description of what keeps the rules.
 */
export function axeOn(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
}
