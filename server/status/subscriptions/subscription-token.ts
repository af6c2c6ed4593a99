import type { Deps } from "../../deps/deps.ts";
import { labelledMac, secretsEqual } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";

type TokenDeps = Pick<Deps, "config">;

const macOf = ({ config }: TokenDeps, id: string): string => labelledMac(config.masterKey, "status_subscription", id);

/**
 * Token with which a subscriber manages its subscription. It is derived from the id, so that it isn't stored and can
 * be sent while the database is unavailable.
 */
export const subscriptionToken = (deps: TokenDeps, id: string): string => `${id}.${macOf(deps, id)}`;

export const subscriptionNotFound = (): DomainError =>
  new DomainError("not_found", {
    code: "subscription_not_found",
    message: "This subscription wasn’t found. It may have ended.",
  });

/** @returns the subscriber's id. @throws DomainError subscription_not_found. */
export const readSubscriptionToken = (deps: TokenDeps, token: string): string => {
  const [id = "", mac = "", ...rest] = token.split(".");
  if (rest.length > 0 || !secretsEqual(mac, macOf(deps, id))) throw subscriptionNotFound();
  return id;
};

export const manageUrl = (deps: TokenDeps, id: string): string =>
  `${deps.config.statusUrl}/status/manage?token=${subscriptionToken(deps, id)}`;

/** RFC 8058 §3.1: a POST ends the subscription, a GET leads to a page that asks for confirmation. */
export const unsubscribeUrl = (deps: TokenDeps, id: string): string =>
  `${deps.config.statusUrl}/status/subscriptions/unsubscribe?token=${subscriptionToken(deps, id)}`;

/** Identifies an address without revealing it. */
export const addressHashOf = ({ config }: TokenDeps, kind: "email" | "webhook", address: string): string =>
  labelledMac(config.masterKey, `status_address:${kind}`, address);

/** Binds a sealed address or secret to its subscriber. */
export const subscriberSealContext = (id: string, what: "address" | "secret"): string =>
  `status_subscriber:${what}:${id}`;
