import { type Draft, oneLine } from "../mail-body.ts";
import type { ContentOf } from "../mail-content.ts";
import { formatEnglishMailTime } from "../mail-dates.ts";

const draftJoinedMail = (content: ContentOf<"team_joined">): Draft => {
  const [merchant, member] = [oneLine(content.merchantName), oneLine(content.memberName)];
  return {
    subject: `${member} joined the team of ${merchant}`,
    blocks: [
      `${member} accepted an invitation and has access to the merchant dashboard.`,
      {
        facts: [
          ["Merchant", merchant],
          ["Member", `${member}, ${oneLine(content.memberEmail)}`],
          ["Role", content.role],
          ["When", formatEnglishMailTime(content.at, content.timeZone)],
        ],
      },
      { button: { label: "See the team", href: content.teamUrl } },
    ],
  };
};

const draftTeamChangeMail = (content: ContentOf<"team_role_changed" | "team_removed">): Draft => {
  const merchant = oneLine(content.merchantName);
  const when = ["When", formatEnglishMailTime(content.at, content.timeZone)] as const;
  if (content.role === null) {
    return {
      subject: `You are no longer in the team of ${merchant}`,
      blocks: [
        "A member of the team removed you. You no longer have access.",
        { facts: [["Merchant", merchant], when] },
      ],
    };
  }
  return {
    subject: `Your role at ${merchant} changed`,
    blocks: [
      `Your role is now ${content.role}.`,
      { facts: [["Merchant", merchant], ["Role", content.role], when] },
      { button: { label: "Go to the dashboard", href: content.dashboardUrl } },
    ],
  };
};

const draftTransferMail = (content: ContentOf<"ownership_transferred">): Draft => {
  const merchant = oneLine(content.merchantName);
  return {
    subject: `${merchant} has a new owner`,
    blocks: [
      `${oneLine(content.oldOwnerName)} transferred the ownership of ${merchant} to ${oneLine(content.newOwnerName)}.`,
      {
        facts: [
          ["Merchant", merchant],
          ["New owner", oneLine(content.newOwnerName)],
          ["When", formatEnglishMailTime(content.at, content.timeZone)],
        ],
      },
      { button: { label: "See the team", href: content.teamUrl } },
      "If you didn’t expect this, contact us.",
    ],
  };
};

type TeamMailKind = "team_joined" | "team_role_changed" | "team_removed" | "ownership_transferred";

export const draftTeamMail = (content: ContentOf<TeamMailKind>): Draft => {
  switch (content.kind) {
    case "team_joined":
      return draftJoinedMail(content);
    case "team_role_changed":
    case "team_removed":
      return draftTeamChangeMail(content);
    case "ownership_transferred":
      return draftTransferMail(content);
  }
};
