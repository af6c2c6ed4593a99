import { z } from "zod";
import { saveLogo } from "../../../merchants/logo/save-logo.ts";
import { readColor } from "../../../merchants/rules/color.ts";
import { statementDescriptorProblem } from "../../../merchants/rules/merchant-texts.ts";
import { changeSettings } from "../../../merchants/settings/change-settings.ts";
import { getSettings } from "../../../merchants/settings/get-settings.ts";
import { byMerchant, inputMerchant, memberProcedure, router } from "../../init.ts";
import { merchantDetails } from "../merchant-fields.ts";
import { toSettings } from "./settings-views.ts";

/** The version of the values with which the form was loaded. */
const version = z.string().length(43);

/** Empty: the processor's default. */
const descriptor = z
  .string()
  .trim()
  .max(1_000)
  .transform((text, context) => {
    if (text === "") return null;
    const problem = statementDescriptorProblem(text);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
    return text;
  });

/** Empty: no color. */
const color = z
  .string()
  .trim()
  .max(20)
  .transform((text, context) => {
    const value = text === "" ? null : readColor(text);
    if (text === "" || value !== null) return value;
    context.addIssue({ code: "custom", message: "Enter a color in the form #1a7f37." });
    return z.NEVER;
  });

const replaces = z.string().max(64).nullable();

/** Settings of a merchant (docs/spec/portal.md, Settings). */
export const settingsRouter = router({
  read: memberProcedure("settings.read", inputMerchant)
    .input(byMerchant)
    .query(async ({ ctx, input }) => toSettings(input.merchantId, await getSettings(ctx.deps, input))),

  /** A field that is absent keeps its value. */
  saveDetails: memberProcedure("settings.change", inputMerchant)
    .input(byMerchant.extend({ version, ...merchantDetails.partial().shape }))
    .mutation(({ ctx, input: { merchantId, version: loaded, ...change } }) =>
      changeSettings(ctx.deps, { merchantId, form: "details", change, version: loaded, ...ctx.by }),
    ),

  saveDescriptor: memberProcedure("settings.change", inputMerchant)
    .input(byMerchant.extend({ version, statementDescriptor: descriptor }))
    .mutation(({ ctx, input: { merchantId, version: loaded, ...change } }) =>
      changeSettings(ctx.deps, { merchantId, form: "descriptor", change, version: loaded, ...ctx.by }),
    ),

  saveColor: memberProcedure("settings.change", inputMerchant)
    .input(byMerchant.extend({ version, accentColor: color }))
    .mutation(({ ctx, input: { merchantId, version: loaded, ...change } }) =>
      changeSettings(ctx.deps, { merchantId, form: "color", change, version: loaded, ...ctx.by }),
    ),

  /** `replaces`: hash of the logo that the page showed. */
  saveLogo: memberProcedure("settings.change", inputMerchant)
    .input(byMerchant.extend({ content: z.base64().max(65_000), replaces }))
    .mutation(({ ctx, input: { content, ...input } }) =>
      saveLogo(ctx.deps, { ...input, content: Buffer.from(content, "base64"), ...ctx.by }),
    ),

  removeLogo: memberProcedure("settings.change", inputMerchant)
    .input(byMerchant.extend({ replaces }))
    .mutation(({ ctx, input }) => saveLogo(ctx.deps, { ...input, content: null, ...ctx.by })),
});
