import { epochSeconds } from "../../kernel/time/clock.ts";
import { type FlaggedIndexes, toBitstring, toEncodedList, toLst, toTokenStatuses } from "./status-bits.ts";

/** How long a reader may cache a list. Equal to `max-age`. */
export const ttlSeconds = 30;
/** Validity of a signed list. Long enough for readers to survive an outage of the publisher. */
export const validitySeconds = 12 * 3600;
/** A list is signed again when less than this validity remains. */
export const renewalSeconds = 6 * 3600;

export const listUri = (baseUrl: string, listId: string): string => `${baseUrl}/oauth/status-list/${listId}`;

type ListInput = {
  baseUrl: string;
  listId: string;
  flagged: FlaggedIndexes;
  /** when the bits were read */
  from: Date;
  /** when the list expires */
  until: Date;
};

/**
 * A BitstringStatusListCredential (W3C Bitstring Status List v1.0 §2.2), in the data model of VCDM 2.0. Its `ttl` is in
 * milliseconds.
 */
export const bitstringStatusListCredential = (input: ListInput & { purpose: "revocation" | "suspension" }) => {
  const id = listUri(input.baseUrl, input.listId);
  const indexes = input.purpose === "revocation" ? input.flagged.revoked : input.flagged.suspended;
  return {
    "@context": ["https://www.w3.org/ns/credentials/v2"],
    id,
    type: ["VerifiableCredential", "BitstringStatusListCredential"],
    issuer: input.baseUrl,
    validFrom: toDateTimeStamp(input.from),
    validUntil: toDateTimeStamp(input.until),
    credentialSubject: {
      id: `${id}#list`,
      type: "BitstringStatusList",
      statusPurpose: input.purpose,
      encodedList: toEncodedList(toBitstring(indexes)),
      ttl: ttlSeconds * 1000,
    },
  };
};

/** IETF Token Status List §5.1; `ttl` is in seconds there. */
export const statusListTokenClaims = (input: ListInput) => ({
  iss: input.baseUrl,
  sub: listUri(input.baseUrl, input.listId),
  iat: epochSeconds(input.from),
  exp: epochSeconds(input.until),
  ttl: ttlSeconds,
  status_list: { bits: 2, lst: toLst(toTokenStatuses(input.flagged)) },
});

/** XML Schema dateTimeStamp in whole seconds (VCDM 2.0 §4.9), so that it agrees with NumericDate. */
export const toDateTimeStamp = (date: Date): string =>
  new Date(epochSeconds(date) * 1000).toISOString().replace(".000Z", "Z");
