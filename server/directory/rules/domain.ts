/** Labels of at most 63 lower-case letters, digits and hyphens (RFC 1035 §2.3.1). The last label isn't a number. */
const pattern = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])$/;

/** A host name of the public DNS, in ASCII form and lower case, never an IP address. */
export const isDomain = (text: string): boolean => text.length <= 253 && pattern.test(text);

/** URL of the document in which a domain's owner lists the domain's participants (RFC 8615). */
export const proofUrl = (domain: string): string => `https://${domain}/.well-known/paygrant-participants.json`;

/** Name whose TXT record has the token of the claim. */
export const proofRecordName = (domain: string): string => `_paygrant-challenge.${domain}`;

/** Whether the published document names the participant with the token of its claim. */
export const provesClaim = (document: unknown, { participantId, token }: { participantId: string; token: string }) =>
  typeof document === "object" &&
  document !== null &&
  Object.hasOwn(document, participantId) &&
  (document as Readonly<Record<string, unknown>>)[participantId] === token;

/**
 * Whether the TXT records prove a claim: each resolver must return one with the token. If fewer resolvers than needed
 * were asked, records that all have the token leave the claim `unconfirmed`.
 * @param answers the TXT records that each resolver returned.
 */
export const judgeRecords = (
  answers: readonly (readonly string[])[],
  { token, needed }: { token: string; needed: number },
): "proved" | "unconfirmed" | "missing" => {
  if (!answers.every((records) => records.includes(token))) return "missing";
  return answers.length >= needed ? "proved" : "unconfirmed";
};
