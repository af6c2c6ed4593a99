import { Secret, TOTP } from "otpauth";

/** The parameters that every authenticator app supports (RFC 6238 §4, §5.2). */
const periodSeconds = 30;
const parameters = { algorithm: "SHA1", digits: 6, period: periodSeconds } as const;

/** 160 bits, as long as the hash (RFC 4226 §4, R6). @returns base32 */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** The URI that authenticator apps read from a QR code. */
export const totpUri = (secret: string, { issuer, label }: { issuer: string; label: string }): string =>
  new TOTP({ ...parameters, issuer, label, secret: Secret.fromBase32(secret) }).toString();

/**
 * One step earlier or later is accepted, because clocks differ and people need time to type (RFC 6238 §6).
 * @returns the time step of the code; null for a wrong code.
 */
export const totpStepOf = (secret: string, code: string, now: Date): number | null => {
  const timestamp = now.getTime();
  const delta = TOTP.validate({ ...parameters, token: code, secret: Secret.fromBase32(secret), timestamp, window: 1 });
  return delta === null ? null : Math.floor(timestamp / 1000 / periodSeconds) + delta;
};

/** The code at a time, for tests. */
export const totpCodeAt = (secret: string, now: Date): string =>
  TOTP.generate({ ...parameters, secret: Secret.fromBase32(secret), timestamp: now.getTime() });
