/** The price list that is built in; a test holds this to the installed package. */
export const priceList = { list: "@pydantic/genai-prices", version: "0.1.8", date: "2026-09-23" } as const;
