/** Lower-case letters, digits and hyphens by labels of at most 63 (RFC 1035 §2.3.1); the last one is no number. */
const pattern = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])$/;

/** A host name of the public DNS, in its ASCII form and lower case; never an address. */
export const isDomain = (text: string): boolean => text.length <= 253 && pattern.test(text);

/** Where a domain's owner says which participants are its own (RFC 8615). */
export const proofUrl = (domain: string): string => `https://${domain}/.well-known/paygrant-participants.json`;

/** Whether what stands there names the participant with the token of its claim. */
export const provesClaim = (document: unknown, { participantId, token }: { participantId: string; token: string }) =>
  typeof document === "object" &&
  document !== null &&
  Object.hasOwn(document, participantId) &&
  (document as Readonly<Record<string, unknown>>)[participantId] === token;
