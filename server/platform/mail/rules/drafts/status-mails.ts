import { type Draft, oneLine, paragraphs } from "../mail-body.ts";
import type { ContentOf } from "../mail-content.ts";
import { formatMailDayInUtc, formatMailTimeInUtc } from "../mail-dates.ts";

const alertWindows = {
  page_fast: "over the last hour and the last 5 minutes",
  page_slow: "over the last 6 hours and the last 30 minutes",
  ticket: "over the last 3 days and the last 6 hours",
} as const;

export const draftAlertMail = ({ componentName, rule, burnRate, at, statusUrl }: ContentOf<"status_alert">): Draft => {
  const facts = {
    facts: [
      ["Component", componentName],
      ["At", formatMailTimeInUtc(at)],
    ],
  } as const;
  const page = { button: { label: "Status page", href: statusUrl } };
  if (burnRate === null) {
    return {
      subject: `Resolved: ${componentName} no longer burns its error budget too fast`,
      blocks: ["This alert is resolved.", facts, page],
    };
  }
  const rate = burnRate.toFixed(1);
  return {
    subject: `${rule === "ticket" ? "Warning" : "Urgent"}: ${componentName} has an error budget burn rate of ${rate}`,
    blocks: [
      `The burn rate was ${rate} ${alertWindows[rule]}. At a burn rate of 1, the error budget lasts exactly a month.`,
      facts,
      page,
      "You will get another e-mail when this alert is resolved.",
    ],
  };
};

export const draftSubscriptionMail = ({ components, confirmUrl }: ContentOf<"status_confirm">): Draft => ({
  subject: "Confirm that you want status updates",
  blocks: [
    "Someone, probably you, requested updates about incidents and maintenance at Paygrant for this address.",
    { facts: [["Components", components.length > 0 ? components.join(", ") : "All"]] },
    { button: { label: "Confirm", href: confirmUrl } },
    "The link works for 24 hours. If it wasn’t you, ignore this e-mail. Without your confirmation, we send no updates to this address.",
  ],
});

export const draftStatusUpdateMail = (content: ContentOf<"status_update">): Draft => {
  const { stateName, title, text, components, at, updateUrl } = content;
  return {
    subject: `${stateName}: ${oneLine(title)}`,
    blocks: [
      // The title of an incident that affects every component is too long for a subject, so the mail repeats the title.
      ...(oneLine(title) === title ? [] : paragraphs(title)),
      ...paragraphs(text),
      {
        facts: [
          ["Components", components.join(", ") || "None"],
          ["Published", formatMailTimeInUtc(at)],
        ],
      },
      { button: { label: "Read it on the status page", href: updateUrl } },
    ],
  };
};

export const draftPostmortemMail = ({ title, dueOn, isOverdue, incidentUrl }: ContentOf<"postmortem_due">): Draft => {
  const incident = oneLine(title);
  return {
    subject: isOverdue ? `The postmortem of “${incident}” is overdue` : `A postmortem is due: “${incident}”`,
    blocks: [
      isOverdue
        ? "The postmortem of a critical incident is overdue. The status page shows this."
        : "A critical incident was resolved. Its postmortem isn’t published yet.",
      {
        facts: [
          ["Incident", incident],
          [isOverdue ? "Was due by the end of" : "Due by the end of", `${formatMailDayInUtc(dueOn)}, UTC`],
        ],
      },
      { button: { label: "Write it", href: incidentUrl } },
      "Every operator gets this reminder once per working day until the postmortem is published.",
    ],
  };
};
