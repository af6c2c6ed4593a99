/** SQL: whether a key is on the blocklist. @param thumbprint SQL of its thumbprint (RFC 7638); NULL: not blocked */
export const isKeyBlocked = (thumbprint: string): string =>
  `EXISTS (SELECT FROM blocked_client_key b WHERE b.thumbprint = ${thumbprint})`;
