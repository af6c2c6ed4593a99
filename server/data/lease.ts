/**
 * Whether a lease has ended. One that ends later than any that is taken now was taken before the clock stepped back: its
 * holder has had its time. Clocks of two nodes differ by less than the five minutes.
 * @param now, leaseUntil parameters of the statement: the instant, and the end of the lease that is taken.
 */
export const hasEnded = (column: string, now: string, leaseUntil: string): string =>
  `(${column} IS NULL OR ${column} <= ${now}::timestamptz OR ${column} > ${leaseUntil}::timestamptz + interval '5 minutes')`;
