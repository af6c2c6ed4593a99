import { appendAudit } from "../../data/audit/audit.ts";
import {
  changeSubscriber,
  confirmSubscriber,
  findSubscriberById,
  type SubscriberRow,
} from "../../data/status/status-subscribers.ts";
import { isUnavailable } from "../../data/unavailable.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { ComponentKey } from "../rules/components.ts";
import type { StatusDeps } from "../runtime.ts";
import { removeSubscription } from "./remove-subscription.ts";
import { readSubscriptionToken, subscriptionNotFound } from "./subscription-token.ts";

type ManageDeps = Pick<Deps, "db" | "clock" | "config">;
const anybody = { kind: "anonymous", id: "-" } as const;

/** @throws DomainError subscription_not_found. */
export const getSubscription = async (deps: ManageDeps, token: string): Promise<SubscriberRow> => {
  const found = await findSubscriberById(deps.db.sql, readSubscriptionToken(deps, token));
  if (!found) throw subscriptionNotFound();
  return found;
};

/**
 * Confirms a subscription by the token that was mailed to the address. A token works once. @returns the subscriber's
 * id.
 * @throws DomainError confirmation_expired if the token was used, is too old or was never sent.
 */
export const confirmSubscription = (
  deps: ManageDeps,
  { token, info }: { token: string; info: RequestInfo },
): Promise<string> =>
  deps.db.sqlTransaction(async (sql) => {
    const at = deps.clock.now();
    const subscriber = await confirmSubscriber(sql, { confirmHash: sha256Base64url(token), at });
    if (!subscriber) {
      throw new DomainError("not_found", {
        code: "confirmation_expired",
        message:
          "This confirmation link is invalid, already used or older than 24 hours. Subscribe again to get a new one.",
      });
    }
    await appendAudit(sql, {
      at,
      actor: anybody,
      subjectId: subscriber.id,
      requestId: info.requestId,
      action: "status_subscription.confirmed",
      data: { kind: subscriber.kind },
    });
    return subscriber.id;
  });

/** @param components empty: all. @throws DomainError subscription_not_found. */
export const changeSubscription = (
  deps: ManageDeps,
  { token, components, info }: { token: string; components: readonly ComponentKey[]; info: RequestInfo },
): Promise<void> => {
  const id = readSubscriptionToken(deps, token);
  return deps.db.sqlTransaction(async (sql) => {
    const at = deps.clock.now();
    const outcome = await changeSubscriber(sql, { id, components, at });
    if (outcome === "unknown") throw subscriptionNotFound();
    if (outcome === "same") return;
    await appendAudit(sql, {
      at,
      actor: anybody,
      subjectId: id,
      requestId: info.requestId,
      action: "status_subscription.changed",
      data: { components: [...components] },
    });
  });
};

/**
 * Ends a subscription in any state. Nothing is sent afterwards. Idempotent. While the database is unavailable, only the
 * journal records the end.
 * @throws DomainError subscription_not_found.
 */
export const endSubscription = async (
  deps: ManageDeps & Pick<StatusDeps, "board" | "journal">,
  { token, info }: { token: string; info: RequestInfo },
): Promise<void> => {
  const subscriberId = readSubscriptionToken(deps, token);
  const ended = { subscriberId, at: deps.clock.now(), requestId: info.requestId };
  let isWritten = true;
  try {
    await deps.db.sqlTransaction((sql) => removeSubscription(sql, ended));
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    isWritten = false;
  }
  const isJournalled = deps.journal
    .pending()
    .some((one) => one.kind === "subscriber_ended" && one.subscriberId === subscriberId);
  if (isJournalled) return;
  // The end is recorded even if the database has it: the board in memory still has the subscriber, who would otherwise
  // be written back after a database restore.
  if (isWritten && !deps.board().subscribers.some(({ id }) => id === subscriberId)) return;
  await deps.journal.append([{ kind: "subscriber_ended", id: newId("ntf"), ...ended }]);
};
