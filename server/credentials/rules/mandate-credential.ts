import type { JsonObject } from "../../kernel/text/json.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import { type Concealed, conceal } from "./sd-jwt.ts";
import { listUri, toDateTimeStamp } from "./status-list-claims.ts";

/** The type of our SD-JWT VC: a collision-resistant name (SD-JWT VC §3.2.2.1.1). */
const mandateVct = "urn:paygrant:credential:payment-mandate:1";

export type MandateCredentialInput = {
  baseUrl: string;
  mandateId: string;
  version: number;
  /** payment_mandate_v1 as granted */
  details: JsonObject;
  validFrom: Date;
  validUntil: Date;
  listNumber: number;
  statusIndex: number;
  /** the public key with which a presenter's key binding is verified; null if none is known */
  confirmationKey: JsonObject | null;
  now: Date;
};

/**
 * The members that every merchant may see. The agent decides whether to disclose the other members, because each of
 * them, for example a limit, reveals something about the payer.
 */
const alwaysDisclosed: ReadonlySet<string> = new Set(["type", "identifier", "version", "actions", "currency"]);
/** The number of digests, decoys included. It is greater than the number of members that a mandate can conceal. */
const totalDigests = 16;

/** Claims of the SD-JWT VC. `iss`, `nbf`, `exp`, `cnf`, `vct` and `status` are never concealed (SD-JWT VC §3.2.2.2). */
export const sdJwtVcClaims = (
  input: MandateCredentialInput,
  newSalt: () => string,
): { claims: JsonObject; disclosures: Concealed["disclosures"] } => {
  const mandate = { ...input.details, identifier: input.mandateId, version: input.version };
  const names = new Set(Object.keys(mandate).filter((name) => !alwaysDisclosed.has(name)));
  const concealed = conceal(mandate, names, { newSalt, totalDigests });
  const claims = {
    iss: input.baseUrl,
    iat: epochSeconds(input.now),
    nbf: epochSeconds(input.validFrom),
    exp: epochSeconds(input.validUntil),
    vct: mandateVct,
    ...confirmation(input),
    // IETF Token Status List §6.2.
    status: { status_list: { idx: input.statusIndex, uri: listUri(input.baseUrl, `token-${input.listNumber}`) } },
    mandate: concealed.object,
    _sd_alg: "sha-256",
  };
  return { claims, disclosures: concealed.disclosures };
};

/**
 * The VCDM 2.0 credential, which is the payload of its JWT (VC-JOSE-COSE §3.1.1). It shows everything except the
 * payer's card.
 */
export const vcJwtClaims = (input: MandateCredentialInput): JsonObject => {
  const { payment_instrument: _concealed, ...details } = input.details;
  const id = `${input.baseUrl}/oauth/mandates/${input.mandateId}/credential`;
  const vocabulary = `${input.baseUrl}/docs/credentials#`;
  return {
    "@context": [
      "https://www.w3.org/ns/credentials/v2",
      {
        PaymentMandateCredential: `${vocabulary}PaymentMandateCredential`,
        // A JSON literal: payment_mandate_v1 defines the members, so a JSON-LD processor must not interpret them.
        mandate: { "@id": `${vocabulary}mandate`, "@type": "@json" },
      },
    ],
    id: `${id}#${input.version}`,
    type: ["VerifiableCredential", "PaymentMandateCredential"],
    issuer: input.baseUrl,
    validFrom: toDateTimeStamp(input.validFrom),
    validUntil: toDateTimeStamp(input.validUntil),
    ...confirmation(input),
    credentialSubject: { mandate: { ...details, identifier: input.mandateId, version: input.version } },
    credentialStatus: [statusEntry(input, "revocation"), statusEntry(input, "suspension")],
  };
};

/** RFC 7800 §3.2. */
const confirmation = ({ confirmationKey }: MandateCredentialInput) =>
  confirmationKey === null ? {} : { cnf: { jwk: confirmationKey } };

/** W3C Bitstring Status List v1.0 §2.1: the index is a base-10 string. */
const statusEntry = (input: MandateCredentialInput, purpose: "revocation" | "suspension") => {
  const list = listUri(input.baseUrl, `${purpose}-${input.listNumber}`);
  return {
    id: `${list}#${input.statusIndex}`,
    type: "BitstringStatusListEntry",
    statusPurpose: purpose,
    statusListIndex: String(input.statusIndex),
    statusListCredential: list,
  };
};
