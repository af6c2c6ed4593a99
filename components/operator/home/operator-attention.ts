import type { MissingSetting } from "#server/operators/missing-settings.ts";
import { formatDuration } from "../../format/durations.ts";
import type { AttentionItem } from "../../portal/attention.tsx";

export type AttentionCounts = {
  chargesUnderReview: number;
  pendingMerchants: number;
  contradictions: number;
  billingPaymentsUnderReview: number;
  taxDecisions: number;
  meterDifferences: number;
  failedMail: number;
  retryingMail: number;
  incidentDrafts: number;
  failingJobs: readonly string[];
  missingSettings: readonly MissingSetting[];
};

/** Workers report every ten seconds while they run. */
const silentMilliseconds = 120_000;

/** @param workerSeenAt when a worker last reported, RFC 3339; null: never. */
export const silentWorker = ({ workerSeenAt, now }: { workerSeenAt: string | null; now: Date }): AttentionItem[] => {
  const since = workerSeenAt === null ? null : now.getTime() - new Date(workerSeenAt).getTime();
  if (since !== null && since < silentMilliseconds) return [];
  return [
    {
      key: "silent-worker",
      title: since === null ? "No worker has reported yet" : `No worker has reported for ${formatDuration(since)}`,
      text: "Without a worker, webhooks and e-mail aren’t sent, and unknown charges aren’t looked up. Check the worker process.",
      href: "/operator/jobs",
      verb: "See jobs",
    },
  ];
};

type Counted = Omit<AttentionItem, "title"> & { count: number; one: string; many: string };

const countedItems = (attention: AttentionCounts): Counted[] => [
  {
    key: "incident-drafts",
    count: attention.incidentDrafts,
    one: "incident draft needs your decision",
    many: "incident drafts need your decision",
    text: "Probes create drafts of incidents. A draft isn’t public until you confirm it. If there is no incident, dismiss the draft.",
    href: "/operator/incidents",
    verb: "See incidents",
  },
  {
    key: "pending-merchants",
    count: attention.pendingMerchants,
    one: "merchant is waiting for approval",
    many: "merchants are waiting for approval",
    text: "A merchant can’t register apps or charge before its approval.",
    href: "/operator/merchants?state=pending",
    verb: "See merchants",
  },
  {
    key: "charges-needing-review",
    count: attention.chargesUnderReview,
    one: "charge needs review",
    many: "charges need review",
    text: "If the outcome of a charge is unknown, its amount stays on hold until you settle it.",
    href: "/operator/charges?show=review",
    verb: "See charges",
  },
  {
    key: "contradictions",
    count: attention.contradictions,
    one: "charge contradicts the processor’s report",
    many: "charges contradict the processor’s reports",
    text: "The processor reports a payment or refund that doesn’t match our records. Investigate the difference and record the result.",
    href: "/operator/charges?show=review",
    verb: "See charges",
  },
  {
    key: "failed-mail",
    count: attention.failedMail,
    one: "e-mail failed",
    many: "e-mails failed",
    text: "Counted over the last seven days. A failed e-mail probably didn’t reach its recipient. Its page shows the reason.",
    href: "/operator/outbox?state=failed",
    verb: "See e-mail",
  },
  {
    key: "retrying-mail",
    count: attention.retryingMail,
    one: "e-mail is waiting for a retry",
    many: "e-mails are waiting for a retry",
    text: "The last attempt to send failed. We retry for up to two days.",
    href: "/operator/outbox?state=pending",
    verb: "See e-mail",
  },
];

const billingItems = (attention: AttentionCounts): Counted[] => [
  {
    key: "billing-payments",
    count: attention.billingPaymentsUnderReview,
    one: "payment of an invoice needs review",
    many: "payments of invoices need review",
    text: "If the outcome of a payment is unknown, no other payment of its invoice starts until you settle it.",
    href: "/operator/dunning?show=review",
    verb: "See payments",
  },
  {
    key: "tax-decisions",
    count: attention.taxDecisions,
    one: "invoice needs a tax decision",
    many: "invoices need a tax decision",
    text: "If a merchant’s tax region isn’t known, its invoices aren’t issued. After 7 days, you can issue them without tax.",
    href: "/operator/invoices?show=tax",
    verb: "See drafts",
  },
  {
    key: "meter-differences",
    count: attention.meterDifferences,
    one: "meter differs from its source",
    many: "meters differ from their sources",
    text: "Counted per merchant and day. An invoice isn’t issued while a meter of its period differs. Correct the difference.",
    href: "/operator/reconciliation?result=different",
    verb: "See differences",
  },
];

const settingTexts: Readonly<Record<MissingSetting, Pick<AttentionItem, "title" | "text">>> = {
  mail: {
    title: "E-mail isn’t sent: no mail server is set up",
    text: "Codes, invitations and other e-mail stay in the outbox until you forward them. Set SMTP_URL and MAIL_FROM: see step 7 of “Set up for your company” in docs/operating.md.",
  },
  stripe: {
    title: "No money moves: Stripe isn’t set up",
    text: "Merchants can’t connect an account, and payers can’t add a real card. Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET: see step 8 of “Set up for your company” in docs/operating.md.",
  },
  billingIssuer: {
    title: "Invoices stay drafts: their issuer isn’t set up",
    text: "Invoices need the name, address and tax details of your company. Set BILLING_ISSUER: see “Monitoring, status page and sandbox” in docs/operating.md.",
  },
  dnsResolvers: {
    title: "Domains can’t be verified by DNS: a second DNS resolver isn’t set up",
    text: "Two resolvers must return the record of a claimed domain. Set DNS_RESOLVERS: see “Security and OAuth” in docs/operating.md.",
  },
};

/** Everything that needs an operator's action, each with a link to the page for it. */
export const operatorAttention = (attention: AttentionCounts): AttentionItem[] => [
  ...[...countedItems(attention), ...billingItems(attention)]
    .filter(({ count }) => count > 0)
    .map(({ count, one, many, ...item }) => ({ ...item, title: `${count} ${count === 1 ? one : many}` })),
  ...attention.failingJobs.map((name) => ({
    key: `job-${name}`,
    title: `The job ${name} is failing`,
    text: "The last run failed. The job is retried automatically. The Jobs page shows the reason.",
    href: "/operator/jobs",
    verb: "See jobs",
  })),
  ...attention.missingSettings.map((name) => ({
    key: `setting-${name}`,
    ...settingTexts[name],
    href: "/operator/settings",
    verb: "See settings",
  })),
];
