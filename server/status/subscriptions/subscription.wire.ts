import { z } from "zod";
import { type ComponentKey, components } from "../rules/components.ts";

const keys = components.map(({ key }) => key) as [ComponentKey, ...ComponentKey[]];
const list = z.array(z.enum(keys)).max(keys.length).optional();
/** A checkbox of a form for each, since a form's parameter may not repeat. */
const boxes = Object.fromEntries(keys.map((key) => [key, z.literal("on").optional()])) as Record<
  ComponentKey,
  z.ZodOptional<z.ZodLiteral<"on">>
>;

export const subscriptionRequest = z.strictObject({
  kind: z.enum(["email", "webhook"]),
  address: z.string().min(1).max(2000),
  components: list,
  ...boxes,
});

export const subscriptionChange = z.strictObject({ token: z.string().min(1).max(200), components: list, ...boxes });

export const subscriptionConfirmation = z.strictObject({ token: z.string().min(1).max(200) });

/**
 * As a list or as boxes; every component is what no choice means, so it is kept as none. @param offered what the page has
 * boxes for: all of them ticked is every component.
 */
export const selectedComponents = (
  chosen: { components?: ComponentKey[] | undefined } & { [Key in ComponentKey]?: "on" | undefined },
  offered: readonly { key: ComponentKey }[],
): ComponentKey[] => {
  const named = keys.filter((key) => chosen[key] === "on" || chosen.components?.includes(key));
  return offered.every(({ key }) => named.includes(key)) ? [] : named;
};
