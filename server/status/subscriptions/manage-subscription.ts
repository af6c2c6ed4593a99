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

/** What a subscriber sees of its subscription. @throws DomainError subscription_not_found. */
export const getSubscription = async (deps: ManageDeps, token: string): Promise<SubscriberRow> => {
  const found = await findSubscriberById(deps.db.sql, readSubscriptionToken(deps, token));
  if (!found) throw subscriptionNotFound();
  return found;
};

/**
 * By the token that was sent to the address, once. @returns the subscriber's id.
 * @throws DomainError confirmation_expired: used, too old, or never sent.
 */
export const confirmSubscription = (
  deps: ManageDeps,
  { token, info }: { token: string; info: RequestInfo },
): Promise<string> =>
  deps.db.sqlTransaction(async (sql) => {
    const at = deps.clock.now();
    const subscriber = await confirmSubscriber(sql, { confirmHash: sha256Base64url(token), at });
    if (!subscriber) {
      throw new DomainError(
        "not_found",
        "confirmation_expired",
        "This confirmation link is invalid, already used or older than 24 hours. Subscribe again to get a new one.",
      );
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
 * Ends it, whatever it had come to; a second time changes nothing. While the database is away the journal alone has it:
 * nothing more is sent from then on.
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
  const isNoted = deps.journal
    .pending()
    .some((one) => one.kind === "subscriber_ended" && one.subscriberId === subscriberId);
  if (isNoted) return;
  // Also where the database has it: what was read of it before goes on being told, and is put back into a restored one.
  if (isWritten && !deps.board().subscribers.some(({ id }) => id === subscriberId)) return;
  await deps.journal.append([{ kind: "subscriber_ended", id: newId("ntc"), ...ended }]);
};
