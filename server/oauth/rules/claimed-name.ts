import { skeletonOf } from "../../kernel/text/skeleton.ts";

const ownName = skeletonOf("Paygrant");

/** The consent page itself says whether a client is verified. A name must not say so. */
const claims = [
  "verified",
  "verifiziert",
  "geprüft",
  ...["approved", "authorized", "authorised", "certified", "endorsed"].map((claim) => `${claim} by`),
  ...["bestätigt", "zertifiziert", "zugelassen", "empfohlen"].flatMap((claim) => [`${claim} von`, `${claim} durch`]),
].map((claim) => ` ${skeletonOf(claim)} `);

/** Whether the name of a client looks like ours, or says that someone vouches for the client. */
export const claimsTrust = (name: string): boolean => {
  const skeleton = skeletonOf(name);
  const isOurs = skeleton.includes(ownName) || skeleton.replaceAll(" ", "") === ownName;
  return isOurs || claims.some((claim) => ` ${skeleton} `.includes(claim));
};
