/** How a merchant looks to payers: the path of its logo on our own host, and its color. */
export type Brand = { logoUri: string | null; accentColor: string | null };

/** The path of the public logo. The hash makes the picture safe to cache. Use it only if payers may see the logo. */
const logoAddress = (merchantId: string, hash: string): string => `/logos/${merchantId}/${hash}`;

/** The path at which the merchant's members and operators can see the logo. */
export const logoPreviewAddress = (merchantId: string, hash: string): string =>
  `${logoAddress(merchantId, hash)}/preview`;

export const toBrand = (
  row: { id: string; logoHash: string | null; accentColor: string | null } | undefined,
): Brand | null =>
  !row || (row.logoHash === null && row.accentColor === null)
    ? null
    : { logoUri: row.logoHash && logoAddress(row.id, row.logoHash), accentColor: row.accentColor };
