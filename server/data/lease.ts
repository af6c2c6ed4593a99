/**
 * Whether a lease has expired. A lease also counts as expired if it ends more than five minutes later than a new lease
 * would end: it was taken before the clock stepped back. The clocks of two nodes differ by less than five minutes.
 * @param now, leaseUntil parameters of the statement: the current instant, and the end of a new lease.
 */
export const hasEnded = (column: string, now: string, leaseUntil: string): string =>
  `(${column} IS NULL OR ${column} <= ${now}::timestamptz OR ${column} > ${leaseUntil}::timestamptz + interval '5 minutes')`;
