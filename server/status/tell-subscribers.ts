import { newId } from "../kernel/ids.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { sendMailNow } from "../mail/send-mail-now.ts";
import type { MailSender } from "../mail/smtp.ts";
import { postWebhook } from "./post-webhook.ts";
import { componentName } from "./rules/components.ts";
import { type DueNotice, dueNotices, isLastTry } from "./rules/notices.ts";
import { updateUrl } from "./rules/public-updates.ts";
import type { StatusDeps } from "./runtime.ts";
import { openSubscriberSecret } from "./subscriber-secret.ts";
import { manageUrl, sealContext, unsubscribeUrl } from "./subscription-token.ts";

/** At the same time: each is a connection of its own. */
const atOnce = 5;

type TellDeps = Pick<StatusDeps, "board" | "journal" | "clock" | "config" | "db" | "sealer" | "outbound" | "log">;
type Outcome = { problem: string | null; isFinal: boolean };
const sent: Outcome = { problem: null, isFinal: true };

/**
 * Tells every subscriber what is due now. What became of each is in the journal before the next is begun: a crash in
 * between tells one again, under the same id. @param send null: mail stays in the outbox.
 */
export const tellSubscribers = async (deps: TellDeps, send: MailSender | null): Promise<number> => {
  const due = dueNotices(deps.board(), deps.clock.now());
  for (let index = 0; index < due.length; index += atOnce)
    await Promise.all(due.slice(index, index + atOnce).map((one) => tellOne(deps, send, one)));
  return due.length;
};

const tellOne = async (deps: TellDeps, send: MailSender | null, due: DueNotice): Promise<void> => {
  const { subscriber, update, attempts } = due;
  const { problem, isFinal } = await tryOne(deps, send, due).catch((error: unknown): Outcome => {
    deps.log.warn({ err: error, subscriberId: subscriber.id, updateId: update.id }, "a status notice failed");
    return { problem: "it could not be sent", isFinal: false };
  });
  const outcome = problem === null ? "sent" : isFinal || isLastTry(attempts) ? "given_up" : "failed";
  await deps.journal.append([
    {
      ...{ kind: "notice", id: newId("ntc"), subscriberId: subscriber.id, updateId: update.id, attempts },
      ...{ at: deps.clock.now(), outcome, problem },
    },
  ]);
};

const tryOne = (deps: TellDeps, send: MailSender | null, due: DueNotice): Promise<Outcome> => {
  const { id, addressSealed } = due.subscriber;
  const address = deps.sealer.open(Buffer.from(addressSealed).toString(), sealContext(id, "address"));
  return due.subscriber.kind === "email" ? mailOne(deps, send, due, address) : postOne(deps, due, address);
};

/** The same at each try. */
const noticeId = ({ subscriber, update }: DueNotice): string => `${update.id}.${subscriber.id}`;

const mailOne = async (
  deps: TellDeps,
  send: MailSender | null,
  due: DueNotice,
  recipient: string,
): Promise<Outcome> => {
  const { id } = due.subscriber;
  const { about, stateName, text, at } = due.update;
  const content = {
    kind: "status_update",
    ...{ stateName, title: about.title, text, at },
    components: about.components.map(componentName),
    updateUrl: updateUrl(deps.config.statusUrl, due.update),
    manageUrl: manageUrl(deps, id),
  } as const;
  const mail = { recipient, content, unsubscribeUrl: unsubscribeUrl(deps, id) };
  if (send === null) {
    await queueMail(deps, deps.db.sql, { ...mail, requestId: newId("req") });
    return sent;
  }
  const outcome = await sendMailNow(deps, send, { ...mail, id: noticeId(due), createdAt: at });
  return outcome.kind === "sent" ? sent : outcome;
};

const postOne = async (deps: TellDeps, due: DueNotice, url: string): Promise<Outcome> => {
  const { id, secretSealed } = due.subscriber;
  if (secretSealed === null) throw new Error("a webhook without its secret");
  const secret = openSubscriberSecret(deps, { id, secretSealed });
  const { update } = due;
  const data = {
    ...{ update_id: update.id, state: update.stateName.toLowerCase().replaceAll(" ", "_"), text: update.text },
    ...{ at: update.at.toISOString(), url: updateUrl(deps.config.statusUrl, update) },
    about: { ...update.about, components: [...update.about.components] },
    ...{ manage_url: manageUrl(deps, id), unsubscribe_url: unsubscribeUrl(deps, id) },
  };
  const problem = await postWebhook(
    deps,
    { url, secret },
    { id: noticeId(due), type: "status_update.published", data },
  );
  return { problem, isFinal: false };
};

/** Every `everyMilliseconds`, one round at a time. @returns what stops it, when the round under way has ended. */
export const keepTelling = (
  deps: TellDeps,
  { send, everyMilliseconds }: { send: MailSender | null; everyMilliseconds: number },
): (() => Promise<void>) => {
  let round: Promise<unknown> = Promise.resolve();
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    round = tellSubscribers(deps, send)
      .catch((error: unknown) => deps.log.error({ err: error }, "status notices could not be sent"))
      .finally(() => {
        isBusy = false;
      });
  }, everyMilliseconds);
  return async () => {
    clearInterval(timer);
    await round;
  };
};
