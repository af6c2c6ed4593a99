import { z } from "zod";
import { type ComponentKey, components } from "../rules/components.ts";

const keys = components.map(({ key }) => key) as [ComponentKey, ...ComponentKey[]];
const list = z.array(z.enum(keys)).max(keys.length).optional();
/** One checkbox per component, since a form parameter must not be repeated. */
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
 * @param offered components with a checkbox on the page. @returns the selected components; empty if all are selected.
 */
export const selectedComponents = (
  selected: { components?: ComponentKey[] | undefined } & { [Key in ComponentKey]?: "on" | undefined },
  offered: readonly { key: ComponentKey }[],
): ComponentKey[] => {
  const named = keys.filter((key) => selected[key] === "on" || selected.components?.includes(key));
  return offered.every(({ key }) => named.includes(key)) ? [] : named;
};
