/** The URL of a list with its filters. Filters without a value are omitted. */
export const listAddress = (path: string, query: Readonly<Record<string, string | undefined>>): string => {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return parameters.size > 0 ? `${path}?${parameters}` : path;
};

export type SearchParams = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The search text in a URL parameter, without NUL characters and cut to `maxLength`; undefined if it is absent or
 * empty. An unpaired surrogate becomes U+FFFD.
 */
export const searchText = (params: SearchParams, name: string, maxLength = 100): string | undefined => {
  const value = params[name];
  const text = typeof value === "string" ? value.replaceAll("\0", "").trim().slice(0, maxLength).toWellFormed() : "";
  return text === "" ? undefined : text;
};

/** The id in a URL parameter; undefined if it is absent or malformed. */
export const searchId = (params: SearchParams, name: string): string | undefined => {
  const value = params[name];
  return typeof value === "string" && /^\w{1,64}$/.test(value) ? value : undefined;
};
