/** Joins a text's words with no-break spaces, so that a date or an amount never wraps. */
export const keepOnOneLine = (text: string): string => text.replaceAll(" ", "\u00a0");

/** `A, B and C`. */
export const formatList = (items: readonly string[]): string =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;

const grouped = new Intl.NumberFormat("en-GB");

/** `1,234`, the same for every reader. */
export const formatCount = (count: number): string => grouped.format(count);

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Adds a full stop if there is none. */
export const toSentence = (text: string): string => (text.endsWith(".") ? text : `${text}.`);

/** `webhook_endpoint_off` becomes `Webhook endpoint off`. */
export const sentenceCase = (name: string): string => capitalize(name.replace(/[._]/g, " "));
