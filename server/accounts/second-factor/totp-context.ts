/** Binds the sealed secret to its account. */
export const totpContext = (accountId: string): string => `totp:${accountId}`;
