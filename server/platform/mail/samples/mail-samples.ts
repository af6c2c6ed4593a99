import type { MailContent, MailKind } from "../rules/mail-content.ts";
import type { MailReader } from "../rules/mail-reader.ts";
import { accountSamples } from "./account-samples.ts";
import { billingSamples } from "./billing-samples.ts";
import { merchantSamples } from "./merchant-samples.ts";
import { paymentSamples } from "./payment-samples.ts";
import { securitySamples } from "./security-samples.ts";

const at = new Date("2026-11-21T13:15:00Z");

/** One example of each kind of mail, for the operators' preview and for tests. The compiler reports a missing kind. */
export const mailSamples = (reader: MailReader): { [Kind in MailKind]: MailContent & { kind: Kind } } => {
  return {
    ...accountSamples(reader),
    ...paymentSamples(reader),
    ...securitySamples(reader),
    webhook_endpoint_off: {
      kind: "webhook_endpoint_off",
      endpointId: "whe_example",
      url: "https://shop.example/webhooks/paygrant?environment=production&version=2026-11-01",
      reason: "failing",
      docsUrl: "https://pay.example/docs/webhooks",
      endpointPageUrl: "https://pay.example/merchant/webhooks/whe_example",
    },
    ...merchantSamples(reader.timeZone),
    ...billingSamples(),
    status_alert: {
      kind: "status_alert",
      componentName: "Wallet portal",
      rule: "page_fast",
      burnRate: 21.04,
      at,
      statusUrl: "https://status.example",
    },
    status_confirm: {
      kind: "status_confirm",
      components: ["Billing engine", "Sandbox authorization server"],
      confirmUrl: "https://status.example/status/confirm?token=example",
    },
    status_update: {
      kind: "status_update",
      stateName: "Identified",
      title: "Invoices are slow",
      text: "Invoices are sent with a delay of up to an hour.\nPayments are not affected.",
      components: ["Billing engine"],
      at,
      updateUrl: "https://status.example/status/incidents/inc_example",
      manageUrl: "https://status.example/status/manage?token=example",
    },
    postmortem_due: {
      kind: "postmortem_due",
      title: "Payments fail",
      dueOn: at,
      isOverdue: false,
      incidentUrl: "https://pay.example/operator/incidents/inc_example",
    },
  };
};
