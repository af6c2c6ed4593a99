/** A list's address with its filters; those without a value are left out. */
export const addressOf = (path: string, query: Readonly<Record<string, string | undefined>>): string => {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return parameters.size > 0 ? `${path}?${parameters}` : path;
};

export type Params = Readonly<Record<string, string | string[] | undefined>>;

/** A search of the address, cut to what one can be: without NUL, and without the half of a character that is cut in two. */
export const textOf = (params: Params, name: string, longest = 100): string | undefined => {
  const value = params[name];
  const text = typeof value === "string" ? value.replaceAll("\0", "").trim().slice(0, longest).toWellFormed() : "";
  return text === "" ? undefined : text;
};

/** An id of the address, as a list's pages name it; anything else names none. */
export const idOf = (params: Params, name: string): string | undefined => {
  const value = params[name];
  return typeof value === "string" && /^\w{1,64}$/.test(value) ? value : undefined;
};
