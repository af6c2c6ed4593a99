import { appendAudit } from "../../data/audit/audit.ts";
import { insertWebhookSubscriber } from "../../data/status/status-subscribers.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { ComponentKey } from "../rules/components.ts";
import { postWebhook } from "./post-webhook.ts";
import { makeSubscriberSecret } from "./subscriber-secret.ts";
import { addressHashOf, manageUrl, subscriberSealContext, unsubscribeUrl } from "./subscription-token.ts";

/** Shown once. */
export type SubscribedWebhook = { id: string; secret: string; publicKey: string; manageUrl: string };

type SubscribeDeps = Pick<Deps, "db" | "clock" | "config" | "sealer" | "outbound">;

const alreadySubscribedRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "already_subscribed",
    message: "This address is already subscribed. Each update has a link to change or end the subscription.",
  });

/**
 * Subscribes a URL that accepts a signed test event. A second subscription of a URL is refused, since the caller may
 * not own the URL and must not replace its secret. The test event is sent first. So the response reveals whether a URL
 * is subscribed only if the URL accepts the test event.
 * @throws DomainError invalid_request, already_subscribed, webhook_not_reached.
 */
export const subscribeWebhook = async (
  deps: SubscribeDeps,
  { url, components, info }: { url: string; components: readonly ComponentKey[]; info: RequestInfo },
): Promise<SubscribedWebhook> => {
  const problem = deps.outbound.urlProblem(url);
  if (problem !== null) {
    throw new DomainError("invalid", {
      code: "invalid_request",
      message: `The URL ${problem}.`,
      errors: [{ pointer: "/address", detail: problem }],
    });
  }
  const addressHash = addressHashOf(deps, "webhook", new URL(url).href);
  const id = newId("sub");
  const { sealed, credentials, secret } = makeSubscriberSecret(deps, id);
  const links = { manage_url: manageUrl(deps, id), unsubscribe_url: unsubscribeUrl(deps, id) };
  const failed = await postWebhook(
    deps,
    { url, secret },
    { id: `${id}_test`, type: "status_subscription.test", data: { subscription_id: id, ...links } },
  );
  if (failed !== null) {
    throw new DomainError("unprocessable", {
      code: "webhook_not_reached",
      message:
        "The webhook didn’t respond to the test event with a status from 200 to 299. Nothing was subscribed. Correct the webhook, then try again.",
    });
  }
  const at = deps.clock.now();
  await deps.db.sqlTransaction(async (sql) => {
    const addressSealed = deps.sealer.seal(url, subscriberSealContext(id, "address"));
    const row = { id, addressHash, addressSealed, secretSealed: sealed, components, at };
    if (!(await insertWebhookSubscriber(sql, row))) throw alreadySubscribedRefusal();
    await appendAudit(sql, {
      at,
      actor: { kind: "anonymous", id: "-" },
      subjectId: id,
      requestId: info.requestId,
      action: "status_subscription.confirmed",
      data: { kind: "webhook" },
    });
  });
  return { id, secret: credentials.secret, publicKey: credentials.publicKey, manageUrl: links.manage_url };
};
