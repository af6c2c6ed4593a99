/** Look-ups of DNS records at the configured resolvers. */
export type Dns = {
  /**
   * Requests the TXT records of a name at each resolver. The strings of a record are joined (RFC 7208 §3.3).
   * @returns one list for each resolver; empty if the resolver has no record, is too slow, or returns too much data.
   * @throws OutboundError busy.
   */
  txtAtEach(name: string): Promise<string[][]>;
};
