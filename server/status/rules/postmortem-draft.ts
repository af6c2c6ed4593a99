type Written = { summary: string; timeline: string; causes: string; actions: readonly unknown[] };

type Part = "summary" | "timeline" | "causes";

/** What a postmortem still lacks before it can be published (5-status, Postmortem). */
export const missingParts = (written: Written): Part[] =>
  (["summary", "timeline", "causes"] as const).filter((part) => written[part].trim() === "");
