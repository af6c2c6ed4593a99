/** A list's address with its filters; those without a value are left out. */
export const addressOf = (path: string, query: Readonly<Record<string, string | undefined>>): string => {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return parameters.size > 0 ? `${path}?${parameters}` : path;
};

export type Params = Readonly<Record<string, string | string[] | undefined>>;

/** A filter of the address, cut to what a search can be. */
export const textOf = (params: Params, name: string): string | undefined => {
  const value = params[name];
  return typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, 100) : undefined;
};
