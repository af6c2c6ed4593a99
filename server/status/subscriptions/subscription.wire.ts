import { z } from "zod";
import { DomainError } from "../../kernel/errors.ts";
import { type ComponentKey, components } from "../rules/components.ts";

const keys = components.map(({ key }) => key) as [ComponentKey, ...ComponentKey[]];
const list = z.array(z.enum(keys)).max(keys.length).optional();
/** One checkbox per component, since a form parameter must not be repeated. */
const boxes = Object.fromEntries(keys.map((key) => [key, z.literal("on").optional()])) as Record<
  ComponentKey,
  z.ZodOptional<z.ZodLiteral<"on">>
>;
/** `all`: the selection is ignored. `selected`: the selection must not be empty. */
const which = z.enum(["all", "selected"]).optional();

export const subscriptionRequest = z.strictObject({
  kind: z.enum(["email", "webhook"]),
  address: z.string().min(1).max(2000),
  which,
  components: list,
  ...boxes,
});

export const subscriptionChange = z.strictObject({
  token: z.string().min(1).max(200),
  which,
  components: list,
  ...boxes,
});

export const subscriptionConfirmation = z.strictObject({ token: z.string().min(1).max(200) });

type Selection = { which?: "all" | "selected" | undefined; components?: ComponentKey[] | undefined } & {
  [Key in ComponentKey]?: "on" | undefined;
};

/**
 * @param offered components with a checkbox on the page.
 * @returns the selected components. Empty: all, including future ones. Without `which`, no component or all of them
 * means all.
 * @throws DomainError if `which` is `selected` and no component is selected
 */
export const selectedComponents = (selection: Selection, offered: readonly { key: ComponentKey }[]): ComponentKey[] => {
  if (selection.which === "all") return [];
  const named = keys.filter((key) => selection[key] === "on" || selection.components?.includes(key));
  if (selection.which === undefined) return offered.every(({ key }) => named.includes(key)) ? [] : named;
  if (named.length > 0) return named;
  throw new DomainError("invalid", {
    code: "invalid_request",
    message: "No component is selected. Select at least one, or choose all components.",
    errors: [{ pointer: "/components", detail: "must not be empty" }],
  });
};
