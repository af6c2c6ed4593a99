import { z } from "zod";

/** Base64url, as in WebAuthn's JSON (WebAuthn §5.1.8). */
const octets = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[A-Za-z0-9_-]+$/, "must be base64url");

/** At most 1023 octets (WebAuthn §4, Credential ID). */
const credentialId = octets(1_364);
const clientDataJson = octets(8_000);
const type = z.literal("public-key");

/** The signature of a passkey: the used part of AuthenticationResponseJSON. */
export const assertionSchema = z.object({
  id: credentialId,
  type,
  response: z.object({
    clientDataJSON: clientDataJson,
    authenticatorData: octets(4_000),
    signature: octets(2_000),
    userHandle: octets(88).nullish(),
  }),
});

export type Assertion = z.output<typeof assertionSchema>;

/** A new passkey: the used part of RegistrationResponseJSON. */
export const attestationSchema = z.object({
  id: credentialId,
  type,
  response: z.object({
    clientDataJSON: clientDataJson,
    attestationObject: octets(16_000),
    /** how the browser reached the authenticator, stored as a hint for later requests */
    transports: z
      .array(z.string().regex(/^[a-z-]{1,32}$/))
      .max(10)
      .default([]),
  }),
});

export type Attestation = z.output<typeof attestationSchema>;
