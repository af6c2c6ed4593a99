/** How a merchant looks to payers: the address of its logo on our own host, and its color. */
export type Brand = { logoUri: string | null; accentColor: string | null };

/** The hash in the address makes it safe to cache the picture. Use it only if payers may see the merchant's logo. */
const logoAddress = (merchantId: string, hash: string): string => `/logos/${merchantId}/${hash}`;

/** The address at which the merchant's members and operators can see the logo. */
export const logoPreviewAddress = (merchantId: string, hash: string): string =>
  `${logoAddress(merchantId, hash)}/preview`;

export const toBrand = (
  row: { id: string; logoHash: string | null; accentColor: string | null } | undefined,
): Brand | null =>
  !row || (row.logoHash === null && row.accentColor === null)
    ? null
    : { logoUri: row.logoHash && logoAddress(row.id, row.logoHash), accentColor: row.accentColor };
