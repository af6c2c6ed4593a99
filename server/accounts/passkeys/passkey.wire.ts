import { z } from "zod";

/** Octets in base64url, as WebAuthn's JSON writes them (WebAuthn §5.1.8). */
const octets = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[A-Za-z0-9_-]+$/, "must be base64url");

/** At most 1023 octets (WebAuthn §4, Credential ID). */
const credentialId = octets(1_364);
const clientDataJson = octets(8_000);
const type = z.literal("public-key");

/** What a passkey signed: the part of AuthenticationResponseJSON that is looked at. */
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

/** A new passkey: the part of RegistrationResponseJSON that is looked at. */
export const attestationSchema = z.object({
  id: credentialId,
  type,
  response: z.object({
    clientDataJSON: clientDataJson,
    attestationObject: octets(16_000),
    /** how browsers reach the authenticator; kept to help them ask the right one */
    transports: z
      .array(z.string().regex(/^[a-z-]{1,32}$/))
      .max(10)
      .default([]),
  }),
});

export type Attestation = z.output<typeof attestationSchema>;
