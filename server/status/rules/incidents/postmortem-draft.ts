type Written = { summary: string; timeline: string; causes: string; actions: readonly unknown[] };

type Part = keyof Written;

/** What a postmortem still lacks before it can be published (docs/spec/status.md, Postmortems). */
export const missingParts = (written: Written): Part[] => [
  ...(["summary", "timeline", "causes"] as const).filter((part) => written[part].trim() === ""),
  ...(written.actions.length === 0 ? (["actions"] as const) : []),
];
