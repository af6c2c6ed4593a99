import type { OperatorMerchant } from "#server/trpc/operator/operator-views.ts";
import type { Tone } from "../../ui/pill.tsx";

/** The filters of the list. */
export const merchantStates = { active: "Active", suspended: "Suspended" } as const;

export const isMerchantState = (text: string | undefined): text is keyof typeof merchantStates =>
  text !== undefined && Object.hasOwn(merchantStates, text);

export const merchantStateLabel = ({
  suspendedAt,
}: Pick<OperatorMerchant, "suspendedAt">): { tone: Tone; label: string } =>
  suspendedAt === null
    ? { tone: "good", label: merchantStates.active }
    : { tone: "bad", label: merchantStates.suspended };

const acts: Readonly<Record<string, string>> = {
  "merchant.suspended": "Suspended",
  "merchant.resumed": "Suspension lifted",
  "merchant.category_changed": "Category changed",
};

export const merchantActionLabel = (action: string): string => acts[action] ?? action;
