/**
 * Whether a lease has expired. A lease that ends later than any new lease would was taken before the clock stepped
 * back: it counts as expired. Clocks of two nodes differ by less than the five minutes.
 * @param now, leaseUntil parameters of the statement: the current instant, and the end of a new lease.
 */
export const hasEnded = (column: string, now: string, leaseUntil: string): string =>
  `(${column} IS NULL OR ${column} <= ${now}::timestamptz OR ${column} > ${leaseUntil}::timestamptz + interval '5 minutes')`;
