/**
 * A title that contains other people's text. Next inserts it with `String.replace`, which expands patterns such as
 * `$&`.
 */
export const pageTitle = (text: string): string => text.replaceAll("$", "$$$$");
