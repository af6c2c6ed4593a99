import { formatMoney } from "../../../kernel/money/money.ts";
import { type Draft, oneLine, paragraphs, type Rendered, renderBlocks } from "./mail-body.ts";

/** How a recipient reads amounts and times. */
type MailReader = { locale: string; timeZone: string };

/** What is told, by kind. Names are as their owners chose them. */
export type MailContent =
  | {
      /** above `step_up_above`, or where the bank wants to know that it is them (3-D Secure) */
      kind: "approval_needed" | "confirmation_needed";
      merchantName: string;
      clientName: string;
      amountMinor: bigint;
      currency: string;
      /** of the page where it is answered, or leads on to the bank */
      approvalUrl: string;
      /** without an answer by then nothing is charged */
      expiresAt: Date;
      /** what this mandate asks for next stands in the wallet alone, for up to an hour */
      isLast: boolean;
      reader: MailReader;
    }
  | { kind: "webhook_endpoint_off"; endpointId: string; url: string; reason: "failing" | "gone" }
  | {
      /** an operator suspended a merchant, or lifted that */
      kind: "merchant_suspended" | "merchant_resumed";
      merchantName: string;
      at: Date;
      /** of the merchant's dashboard */
      dashboardUrl: string;
    }
  | {
      kind: "status_alert";
      componentName: string;
      /** `page_*`: somebody is to look now; `ticket`: soon */
      rule: "page_fast" | "page_slow" | "ticket";
      /** null: the alert is over */
      burnRate: number | null;
      at: Date;
      statusUrl: string;
    }
  | {
      /** somebody asked for updates of the status page to be sent there */
      kind: "status_confirm";
      /** names; empty: all */
      components: readonly string[];
      confirmUrl: string;
    }
  | {
      /** one update of an incident or maintenance */
      kind: "status_update";
      stateName: string;
      title: string;
      text: string;
      components: readonly string[];
      at: Date;
      updateUrl: string;
      manageUrl: string;
    }
  | {
      kind: "postmortem_due";
      /** of the incident */
      title: string;
      /** the last UTC day that is in time */
      dueOn: Date;
      isOverdue: boolean;
      /** of its page in the console */
      incidentUrl: string;
    }
  | {
      /** somebody who proved who they are did it, which may not be the owner */
      kind: "passkey_added" | "passkey_removed";
      /** the passkey's, as it was given */
      name: string;
      at: Date;
      /** of the page that lists passkeys and sessions */
      securityUrl: string;
      reader: MailReader;
    };

export type MailKind = MailContent["kind"];

const dateTime = (at: Date, { locale, timeZone }: MailReader): string =>
  new Intl.DateTimeFormat(locale, {
    timeZone,
    day: "numeric",
    month: "long",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  }).format(at);

type Content<Kind extends MailKind> = Extract<MailContent, { kind: Kind }>;
type PaymentContent = Extract<MailContent, { approvalUrl: string }>;
type MerchantContent = Extract<MailContent, { dashboardUrl: string }>;
type PasskeyContent = Extract<MailContent, { securityUrl: string }>;

const questions = {
  approval_needed: {
    verb: "Approve",
    waits: "The payment waits for you: nothing is charged until you approve it.",
    link: "Approve or decline",
    unexpected: "Decline it.",
  },
  confirmation_needed: {
    verb: "Confirm",
    waits: "Your bank wants to know that it’s you: nothing is charged until you confirm it there.",
    link: "Continue at your bank",
    unexpected: "Don’t confirm it.",
  },
} as const;

const answerNeeded = (content: PaymentContent): Draft => {
  const { verb, waits, link, unexpected } = questions[content.kind];
  const { currency, amountMinor, approvalUrl, expiresAt, isLast, reader } = content;
  const [merchant, client] = [oneLine(content.merchantName), oneLine(content.clientName)];
  const amount = formatMoney({ amountMinor, currency }, reader.locale);
  return {
    subject: `${verb} ${amount} to ${merchant}?`,
    blocks: [
      `${merchant} asks for ${amount}. ${waits}`,
      {
        facts: [
          ["Amount", amount],
          ["Merchant", merchant],
          ["Asked by", client],
          ["Waits until", dateTime(expiresAt, reader)],
        ],
      },
      { link: { label: link, href: approvalUrl } },
      "If you do nothing, it lapses then and no money moves.",
      ...(isLast
        ? [
            "There were several such mails within an hour. What is asked next you find in your wallet, under Approvals; for up to an hour we send no more of them.",
          ]
        : []),
      `Did you not expect this? ${unexpected} In your wallet you can also stop ${client}, so that it can ask for nothing more.`,
    ],
  };
};

const webhookEndpointOff = ({ endpointId, url, reason }: Content<"webhook_endpoint_off">): Draft => ({
  subject: "Your webhook endpoint is switched off",
  blocks: [
    reason === "gone"
      ? "Your webhook endpoint answered an event with status 410, Gone. Nothing is sent there any more."
      : "We tried for three days to send an event to your webhook endpoint, and no try succeeded. Nothing is sent there any more.",
    {
      facts: [
        ["Address", oneLine(url)],
        ["Endpoint", endpointId],
      ],
    },
    "Events go on being kept for 30 days. Once the endpoint answers with a status from 200 to 299 again, switch it on and replay what it missed.",
  ],
});

const merchantChanged = ({ kind, merchantName, at, dashboardUrl }: MerchantContent): Draft => {
  const merchant = oneLine(merchantName);
  const isSuspended = kind === "merchant_suspended";
  return {
    subject: isSuspended ? `${merchant} can’t take new payments for now` : `${merchant} can take payments again`,
    blocks: [
      isSuspended
        ? "Paygrant has suspended this merchant: new charges are refused from now on, and payers can’t approve those that wait for them."
        : "The suspension of this merchant is lifted: charges are taken as before. What was refused meanwhile isn’t made up for; ask for it again where it is still wanted.",
      {
        facts: [
          ["Merchant", merchant],
          ["Since", dateTime(at, { locale: "en-GB", timeZone: "UTC" })],
        ],
      },
      ...(isSuspended
        ? [
            "What was charged before stays: it can be captured, voided and refunded as ever, in the dashboard and by your apps. Payers’ mandates stay as they are. You are told once more when the suspension is lifted.",
          ]
        : []),
      { link: { label: "Go to the dashboard", href: dashboardUrl } },
    ],
  };
};

const alertWindows = {
  page_fast: "over the last hour and the last 5 minutes",
  page_slow: "over the last 6 hours and the last 30 minutes",
  ticket: "over the last 3 days and the last 6 hours",
} as const;

const statusAlert = ({ componentName, rule, burnRate, at, statusUrl }: Content<"status_alert">): Draft => {
  const urgency = rule === "ticket" ? "Look into it" : "Look now";
  const instant = ["At", dateTime(at, { locale: "en-GB", timeZone: "UTC" })] as const;
  const page = { link: { label: "Status page", href: statusUrl } };
  if (burnRate === null) {
    return {
      subject: `Over: ${componentName} no longer burns its error budget`,
      blocks: ["What this alert told of is over.", { facts: [["Component", componentName], instant] }, page],
    };
  }
  const rate = burnRate.toFixed(1);
  return {
    subject: `${urgency}: ${componentName} has an error budget burn rate of ${rate}`,
    blocks: [
      `Its error budget was used at ${rate} times the rate that a whole month allows, ${alertWindows[rule]}.`,
      { facts: [["Component", componentName], instant] },
      page,
      "You are told once more when it is over.",
    ],
  };
};

const statusConfirm = ({ components, confirmUrl }: Content<"status_confirm">): Draft => ({
  subject: "Confirm that you want status updates",
  blocks: [
    "Somebody, probably you, asked us to tell this address of incidents and maintenance at Paygrant.",
    { facts: [["Components", components.length > 0 ? components.join(", ") : "All"]] },
    { link: { label: "Confirm", href: confirmUrl } },
    "The link works for 24 hours. If it wasn’t you, do nothing: without a confirmation nothing more is sent here.",
  ],
});

const statusUpdate = (content: Content<"status_update">): Draft => {
  const { stateName, title, text, components, at, updateUrl, manageUrl } = content;
  return {
    subject: `${stateName}: ${oneLine(title)}`,
    blocks: [
      // That of an outage of everything is longer than a subject may be.
      ...(oneLine(title) === title ? [] : paragraphs(title)),
      ...paragraphs(text),
      {
        facts: [
          ["Components", components.join(", ") || "None"],
          ["Told", dateTime(at, { locale: "en-GB", timeZone: "UTC" })],
        ],
      },
      { link: { label: "Read it on the status page", href: updateUrl } },
      { link: { label: "Choose components, or unsubscribe", href: manageUrl } },
    ],
  };
};

const utcDay = (day: Date): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "long", year: "numeric" }).format(day);

const postmortemDue = ({ title, dueOn, isOverdue, incidentUrl }: Content<"postmortem_due">): Draft => {
  const incident = oneLine(title);
  return {
    subject: isOverdue ? `The postmortem of “${incident}” is overdue` : `A postmortem is due: “${incident}”`,
    blocks: [
      isOverdue
        ? "The postmortem of a critical incident isn’t published, and its time is over. The status page says so."
        : "A critical incident was resolved, and its postmortem isn’t published yet.",
      {
        facts: [
          ["Incident", incident],
          [isOverdue ? "Was due by the end of" : "Due by the end of", `${utcDay(dueOn)}, UTC`],
        ],
      },
      { link: { label: "Write it", href: incidentUrl } },
      "Every operator is reminded once a working day until it is published.",
    ],
  };
};

const passkeyNews = {
  passkey_added: {
    subject: "A passkey was added to your account",
    now: "It signs you in without your password from now on.",
    unexpected: "Remove it there at once, and end the sessions that you don’t recognise.",
  },
  passkey_removed: {
    subject: "A passkey was removed from your account",
    now: "It opens nothing any more. Your password, and other passkeys that you have, still do.",
    unexpected: "End the sessions there that you don’t recognise.",
  },
} as const;

const passkeyChanged = ({ kind, name, at, securityUrl, reader }: PasskeyContent): Draft => {
  const { subject, now, unexpected } = passkeyNews[kind];
  return {
    subject,
    blocks: [
      `${subject}. ${now}`,
      {
        facts: [
          ["Passkey", oneLine(name)],
          ["When", dateTime(at, reader)],
        ],
      },
      { link: { label: "Passkeys and sessions", href: securityUrl } },
      `Wasn’t it you? ${unexpected}`,
    ],
  };
};

const draftOf = (content: MailContent): Draft => {
  switch (content.kind) {
    case "approval_needed":
    case "confirmation_needed":
      return answerNeeded(content);
    case "webhook_endpoint_off":
      return webhookEndpointOff(content);
    case "merchant_suspended":
    case "merchant_resumed":
      return merchantChanged(content);
    case "status_alert":
      return statusAlert(content);
    case "status_confirm":
      return statusConfirm(content);
    case "status_update":
      return statusUpdate(content);
    case "postmortem_due":
      return postmortemDue(content);
    case "passkey_added":
    case "passkey_removed":
      return passkeyChanged(content);
  }
};

const unread = "An answer to this address is read by nobody.";
const endingOf = ({ kind }: MailContent): string =>
  kind === "status_update"
    ? `Paygrant sends this since you asked for status updates. ${unread}`
    : `Paygrant sends this since it needs to reach you. ${unread}`;

/** The mail of one kind as it goes out: the same words in both forms, marked where no real money moves. */
export const renderMail = (content: MailContent, environment: "production" | "sandbox"): Rendered => {
  const { subject, blocks } = draftOf(content);
  const isSandbox = environment === "sandbox";
  const notice = isSandbox ? ["This is from the sandbox: no real money moves."] : [];
  return renderBlocks({
    subject: isSandbox ? `[Sandbox] ${subject}` : subject,
    blocks: [...blocks, ...notice, endingOf(content)],
  });
};
