import { decodeJws } from "../../../kernel/crypto/jws.ts";

type JsonRecord = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Members that the configuration of a leaf must not have: those of statements about other entities, those of explicit
 * registration, and `crit`, because we support no critical members.
 */
const foreignMembers = [
  "metadata_policy",
  "metadata_policy_crit",
  "constraints",
  "source_endpoint",
  "crit",
  "aud",
  "trust_anchor",
] as const;

/** Headers that a configuration must not have, because we don't process them. */
const foreignHeaders = ["crit", "trust_chain", "peer_trust_chain"] as const;

const isIdentifierList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((id) => typeof id === "string");

/** Whether the value is an object with a trust mark, and `trust_mark_type` equals the type in the trust mark's JWT. */
const isTrustMark = (mark: unknown): boolean => {
  if (!isRecord(mark) || typeof mark["trust_mark"] !== "string" || typeof mark["trust_mark_type"] !== "string")
    return false;
  return decodeJws(mark["trust_mark"])?.payload["trust_mark_type"] === mark["trust_mark_type"];
};

const isAbsentOr = (value: unknown, isValid: (value: unknown) => boolean): boolean =>
  value === undefined || isValid(value);

/**
 * The syntax of the members that say where an entity belongs (OpenID Federation 1.0, Entity Statement Validation).
 * @returns the problem as the end of a sentence about the configuration; null: none.
 */
export const claimsProblem = (
  { header, payload }: { header: JsonRecord; payload: JsonRecord },
  { anchorId }: { anchorId: string },
): string | null => {
  const foreign =
    foreignHeaders.find((name) => header[name] !== undefined) ??
    foreignMembers.find((name) => payload[name] !== undefined);
  if (foreign) return `has ${foreign}`;
  const { authority_hints: hints, trust_anchor_hints: anchors, trust_marks: marks } = payload;
  if (!isIdentifierList(hints) || !hints.includes(anchorId)) return `doesn't have ${anchorId} in authority_hints`;
  if (!isAbsentOr(anchors, isIdentifierList)) return "has trust_anchor_hints that aren't a list of identifiers";
  if (!isAbsentOr(marks, (list) => Array.isArray(list) && list.every(isTrustMark)))
    return "has trust_marks without the trust_mark_type of their JWT";
  return null;
};
