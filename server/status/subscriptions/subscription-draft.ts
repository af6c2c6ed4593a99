import { z } from "zod";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { components } from "../rules/components.ts";

const context = "status_subscription_draft";
const draftSeconds = 300;

const draftSchema = z.object({ kind: z.enum(["email", "webhook"]), address: z.string().max(2000) });

/** The values of a form that was refused. */
export type SubscriptionDraft = z.output<typeof draftSchema> & {
  /** the keys of the selected components; null: all components */
  components: string[] | null;
};

type Sealed = { draft: SubscriptionDraft; expiresAt: number };

/**
 * The URL of the form's page. It contains the entered values, encrypted, because logs and browser histories keep URLs
 * and must not reveal an e-mail address. The values expire, so that a URL from a log or history doesn't show them
 * later.
 */
export const subscribePage = ({ sealer, clock }: Pick<Deps, "sealer" | "clock">, body: unknown): string => {
  const entered = draftSchema.safeParse(body).data;
  if (!entered) return "/status/subscribe";
  const fields = body as Readonly<Record<string, unknown>>;
  const selected = components.map(({ key }) => key).filter((key) => fields[key] === "on");
  const isSelection = fields["which"] === "selected" || (fields["which"] === undefined && selected.length > 0);
  const draft: SubscriptionDraft = { ...entered, components: isSelection ? selected : null };
  const sealed: Sealed = { draft, expiresAt: addSeconds(clock.now(), draftSeconds).getTime() };
  return `/status/subscribe?${new URLSearchParams({ draft: sealer.seal(JSON.stringify(sealed), context) })}`;
};

/** @returns null for a text that expired or that `subscribePage` didn't seal. */
export const openSubscriptionDraft = (
  { sealer, clock }: Pick<Deps, "sealer" | "clock">,
  sealed: string | null,
): SubscriptionDraft | null => {
  if (sealed === null) return null;
  try {
    const { draft, expiresAt } = JSON.parse(sealer.open(sealed, context)) as Sealed;
    return clock.now().getTime() < expiresAt ? draft : null;
  } catch {
    return null;
  }
};
