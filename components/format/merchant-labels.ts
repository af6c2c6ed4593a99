import type { OperatorMerchant } from "#server/trpc/operator/operator-views.ts";
import type { Tone } from "../ui/pill.tsx";

/** What the list can be narrowed to. */
export const standings = { active: "Active", suspended: "Suspended" } as const;

export const isStanding = (text: string | undefined): text is keyof typeof standings =>
  text !== undefined && Object.hasOwn(standings, text);

export const merchantState = ({ suspendedAt }: Pick<OperatorMerchant, "suspendedAt">): { tone: Tone; label: string } =>
  suspendedAt === null ? { tone: "good", label: standings.active } : { tone: "bad", label: standings.suspended };

const acts: Readonly<Record<string, string>> = {
  "merchant.suspended": "Suspended",
  "merchant.resumed": "Suspension lifted",
  "merchant.category_changed": "Category changed",
};

export const merchantActName = (action: string): string => acts[action] ?? action;
