import { z } from "zod";
import type { Deps } from "../../deps/deps.ts";
import { components } from "../rules/components.ts";

const context = "status_subscription_draft";

const draftSchema = z.object({ kind: z.enum(["email", "webhook"]), address: z.string().max(2000) });

/** The values of a form that was refused. */
export type SubscriptionDraft = z.output<typeof draftSchema> & {
  /** the keys of the selected components */
  components: string[];
};

/** The page of the form with its values, encrypted: an e-mail address must not be readable in logs and histories. */
export const subscribePage = ({ sealer }: Pick<Deps, "sealer">, body: unknown): string => {
  const entered = draftSchema.safeParse(body).data;
  if (!entered) return "/status/subscribe";
  const boxes = body as Readonly<Record<string, unknown>>;
  const draft: SubscriptionDraft = {
    ...entered,
    components: components.map(({ key }) => key).filter((key) => boxes[key] === "on"),
  };
  return `/status/subscribe?${new URLSearchParams({ draft: sealer.seal(JSON.stringify(draft), context) })}`;
};

/** @returns null for a text that `subscribePage` didn't seal. */
export const openSubscriptionDraft = (
  { sealer }: Pick<Deps, "sealer">,
  sealed: string | null,
): SubscriptionDraft | null => {
  if (sealed === null) return null;
  try {
    return JSON.parse(sealer.open(sealed, context)) as SubscriptionDraft;
  } catch {
    return null;
  }
};
