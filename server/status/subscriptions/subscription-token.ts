import type { Deps } from "../../deps/deps.ts";
import { labelledMac, secretsEqual } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";

type TokenDeps = Pick<Deps, "config">;

const macOf = ({ config }: TokenDeps, id: string): string => labelledMac(config.masterKey, "status_subscription", id);

/**
 * What a subscriber manages and ends its subscription with. It is made from the id alone, so that it can stand in a
 * mail that is sent while the database is away, and nothing of it is kept anywhere.
 */
export const subscriptionToken = (deps: TokenDeps, id: string): string => `${id}.${macOf(deps, id)}`;

export const subscriptionNotFound = (): DomainError =>
  new DomainError("not_found", "subscription_not_found", "This subscription wasn’t found. It may have ended.");

/** @returns the subscriber's id. @throws DomainError subscription_not_found. */
export const readSubscriptionToken = (deps: TokenDeps, token: string): string => {
  const [id = "", mac = "", ...rest] = token.split(".");
  if (rest.length > 0 || !secretsEqual(mac, macOf(deps, id))) throw subscriptionNotFound();
  return id;
};

export const manageUrl = (deps: TokenDeps, id: string): string =>
  `${deps.config.statusUrl}/status/manage?token=${subscriptionToken(deps, id)}`;

/** RFC 8058 §3.1: a POST there ends it; a GET shows a page that asks. */
export const unsubscribeUrl = (deps: TokenDeps, id: string): string =>
  `${deps.config.statusUrl}/status/subscriptions/unsubscribe?token=${subscriptionToken(deps, id)}`;

/** Finds an address again without telling it. */
export const addressHashOf = ({ config }: TokenDeps, kind: "email" | "webhook", address: string): string =>
  labelledMac(config.masterKey, `status_address:${kind}`, address);

/** What a sealed address or secret of a subscriber is bound to. */
export const subscriberSealContext = (id: string, what: "address" | "secret"): string =>
  `status_subscriber:${what}:${id}`;
