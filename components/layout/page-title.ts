/** A title with words that others chose. Next puts it into its template by `replace`, which has patterns such as `$&`. */
export const pageTitle = (text: string): string => text.replaceAll("$", "$$$$");
