import { z } from "zod";
import { invoiceSchema } from "../../invoices/invoice.wire.ts";
import type { ChangePreview } from "./preview-invoices.ts";

export const previewSchema = z.object({
  as_of: z.string(),
  hash: z
    .string()
    .describe("Covers plan, effective, the planned end and the invoices. Send it in If-Match to make the change"),
  forecast: z.literal(false).describe("The invoices have only the usage so far"),
  due_now: invoiceSchema.nullable(),
  next: invoiceSchema,
});

export const toPreviewObject = ({ asOf, hash, dueNow, next }: ChangePreview): z.infer<typeof previewSchema> => ({
  as_of: asOf.toISOString(),
  hash,
  forecast: false,
  due_now: dueNow,
  next,
});
