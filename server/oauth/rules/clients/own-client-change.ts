import { isDeepStrictEqual } from "node:util";
import { decodeJwt } from "jose";
import { sentenceRefusal } from "../../../kernel/errors.ts";
import type { Raw } from "./metadata-members.ts";

/** A change that a merchant's member makes to a client (docs/spec/portal.md, Apps and keys). */
export type OwnClientChange =
  /** `jwksUri` null: the keys are registered and don't change */
  | { kind: "edit"; name: string; scopes: readonly string[]; jwksUri: string | null }
  /** `endsOthers`: removes the other keys and makes all access tokens invalid immediately, for example after a leak */
  | { kind: "add_key"; jwk: Raw; thumbprint: string; endsOthers: boolean }
  | { kind: "remove_key"; thumbprint: string };

type Key = Readonly<Record<string, unknown>>;

/** A registered key with its RFC 7638 thumbprint. */
export type RegisteredKey = { key: Key; thumbprint: string };

/**
 * The metadata after a change, in wire names and not checked yet. Null: nothing changes, so a repeated request
 * succeeds.
 * @throws DomainError invalid, naming the field.
 */
export const changedMetadata = (metadata: Raw, keys: readonly RegisteredKey[], change: OwnClientChange): Raw | null => {
  const next = apply(metadata, keys, change);
  return isDeepStrictEqual(next, metadata) ? null : next;
};

/** The members that a form changes, with their fields. A statement that has keys or their address sets both. */
const attestable = [
  { pointer: "/name", member: "client_name", setBy: ["client_name"] },
  { pointer: "/jwk", member: "jwks", setBy: ["jwks", "jwks_uri"] },
  { pointer: "/jwksUri", member: "jwks_uri", setBy: ["jwks", "jwks_uri"] },
];

/**
 * A software statement replaces the values that are sent (RFC 7591 §2.3), so a change of them would have no effect.
 * @throws DomainError invalid, naming the field.
 */
export const refuseAttested = (registered: Raw, sent: Raw): void => {
  const { software_statement: statement } = registered;
  if (typeof statement !== "string") return;
  const claims = decodeJwt(statement);
  for (const { pointer, member, setBy } of attestable) {
    if (isDeepStrictEqual(sent[member], registered[member])) continue;
    if (setBy.some((claim) => claims[claim] !== undefined))
      throw sentenceRefusal(
        pointer,
        "The app’s software statement sets this. To change it, register the app again with another statement.",
      );
  }
};

const apply = (metadata: Raw, keys: readonly RegisteredKey[], change: OwnClientChange): Raw => {
  switch (change.kind) {
    case "edit":
      return edited(metadata, change);
    case "add_key":
      return withKeys(metadata, added(metadata["jwks_uri"] === undefined ? keys : [], change));
    case "remove_key":
      return withoutKey(metadata, keys, change.thumbprint);
  }
};

const edited = (metadata: Raw, { name, scopes, jwksUri }: Extract<OwnClientChange, { kind: "edit" }>): Raw => {
  const { jwks, jwks_uri: registeredUri, ...rest } = metadata;
  if (scopes.length === 0) throw sentenceRefusal("/scopes", "Choose at least one scope.");
  if (jwksUri === null && registeredUri !== undefined) {
    throw sentenceRefusal("/jwksUri", "Enter a URL. To register keys instead, add a key: it replaces the URL.");
  }
  const source = jwksUri === null ? { jwks } : { jwks_uri: jwksUri };
  return { ...rest, ...source, client_name: name, scope: scopes.join(" ") };
};

const added = (
  keys: readonly RegisteredKey[],
  { jwk, thumbprint, endsOthers }: Extract<OwnClientChange, { kind: "add_key" }>,
): Key[] => {
  const known = keys.find((key) => key.thumbprint === thumbprint)?.key;
  const own = known ?? (jwk["kid"] === undefined ? { ...jwk, kid: thumbprint } : jwk);
  if (endsOthers) return [own];
  const all = keys.map(({ key }) => key);
  if (known) return all;
  if (all.some((key) => key["kid"] === undefined)) {
    throw sentenceRefusal(
      "/jwk",
      "The current key has no kid, so two keys can’t be valid at once. Choose to make the other keys invalid now.",
    );
  }
  return [...all, own];
};

const withKeys = ({ jwks: _jwks, jwks_uri: _uri, ...metadata }: Raw, keys: readonly Key[]): Raw => ({
  ...metadata,
  jwks: { keys },
});

const withoutKey = (metadata: Raw, keys: readonly RegisteredKey[], thumbprint: string): Raw => {
  const left = keys.filter((key) => key.thumbprint !== thumbprint);
  if (metadata["jwks_uri"] !== undefined || left.length === keys.length) return metadata;
  if (left.length === 0) {
    throw sentenceRefusal("/thumbprint", "An app needs at least one key. Add a new key first, or delete the app.");
  }
  return withKeys(
    metadata,
    left.map(({ key }) => key),
  );
};
