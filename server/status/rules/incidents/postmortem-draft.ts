type PostmortemDraft = { summary: string; timeline: string; causes: string; actions: readonly unknown[] };

type Part = keyof PostmortemDraft;

/** Parts that a postmortem needs before it can be published (docs/spec/status.md, Postmortems). */
export const missingParts = (draft: PostmortemDraft): Part[] => [
  ...(["summary", "timeline", "causes"] as const).filter((part) => draft[part].trim() === ""),
  ...(draft.actions.length === 0 ? (["actions"] as const) : []),
];
