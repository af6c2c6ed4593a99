/** Hashes of master key, issuer and database. A malformed hash would match no value, so no value would be refused. */
export const parseFingerprints = (text: string): string[] => {
  const fingerprints = text === "" ? [] : text.split(",").map((part) => part.trim());
  if (fingerprints.length % 3 === 0 && fingerprints.every((part) => /^[\w-]{22}(?:[\w-]{21})?$/.test(part))) {
    return fingerprints;
  }
  throw new Error("must be three hashes separated by commas, as `npm run fingerprints` prints them");
};
