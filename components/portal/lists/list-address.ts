/** The URL of a list with its filters. Filters without a value are omitted. */
export const listAddress = (path: string, query: Readonly<Record<string, string | undefined>>): string => {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return parameters.size > 0 ? `${path}?${parameters}` : path;
};

export type SearchParams = Readonly<Record<string, string | string[] | undefined>>;

/** A search text of the URL, without NUL, cut to `maxLength`. An unpaired surrogate becomes U+FFFD. */
export const searchText = (params: SearchParams, name: string, maxLength = 100): string | undefined => {
  const value = params[name];
  const text = typeof value === "string" ? value.replaceAll("\0", "").trim().slice(0, maxLength).toWellFormed() : "";
  return text === "" ? undefined : text;
};

/** An id of the URL; undefined if it is malformed. */
export const searchId = (params: SearchParams, name: string): string | undefined => {
  const value = params[name];
  return typeof value === "string" && /^\w{1,64}$/.test(value) ? value : undefined;
};
