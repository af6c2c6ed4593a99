/**
 * The number of filters in effect. A period is one filter, although it has two dates. `after` isn't counted: it is a
 * position in the list, not a filter.
 */
export const countFilters = ({
  from,
  to,
  after: _,
  ...others
}: Readonly<Record<string, string | null | undefined>>): number =>
  [from || to, ...Object.values(others)].filter(Boolean).length;
