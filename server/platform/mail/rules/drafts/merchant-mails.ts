import { type Draft, oneLine } from "../mail-body.ts";
import type { ContentOf } from "../mail-content.ts";
import { formatEnglishMailTime } from "../mail-dates.ts";

export const draftWebhookMail = (content: ContentOf<"webhook_endpoint_off">): Draft => {
  const { endpointId, url, reason, endpointPageUrl, docsUrl } = content;
  const action =
    endpointPageUrl === undefined
      ? { label: "Read about webhooks", href: docsUrl }
      : { label: "See the endpoint", href: endpointPageUrl };
  return {
    subject: "Your webhook endpoint is switched off",
    blocks: [
      reason === "gone"
        ? "Your webhook endpoint responded to an event with status 410 Gone. We no longer send events to it."
        : "We tried for three days to send an event to your webhook endpoint, and every attempt failed. We no longer send events to it.",
      {
        facts: [
          ["Address", oneLine(url)],
          ["Endpoint", endpointId],
        ],
      },
      "Events are kept for 30 days. When the endpoint responds with a status from 200 to 299 again, switch it on and resend the events that it missed.",
      { button: action },
    ],
  };
};

export const draftMerchantMail = (content: ContentOf<"merchant_suspended" | "merchant_resumed">): Draft => {
  const { kind, merchantName, at, timeZone, dashboardUrl } = content;
  const merchant = oneLine(merchantName);
  const isSuspended = kind === "merchant_suspended";
  return {
    subject: isSuspended ? `${merchant} can’t take new payments for now` : `${merchant} can take payments again`,
    blocks: [
      isSuspended
        ? "Paygrant has suspended this merchant. New payments are refused, and payers can’t approve pending payments."
        : "The suspension of this merchant has been lifted, and payments are accepted again. Payments that were refused in the meantime aren’t repeated. If you still need them, create them again.",
      {
        facts: [
          ["Merchant", merchant],
          ["Since", formatEnglishMailTime(at, timeZone)],
        ],
      },
      ...(isSuspended
        ? [
            "You can still capture, void and refund earlier payments, in the dashboard and through the API. Payers’ mandates don’t change. We will e-mail you when the suspension is lifted.",
          ]
        : []),
      { button: { label: "Go to the dashboard", href: dashboardUrl } },
    ],
  };
};

export const draftProcessorMail = (content: ContentOf<"charges_enabled" | "charges_stopped">): Draft => {
  const { kind, merchantName, at, timeZone, settingsUrl } = content;
  const merchant = oneLine(merchantName);
  const isEnabled = kind === "charges_enabled";
  return {
    subject: isEnabled ? `${merchant} can take payments` : `Stripe stopped the payments of ${merchant}`,
    blocks: [
      isEnabled
        ? "Stripe accepts payments for the account of this merchant now."
        : "Stripe doesn’t accept payments for the account of this merchant any more. New payments are refused. The settings show what Stripe needs.",
      {
        facts: [
          ["Merchant", merchant],
          ["Since", formatEnglishMailTime(at, timeZone)],
        ],
      },
      ...(isEnabled ? [] : ["You can still capture, void and refund earlier payments. Payers’ mandates don’t change."]),
      { button: { label: isEnabled ? "See the account" : "See what Stripe needs", href: settingsUrl } },
    ],
  };
};
