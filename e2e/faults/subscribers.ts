import { Webhook } from "standardwebhooks";
import { postJson, textOf } from "../support/answers/wire.ts";
import { startMailServer } from "../support/peers/mail-server.ts";
import { startWebhookReceiver } from "../support/peers/webhook-receiver.ts";
import { waitUntil } from "../support/wait-until.ts";

/** Decodes quoted-printable ASCII text (RFC 2045 §6.7), and unfolds header lines (RFC 5322 §2.2.3). */
const readQuotedPrintable = (message: string): string =>
  message
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/\r?\n[ \t]+/g, " ");

/** A mailbox and a webhook receiver that subscribe to a status page. */
export const startSubscribers = async () => {
  const [mail, receiver] = await Promise.all([startMailServer(), startWebhookReceiver()]);
  const letters = () => mail.received.map(({ message }) => readQuotedPrintable(message));
  let webhook: Webhook;
  return {
    smtpUrl: mail.url,
    /** Subscribes both, with the double opt-in of each kind. */
    async subscribe(statusUrl: string, seconds: number): Promise<void> {
      const request = (kind: "email" | "webhook", address: string) =>
        postJson(`${statusUrl}/status/subscriptions`, { kind, address });
      let subscribed = await request("webhook", receiver.url);
      // The test event is sent once and has a few seconds to arrive.
      await waitUntil(async () => {
        if (subscribed.status === 422) subscribed = await request("webhook", receiver.url);
        return subscribed.status !== 422;
      }, seconds);
      webhook = new Webhook(textOf(subscribed, "secret"));
      await request("email", "ada@example.com");
      const tokenOf = (letter: string) => /confirm\?token=([\w-]+)/.exec(letter)?.[1];
      await waitUntil(async () => letters().some(tokenOf), seconds);
      const [token] = letters().flatMap((letter) => tokenOf(letter) ?? []);
      textOf(await postJson(`${statusUrl}/status/subscriptions/confirm`, { token }), "status");
    },
    /** @returns whether the mail arrived with one-click unsubscription, and the webhook with a valid signature */
    receivedAbout: (title: string) => ({
      byMail: letters().some(
        (letter) => letter.includes(title) && letter.includes("List-Unsubscribe-Post: List-Unsubscribe=One-Click"),
      ),
      byWebhook: receiver.received
        .filter(({ event }) => event.type === "status_update.published")
        .some(({ headers, body }) => JSON.stringify(webhook.verify(body, headers)).includes(title)),
    }),
    close() {
      mail.close();
      receiver.close();
    },
  };
};
