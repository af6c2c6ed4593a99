import { type Draft, oneLine } from "../mail-body.ts";
import type { ContentOf } from "../mail-content.ts";
import { formatEnglishMailTime } from "../mail-dates.ts";

type Offered = ContentOf<"entry_transfer_offered">;
type Ended = ContentOf<"entry_transfer_ended">;

/** An e-mail about the transfer of a directory entry to another merchant. */
export const draftTransferMail = (content: Offered | Ended): Draft => {
  if (content.kind === "entry_transfer_offered") return draftOffer(content);
  return content.outcome === "accepted" ? draftAccepted(content) : draftEnded(content, content.outcome);
};

const factsOf = ({ participantName, entryId, fromName, toName }: Offered | Ended) =>
  [
    ["Entry", `${oneLine(participantName)}, ${entryId}`],
    ["From", oneLine(fromName)],
    ["To", oneLine(toName)],
  ] as const;

const unexpected = "If you didn’t expect this, check who is an owner or admin of your team, and contact us.";

const draftOffer = (content: Offered): Draft => {
  const { side, expiresAt, timeZone, pageUrl } = content;
  const [from, to] = [oneLine(content.fromName), oneLine(content.toName)];
  const isOwn = side === "from";
  return {
    subject: isOwn ? `Your directory entry is offered to ${to}` : `${from} offers you its directory entry`,
    blocks: [
      isOwn
        ? `An owner or admin of ${from} offered its directory entry to ${to}. Nothing changes until an owner or admin of ${to} accepts. Until then, you can cancel the offer.`
        : `${from} offers its directory entry to ${to}. Nothing changes until an owner or admin of ${to} accepts. The page shows what changes then.`,
      { facts: [...factsOf(content), ["Open until", formatEnglishMailTime(expiresAt, timeZone)]] },
      { button: { label: isOwn ? "See the offer" : "Accept or decline", href: pageUrl } },
      isOwn ? unexpected : "If you don’t know this merchant, decline the offer.",
    ],
  };
};

const draftAccepted = (content: Ended): Draft => {
  const { side, at, timeZone, pageUrl } = content;
  const [from, to] = [oneLine(content.fromName), oneLine(content.toName)];
  const isOwn = side === "from";
  return {
    subject: isOwn ? `${to} has your directory entry now` : `You have the directory entry of ${from} now`,
    blocks: [
      isOwn
        ? "The entry no longer belongs to you. You have a new entry with your apps. Its domains must be verified. Your software statements and tokens for agents were revoked."
        : "The entry belongs to you, with its ID and its history. Your apps are in it. Its domains must be verified again before it is active. Your earlier entry is withdrawn.",
      { facts: [...factsOf(content), ["When", formatEnglishMailTime(at, timeZone)]] },
      { button: { label: "See your entry", href: pageUrl } },
      unexpected,
    ],
  };
};

const draftEnded = (content: Ended, outcome: "declined" | "cancelled" | "expired"): Draft => {
  const { at, timeZone, pageUrl } = content;
  const [from, to] = [oneLine(content.fromName), oneLine(content.toName)];
  const texts = {
    declined: [`${to} declined the directory entry of ${from}`, `An owner or admin of ${to} declined the offer.`],
    cancelled: [
      `${from} no longer offers its directory entry to ${to}`,
      `An owner or admin of ${from} canceled the offer.`,
    ],
    expired: [
      `The offer of the directory entry of ${from} expired`,
      `No one at ${to} accepted the offer before it expired.`,
    ],
  } as const;
  const [subject, text] = texts[outcome];
  return {
    subject,
    blocks: [
      `${text} The entry still belongs to ${from}.`,
      { facts: [...factsOf(content), ["When", formatEnglishMailTime(at, timeZone)]] },
      { button: { label: "Go to the directory page", href: pageUrl } },
    ],
  };
};
