import type { KeyObject } from "node:crypto";
import type { Decision } from "../data/mandates/mandate-decision.ts";
import type { RegistrationRow } from "../data/oauth/client-registrations.ts";
import type { ClientRow } from "../data/oauth/clients.ts";
import type { Assertion, ConsumedAssertion } from "../data/oauth/replay.ts";
import type { AuthorizationDetails } from "../kernel/authorization-details.ts";
import type { JsonObject } from "../kernel/text/json.ts";
import type { BusinessTime } from "../kernel/time/clock.ts";

/** The public keys of one client, imported once. */
export type KeySet = {
  /**
   * Finds the key that a JWS header identifies (RFC 7515 §6): by `kid` and `alg`, or without `kid` by `alg` alone.
   * @returns null if no key matches, if more than one matches, or if the key is on the blocklist.
   */
  find(header: Readonly<Record<string, unknown>>): KeyObject | null;
  /** The key that `find` would return if it weren't on the blocklist (docs/spec/oauth.md, Blocked keys). */
  findBlocked(header: Readonly<Record<string, unknown>>): KeyObject | null;
  /** Loads remote keys; call it before `find`. @throws OAuthError invalid_client if they can't be loaded. */
  prepare?(header: Readonly<Record<string, unknown>>): Promise<void>;
};

/** A client, with the keys that verified its assertion. */
export type AuthenticatedClient = ClientRow & { keys: KeySet };

/**
 * A client whose assertion is valid and not yet consumed. One statement may consume the assertion and also do the work
 * of the request. The handler must settle the client in every case. If it doesn't, `serve` settles the client.
 */
export type PendingClient = {
  /** the cached client: only for checks; a response must use the client that `settle` returns */
  readonly client: ClientRow;
  /**
   * @param consume one statement that consumes the assertion, and does its other work only if the client still has
   *   `version`.
   * @returns the client as it is now. `isCurrent`: whether the client still has `version`; if it doesn't, the other
   *   work was not done.
   * @throws OAuthError invalid_client if the assertion was used before or the client was deleted.
   */
  settle<Consumed extends ConsumedAssertion>(
    consume: (assertion: Assertion & { version: number }) => Promise<Consumed>,
  ): Promise<{ client: AuthenticatedClient; consumed: Consumed; isCurrent: boolean }>;
  /** Consumes the assertion unless it was already consumed or the database became unavailable. */
  ensureSettled(): Promise<void>;
};

/** A client's owner, authenticated by its registration access token (RFC 7592). */
export type RegistrationCaller = { registration: RegistrationRow; token: string; tokenHash: string };

/** Claims of an access token (RFC 9068 §2.2) and our private claims. */
export type AccessTokenClaims = {
  iss: string;
  sub: string;
  aud: string;
  client_id: string;
  iat: number;
  exp: number;
  jti: string;
  scope?: string;
  cnf?: { jkt: string };
  /** only in Bearer tokens for a mandate: the key that signed the token request; credentials name this key in `cnf` */
  request_jwk?: JsonObject;
  authorization_details?: AuthorizationDetails[];
  env: string;
  auth_time?: number;
  acr?: string;
  grant_id?: string;
  client_epoch: number;
  grant_epoch?: number;
};

/**
 * A mandate as it was at `at`. `decision` is null if the mandate is unknown, or if its `payees` don't name the caller's
 * merchant by id.
 */
export type NamedMandate = { mandateId: string; at: BusinessTime; decision: Decision | null };

export type AccessTokenCaller = {
  clientId: string;
  tokenId: string;
  scopes: readonly string[];
  /** the merchant that owns the client; null for an agent */
  merchantId: string | null;
  jkt: string | null;
  claims: AccessTokenClaims;
  /**
   * the mandate that the request names, read by the statement that checked the token; null: the request named no
   * mandate
   */
  named: NamedMandate | null;
};
