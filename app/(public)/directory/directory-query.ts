import type { DirectoryQuery } from "#components/directory/directory-filter.tsx";
import { type SearchParams, searchText } from "#components/portal/lists/list-address.ts";
import { roles, statuses } from "#server/directory/participants/participant.wire.ts";
import { capabilityPattern } from "#server/directory/rules/facets.ts";
import { readCursor } from "#server/directory/rules/participant-cursor.ts";
import { isCurrency } from "#server/kernel/money/money.ts";

const valid: Readonly<Record<Exclude<keyof DirectoryQuery, "q">, (value: string) => boolean>> = {
  role: (value) => roles.some((role) => role === value),
  capability: (value) => capabilityPattern.test(value),
  currency: isCurrency,
  environment: (value) => value === "production" || value === "sandbox",
  status: (value) => statuses.some((status) => status === value),
  cursor: (value) => readCursor(value) !== null,
};

/** Filters with unknown values are left out. */
export const readDirectoryQuery = (params: SearchParams): DirectoryQuery => {
  const query: DirectoryQuery = {};
  const text = searchText(params, "q");
  if (text !== undefined) query.q = text;
  for (const [name, isValid] of Object.entries(valid) as [
    Exclude<keyof DirectoryQuery, "q">,
    (typeof valid)["role"],
  ][]) {
    const value = params[name];
    if (typeof value === "string" && isValid(value)) query[name] = value;
  }
  return query;
};
