/** The place where an IP address is used, according to a local database. */
export type Place = {
  /** ISO 3166-1 alpha-2 */
  country: string;
  /** in English; null if it is unknown */
  city: string | null;
};

export type Places = {
  /** @returns null for an unknown or private address, and if no database is configured. */
  find(ipAddress: string): Place | null;
};
