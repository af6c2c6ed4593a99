import { domainToASCII } from "node:url";
import { z } from "zod";
import { claimDomain, giveUpDomain } from "../../../directory/domains/claim-domain.ts";
import { verifyDomain } from "../../../directory/domains/verify-domain.ts";
import { findHealth } from "../../../directory/health/find-health.ts";
import { findMerchantEntry, getMerchantEntryId } from "../../../directory/merchant-entries/find-merchant-entry.ts";
import { setListing } from "../../../directory/merchant-entries/set-listing.ts";
import { editParticipant } from "../../../directory/participants/edit-participant.ts";
import { pageHistory } from "../../../directory/participants/find-participant.ts";
import { participantEditSchema } from "../../../directory/participants/participant.wire.ts";
import { isDomain } from "../../../directory/rules/domain.ts";
import { asciiAddress, isEntryAddress } from "../../../directory/rules/entry-address.ts";
import { emailAddressPattern } from "../../../kernel/text/email-address.ts";
import { createAgentToken, listAgentTokens, revokeAgentToken } from "../../../oauth/initial-tokens/agent-tokens.ts";
import { serverEntry } from "../../../oauth/server-entry.ts";
import { byMerchant, inputMerchant, memberProcedure, pageFields, router } from "../../init.ts";
import { toInitialToken } from "../app-views.ts";
import { newToken } from "../initial-token-fields.ts";
import { toMerchantEntry } from "./directory-views.ts";
import { type Caller, ownOf } from "./own-entry.ts";
import { readChargeLimits } from "./read-charge-limits.ts";

const versionsPerPage = 10;
const maxContacts = 5;

/** Empty: none. */
const address = z
  .string()
  .trim()
  .max(2000, "Use at most 2000 characters.")
  .transform((text, context) => {
    if (text === "") return null;
    if (isEntryAddress(text)) return asciiAddress(text);
    context.addIssue({ code: "custom", message: "Enter an https address, for example https://shop.example/." });
    return z.NEVER;
  });

/** One address per line, or separated by commas. */
const contacts = z
  .string()
  .max(2000, "Use at most 2000 characters.")
  .transform((text, context) => {
    const lines = [...new Set(text.split(/[\n,]/).map((line) => line.trim()))].filter((line) => line !== "");
    const isAddress = (line: string) => z.email({ pattern: emailAddressPattern }).safeParse(line).success;
    const wrong = lines.find((line) => !isAddress(line));
    const problem = lines.length > maxContacts ? `Enter at most ${maxContacts} addresses.` : null;
    if (wrong === undefined && problem === null) return lines;
    context.addIssue({ code: "custom", message: problem ?? `“${wrong}” isn’t an e-mail address.` });
    return z.NEVER;
  });

/** Addresses separated by spaces or line breaks. The schema of the directory entry checks each address. */
const metadataUris = z
  .string()
  .max(7000, "Use at most 7000 characters.")
  .transform((text, context) => {
    const lines = text.split(/\s+/).filter((line) => line !== "");
    const { data, error } = participantEditSchema.shape.metadata_documents.safeParse(lines);
    if (data) return [...new Set(data)].toSorted();
    const [issue] = error?.issues ?? [];
    const wrong = typeof issue?.path[0] === "number" ? `“${lines[issue.path[0]]}” ` : "The list ";
    context.addIssue({ code: "custom", message: `${wrong}${issue?.message ?? "can’t be read"}.` });
    return z.NEVER;
  });

/** Letters outside ASCII are converted (RFC 5891), as in a browser's address bar. */
const domain = z
  .string()
  .trim()
  .max(253, "Use at most 253 characters.")
  .transform((text) => domainToASCII(text.toLowerCase()))
  .refine(isDomain, "Enter a domain without https:// and path, for example shop.example.");

const byDomain = byMerchant.extend({ domain: z.string().max(253) });

const listingBy = ({ by: { actor, requestId }, merchantId }: Caller) => ({
  merchantId,
  accountId: actor.id,
  requestId,
});

/** The directory entry of a merchant (docs/spec/portal.md, Directory entry). */
export const merchantDirectoryRouter = router({
  /** Null before the merchant is approved. */
  entry: memberProcedure("directory.read", inputMerchant)
    .input(byMerchant)
    .query(async ({ ctx, input }) => {
      const entry = await findMerchantEntry(ctx.deps, { ...input, server: () => serverEntry(ctx.deps) });
      return entry && toMerchantEntry(entry);
    }),

  history: memberProcedure("directory.read", inputMerchant)
    .input(byMerchant.extend({ before: z.int().min(1).max(1_000_000_000).optional() }))
    .query(async ({ ctx, input }) => {
      const id = await getMerchantEntryId(ctx.deps, input);
      return pageHistory(ctx.deps, { id, before: input.before ?? null, limit: versionsPerPage });
    }),

  /** The published metadata, with its checks and changes. */
  health: memberProcedure("directory.read", inputMerchant)
    .input(byMerchant)
    .query(async ({ ctx, input }) => findHealth(ctx.deps, await getMerchantEntryId(ctx.deps, input))),

  /** Doesn't change the names: they are changed in the settings. */
  edit: memberProcedure("directory.change", inputMerchant)
    .input(
      byMerchant.extend({
        etag: z.string().max(100),
        websiteUri: address,
        logoUri: address,
        contacts,
        metadataUris,
        /** one currency and amount per line; absent: unchanged */
        maxChargeAmounts: z.string().max(2000, "Use at most 2000 characters.").optional(),
      }),
    )
    .mutation(async ({ ctx, input: { merchantId, etag, maxChargeAmounts, ...edit } }) => {
      const server = () => serverEntry(ctx.deps);
      const participantId = await getMerchantEntryId(ctx.deps, { merchantId });
      const entry = await findMerchantEntry(ctx.deps, { merchantId, server });
      const { display_name: displayName = "", legal_name: legalName = null, status } = entry?.participant ?? {};
      // `editParticipant` refuses the edit if the entry has changed since the form was loaded.
      const saved = await editParticipant(ctx.deps, {
        ...ownOf(participantId, ctx),
        edit: {
          ...edit,
          displayName,
          legalName,
          maxChargeAmounts:
            maxChargeAmounts === undefined
              ? (entry?.participant.capabilities.limits.max_charge_amounts ?? [])
              : readChargeLimits(maxChargeAmounts, ctx.locale),
          isWithdrawn: status === "withdrawn",
        },
        hasRead: (current) => current === etag && current === entry?.etag,
        server,
      });
      return { etag: saved.etag };
    }),

  withdraw: memberProcedure("directory.change", inputMerchant)
    .input(byMerchant)
    .mutation(async ({ ctx }) => {
      await setListing(ctx.deps, { ...listingBy(ctx), isListed: false });
      return { ok: true };
    }),

  listAgain: memberProcedure("directory.change", inputMerchant)
    .input(byMerchant)
    .mutation(async ({ ctx }) => {
      await setListing(ctx.deps, { ...listingBy(ctx), isListed: true });
      return { ok: true };
    }),

  claim: memberProcedure("directory.change", inputMerchant)
    .input(byMerchant.extend({ domain }))
    .mutation(async ({ ctx, input }) => {
      const own = ownOf(await getMerchantEntryId(ctx.deps, input), ctx);
      const { isNew } = await claimDomain(ctx.deps, { ...own, domain: input.domain });
      return { domain: input.domain, isNew };
    }),

  check: memberProcedure("directory.change", inputMerchant)
    .input(byDomain)
    .mutation(async ({ ctx, input }) => {
      const own = ownOf(await getMerchantEntryId(ctx.deps, input), ctx);
      const { verifiedAt } = await verifyDomain(ctx.deps, { ...own, domain: input.domain });
      return { verifiedAt: verifiedAt.toISOString() };
    }),

  remove: memberProcedure("directory.change", inputMerchant)
    .input(byDomain)
    .mutation(async ({ ctx, input }) => {
      const own = ownOf(await getMerchantEntryId(ctx.deps, input), ctx);
      await giveUpDomain(ctx.deps, { ...own, domain: input.domain });
      return { ok: true };
    }),

  /** The initial access tokens for agents. */
  tokens: memberProcedure("directory.read", inputMerchant)
    .input(byMerchant.extend(pageFields()))
    .query(async ({ ctx, input: { merchantId, startingAfter, limit } }) => {
      const own = ownOf(await getMerchantEntryId(ctx.deps, { merchantId }), ctx);
      const page = { limit, startingAfter: startingAfter ?? null, endingBefore: null };
      const { tokens, hasMore } = await listAgentTokens(ctx.deps, { ...own, ...page });
      const now = ctx.deps.clock.now();
      return { tokens: tokens.map((token) => toInitialToken(token, now)), hasMore };
    }),

  /** Only this answer contains the token. */
  createToken: memberProcedure("initial_token.create", inputMerchant)
    .input(byMerchant.extend(newToken.shape))
    .mutation(async ({ ctx, input: { merchantId, ...options } }) => {
      const own = ownOf(await getMerchantEntryId(ctx.deps, { merchantId }), ctx);
      const { token, expiresAt } = await createAgentToken(ctx.deps, { ...own, options });
      return { token, expiresAt: expiresAt.toISOString() };
    }),

  revokeToken: memberProcedure("directory.change", inputMerchant)
    .input(byMerchant.extend({ tokenId: z.string().max(64) }))
    .mutation(async ({ ctx, input: { merchantId, tokenId } }) => {
      const own = ownOf(await getMerchantEntryId(ctx.deps, { merchantId }), ctx);
      await revokeAgentToken(ctx.deps, { ...own, tokenId });
      return { ok: true };
    }),
});
