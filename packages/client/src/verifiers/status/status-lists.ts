import { base64url } from "jose";
import type { Server } from "../../clients/discover.ts";
import { VerificationError } from "../../errors/errors.ts";
import type { CallOptions } from "../../http/call-options.ts";
import { getText } from "../../http/get-json.ts";
import type { Bytes } from "../../wire/bytes.ts";
import type { Members } from "../../wire/members.ts";
import { assertInTime, assertIssuer, numberClaim, objectClaim, textClaim, verifyServerJws } from "../verify-jws.ts";
import { inflate } from "./inflate.ts";

/** A verified list. */
type StatusList = {
  bits: 1 | 2;
  /** whether entry 0 is in the most significant bits */
  isFirstHigh: boolean;
  bytes: Bytes;
};

const invalid = (why: string): VerificationError => new VerificationError("invalid_status_list", why);

const decode = (text: string): Bytes => {
  try {
    return new Uint8Array(base64url.decode(text));
  } catch (cause) {
    throw new VerificationError("invalid_status_list", "The status list isn't base64url.", { cause });
  }
};

const maxAgeMs = 30_000;
const maxLists = 100;
const lists = new Map<string, { list: StatusList; until: number }>();

const remember = (uri: string, list: StatusList, ttlMs: number): void => {
  lists.delete(uri);
  if (lists.size >= maxLists) lists.delete(lists.keys().next().value ?? "");
  lists.set(uri, { list, until: performance.now() + Math.min(ttlMs, maxAgeMs) });
};

/** The status lists of this server's credentials are on this server. Lists at other addresses aren't fetched. */
const assertOwnAddress = (uri: string, server: Server): void => {
  if (!uri.startsWith(`${server.issuer}/`)) throw invalid("The status list is at another server.");
};

type ListKind = {
  type: string;
  typ: string;
  read(claims: Members, uri: string): Promise<StatusList & { ttlMs: number }>;
};

const loadList = async (server: Server, { uri, kind }: { uri: string; kind: ListKind }, options: CallOptions) => {
  const known = lists.get(uri);
  if (known && performance.now() < known.until) return known.list;
  assertOwnAddress(uri, server);
  const jws = (await getText(uri, kind.type, options)).trim();
  const claims = await verifyServerJws(server, { jws, typ: kind.typ }, options);
  const { ttlMs, ...list } = await kind.read(claims, uri);
  assertIssuer(claims["iss"] ?? claims["issuer"], server);
  remember(uri, list, ttlMs);
  return list;
};

const entryOf = ({ bits, isFirstHigh, bytes }: StatusList, index: number): number => {
  const perByte = 8 / bits;
  const byte = bytes[Math.floor(index / perByte)];
  if (!Number.isSafeInteger(index) || index < 0 || byte === undefined) throw invalid("The list has no such entry.");
  const place = (index % perByte) * bits;
  return (byte >> (isFirstHigh ? 8 - bits - place : place)) & (2 ** bits - 1);
};

const ttlOf = (members: Members): number => (typeof members["ttl"] === "number" ? Math.max(0, members["ttl"]) : 0);

/** IETF Token Status List §5.1. */
const tokenList: ListKind = {
  type: "application/statuslist+jwt",
  typ: "statuslist+jwt",
  read: async (claims, uri) => {
    if (claims["sub"] !== uri) throw invalid("The status list's sub claim doesn't match the list's URL.");
    assertInTime({ until: claims["exp"] });
    const list = objectClaim(claims, "status_list");
    if (list["bits"] !== 1 && list["bits"] !== 2) throw invalid("The number of bits isn't supported.");
    const bytes = await inflate(decode(textClaim(list, "lst")), "deflate");
    return { bits: list["bits"], isFirstHigh: false, bytes, ttlMs: ttlOf(claims) * 1000 };
  },
};

const secondsOf = (time: unknown): number => Date.parse(String(time)) / 1000;

/** W3C Bitstring Status List v1.0 §3.2. */
const bitstringList = (purpose: string): ListKind => ({
  type: "application/vc+jwt",
  typ: "vc+jwt",
  read: async (claims, uri) => {
    const subject = objectClaim(claims, "credentialSubject");
    if (claims["id"] !== uri || subject["statusPurpose"] !== purpose)
      throw invalid("The status list's id or purpose doesn't match.");
    assertInTime({ notBefore: secondsOf(claims["validFrom"]), until: secondsOf(claims["validUntil"]) });
    const encoded = textClaim(subject, "encodedList");
    if (!encoded.startsWith("u")) throw invalid("The list isn't base64url.");
    const bytes = await inflate(decode(encoded.slice(1)), "gzip");
    return { bits: 1, isFirstHigh: true, bytes, ttlMs: ttlOf(subject) };
  },
});

const refuseStatus = (status: "revoked" | "suspended"): never => {
  throw new VerificationError(`credential_${status}`, `The credential is ${status}.`);
};

/** @throws VerificationError credential_revoked, credential_suspended and others. IETF Token Status List §7.1. */
export const assertTokenStatus = async (server: Server, status: Members, options: CallOptions): Promise<void> => {
  const reference = objectClaim(status, "status_list");
  const [uri, index] = [textClaim(reference, "uri"), numberClaim(reference, "idx")];
  const entry = entryOf(await loadList(server, { uri, kind: tokenList }, options), index);
  if (entry === 1) refuseStatus("revoked");
  if (entry === 2) refuseStatus("suspended");
  if (entry !== 0) throw invalid("The credential has an unknown status.");
};

const purposes = { revocation: "revoked", suspension: "suspended" } as const;

/**
 * W3C Bitstring Status List v1.0 §3.2.
 * @throws VerificationError credential_revoked, credential_suspended and others.
 */
export const assertBitstringStatus = async (
  server: Server,
  entries: readonly Members[],
  options: CallOptions,
): Promise<void> => {
  for (const purpose of ["revocation", "suspension"] as const) {
    const entry = entries.find((each) => each["statusPurpose"] === purpose);
    if (entry?.["type"] !== "BitstringStatusListEntry") throw invalid(`The credential has no ${purpose} entry.`);
    const [uri, index] = [textClaim(entry, "statusListCredential"), textClaim(entry, "statusListIndex")];
    if (!/^\d{1,15}$/.test(index)) throw invalid("The index isn't a number.");
    const list = await loadList(server, { uri, kind: bitstringList(purpose) }, options);
    if (entryOf(list, Number(index)) === 1) refuseStatus(purposes[purpose]);
  }
};
