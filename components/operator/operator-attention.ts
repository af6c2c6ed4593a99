import type { AttentionItem } from "../portal/attention.tsx";

type Found = {
  chargesUnderReview: number;
  contradictions: number;
  mailGivenUp: number;
  mailWaiting: number;
  incidentDrafts: number;
  failingJobs: readonly string[];
};

const counted = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`);

/** What an operator would want to know first: what is stuck, and where to see it. */
export const operatorAttention = ({
  chargesUnderReview,
  contradictions,
  mailGivenUp,
  mailWaiting,
  incidentDrafts,
  failingJobs,
}: Found): AttentionItem[] => [
  ...(incidentDrafts > 0
    ? [
        {
          key: "incident-drafts",
          title: `${counted(incidentDrafts, "incident waits", "incidents wait")} for your word`,
          text: "Probes opened a draft. Nobody is told until you confirm it; dismiss what is none.",
          href: "/operator/incidents",
          verb: "See incidents",
        },
      ]
    : []),
  ...(chargesUnderReview > 0
    ? [
        {
          key: "charges-under-review",
          title: `${counted(chargesUnderReview, "charge has an outcome", "charges have outcomes")} that nobody could tell`,
          text: "Their amounts stay held until you settle them by what you find at the processor.",
          href: "/operator/charges",
          verb: "See charges",
        },
      ]
    : []),
  ...(contradictions > 0
    ? [
        {
          key: "contradictions",
          title: `${counted(contradictions, "charge is", "charges are")} contradicted by the processor`,
          text: "It says of money what the books can’t follow. Look into it, and say what came of it.",
          href: "/operator/charges",
          verb: "See charges",
        },
      ]
    : []),
  ...(mailGivenUp > 0
    ? [
        {
          key: "mail-given-up",
          title: `${counted(mailGivenUp, "mail was", "mails were")} given up`,
          text: "In the last seven days. Each says why; its recipient was told nothing.",
          href: "/operator/outbox?state=failed",
          verb: "See mail",
        },
      ]
    : []),
  ...(mailWaiting > 0
    ? [
        {
          key: "mail-waiting",
          title: `${counted(mailWaiting, "mail waits", "mails wait")} to be tried again`,
          text: "The mail server did not take it. It is tried for two days.",
          href: "/operator/outbox?state=pending",
          verb: "See mail",
        },
      ]
    : []),
  ...failingJobs.map((name) => ({
    key: `job-${name}`,
    title: `The job ${name} fails`,
    text: "Its last run failed. It is tried again by itself; Jobs says why.",
    href: "/operator/jobs",
    verb: "See jobs",
  })),
];
