import { type Draft, oneLine, paragraphs } from "../mail-body.ts";
import type { ContentOf } from "../mail-content.ts";
import { formatEnglishMailTime } from "../mail-dates.ts";

/** Invites a person, who may have no account yet. */
export const draftMerchantInvitationMail = (content: ContentOf<"merchant_invitation">): Draft => ({
  subject: "Start selling with Paygrant",
  blocks: [
    "You are invited to register your company as a merchant. If you don’t have an account yet, create one first.",
    { facts: [["Valid until", formatEnglishMailTime(content.expiresAt, content.timeZone)]] },
    { button: { label: "Start selling", href: content.invitationUrl } },
    "If you didn’t expect this, ignore this e-mail.",
  ],
});

/** An e-mail about the approval of a merchant. */
export const draftReviewMail = (
  content: ContentOf<"merchant_review_needed" | "merchant_approved" | "merchant_declined">,
): Draft => (content.kind === "merchant_review_needed" ? draftReviewNeededMail(content) : draftDecisionMail(content));

/** Informs operators about a new merchant. */
const draftReviewNeededMail = (content: ContentOf<"merchant_review_needed">): Draft => ({
  subject: `${oneLine(content.merchantName)} is waiting for your approval`,
  blocks: [
    "A new merchant registered. It can’t register apps or charge until an operator approves it.",
    {
      facts: [
        ["Name", oneLine(content.merchantName)],
        ["Legal name", oneLine(content.legalName)],
        ["Country", oneLine(content.country)],
        ["Website", oneLine(content.websiteUri)],
      ],
    },
    { button: { label: "Review the merchant", href: content.reviewUrl } },
  ],
});

/** Informs the owners of a merchant about the decision. */
const draftDecisionMail = (content: ContentOf<"merchant_approved" | "merchant_declined">): Draft => {
  const { merchantName, at, timeZone, dashboardUrl } = content;
  const merchant = oneLine(merchantName);
  const facts = {
    facts: [
      ["Merchant", merchant],
      ["When", formatEnglishMailTime(at, timeZone)],
    ] as const,
  };
  if (content.kind === "merchant_declined") {
    return {
      subject: `${merchant} was not approved`,
      blocks: [
        "We reviewed this merchant and can’t approve it. It can’t charge. The reason:",
        ...paragraphs(content.reason),
        facts,
        { button: { label: "Go to the dashboard", href: dashboardUrl } },
      ],
    };
  }
  return {
    subject: `${merchant} is approved`,
    blocks: [
      content.mustConnect
        ? "The merchant is approved. Connect its account at Stripe next, in the settings. After that it can charge."
        : "The merchant is approved and can charge.",
      facts,
      { button: { label: content.mustConnect ? "Connect the account" : "Go to the dashboard", href: dashboardUrl } },
    ],
  };
};
