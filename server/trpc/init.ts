import { initTRPC, TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import type { OpenApiMeta } from "trpc-to-openapi";
import { z } from "zod";
import { assertSameOrigin } from "../accounts/assert-same-origin.ts";
import { type AccessAction, authorize, type Decision, type MerchantAction } from "../accounts/authorize.ts";
import { findMemberRole } from "../accounts/memberships.ts";
import { secondFactorRefusal } from "../accounts/second-factor/second-factor-refusal.ts";
import type { SessionContext } from "../accounts/sessions/find-session.ts";
import { staleProofRefusal } from "../accounts/sessions/require-recent-proof.ts";
import { findUnavailableError } from "../contract/database-unavailable.ts";
import type { Deps, RequestInfo } from "../deps/deps.ts";
import { type DomainError, type DomainErrorKind, isDomainError } from "../kernel/errors.ts";
import { assertPageAccount } from "../kernel/requests/page-account.ts";
import { holdsText } from "../kernel/text/text.ts";
import type { TrpcContext } from "./context.ts";
import { issueMessage, issueText } from "./issue-text.ts";

/** Every procedure names one action, which `authorize` allows or refuses. */
type ProcedureMeta = OpenApiMeta & { action?: AccessAction };

/** RFC 6901. */
const pointerTo = (path: readonly PropertyKey[]): string =>
  path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

const t = initTRPC
  .context<TrpcContext>()
  .meta<ProcedureMeta>()
  .create({
    // A proxy may close a connection that is idle for a minute. The wallet's pages reconnect (components/portal/live).
    sse: { ping: { enabled: true, intervalMs: 15_000 } },
    errorFormatter({ shape, error, ctx }) {
      const cause = isDomainError(error.cause) ? error.cause : null;
      const issues = error.cause instanceof z.ZodError ? error.cause.issues : [];
      const { stack: _stack, ...data } = shape.data;
      return {
        ...shape,
        message: issues.length > 0 ? issues.map(issueMessage).join(" ") : shape.message,
        data: {
          ...data,
          reason: cause?.code ?? null,
          values: cause ? textValues(cause.members) : {},
          fields:
            cause?.errors ?? issues.map((issue) => ({ pointer: pointerTo(issue.path), detail: issueText(issue) })),
          requestId: ctx?.info.requestId ?? null,
        },
      };
    },
  });

export const { router, createCallerFactory } = t;

/** The members of an error that its translated text can contain: texts and lists of texts. */
const textValues = (members: DomainError["members"]): Readonly<Record<string, string | readonly string[]>> =>
  Object.fromEntries(
    Object.entries(members).filter((member): member is [string, string | string[]] => {
      const [, value] = member;
      return typeof value === "string" || (Array.isArray(value) && value.every((one) => typeof one === "string"));
    }),
  );

const trpcCodes: Readonly<Record<DomainErrorKind, TRPCError["code"]>> = {
  invalid: "BAD_REQUEST",
  unauthenticated: "UNAUTHORIZED",
  payment_failed: "PAYMENT_REQUIRED",
  forbidden: "FORBIDDEN",
  not_found: "NOT_FOUND",
  conflict: "CONFLICT",
  unprocessable: "UNPROCESSABLE_CONTENT",
  rate_limited: "TOO_MANY_REQUESTS",
  unavailable: "SERVICE_UNAVAILABLE",
};

const toTrpcError = (error: DomainError): TRPCError =>
  new TRPCError({ code: trpcCodes[error.kind], message: error.message, cause: error });

type Failing = { deps: Pick<Deps, "log">; info: RequestInfo; procedure: string | null };

/** A domain error keeps its message. An unexpected error is logged in full, and the answer shows no details. */
export const translateError = (error: TRPCError, { deps, info: { requestId }, procedure }: Failing): TRPCError => {
  if (isDomainError(error.cause)) return toTrpcError(error.cause);
  const unavailable = findUnavailableError(error.cause);
  if (unavailable) return toTrpcError(unavailable);
  if (error.code !== "INTERNAL_SERVER_ERROR") return error;
  deps.log.error({ requestId, procedure, err: error.cause ?? error }, "fault");
  return new TRPCError({
    code: "INTERNAL_SERVER_ERROR",
    message: `An unexpected error occurred on our side. Try again. If it persists, report the request ID ${requestId}.`,
  });
};

const translateErrors = t.middleware(async ({ ctx, path, next }) => {
  const result = await next();
  if (!result.ok) throw translateError(result.error, { ...ctx, procedure: path });
  return result;
});

/** Runs for existing procedures only, so that callers can't create metric names. */
const observeCall = t.middleware(async ({ ctx, path, next }) => {
  const startedAt = performance.now();
  const result = await next();
  const milliseconds = performance.now() - startedAt;
  ctx.observe?.({ path, status: result.ok ? 200 : getHTTPStatusCodeFromError(result.error), milliseconds });
  return result;
});

/**
 * A forged request contains the session cookie too, so a mutation must come from one of our pages. The page must show
 * the account of the session.
 */
const guardOrigin = t.middleware(({ ctx, type, next }) => {
  if (type === "mutation") {
    assertSameOrigin(ctx.headers, ctx.deps.config);
    assertPageAccount(ctx.headers, ctx.session?.account.id ?? null);
  }
  return next();
});

/** Runs before the input is used in any look-up. */
const guardText = t.middleware(async ({ getRawInput, next }) => {
  if (holdsText(await getRawInput())) return next();
  throw new TRPCError({ code: "BAD_REQUEST", message: "The input contains text with NUL or an unpaired surrogate." });
});

type Refusal = { code: TRPCError["code"]; message: string; cause?: DomainError };

const refusals: Readonly<Record<Exclude<Decision, "allow">, Refusal>> = {
  sign_in: { code: "UNAUTHORIZED", message: "Sign in first." },
  not_found: { code: "NOT_FOUND", message: "Not found." },
  forbidden: { code: "FORBIDDEN", message: "You don’t have permission to do this." },
  second_factor: { code: "FORBIDDEN", message: secondFactorRefusal().message, cause: secondFactorRefusal() },
  authenticate_again: { code: "FORBIDDEN", message: staleProofRefusal().message, cause: staleProofRefusal() },
};

const assertAllowed = (decision: Decision): void => {
  if (decision !== "allow") throw new TRPCError(refusals[decision]);
};

const base = t.procedure.use(observeCall).use(translateErrors).use(guardOrigin).use(guardText);

/**
 * For an action that doesn't apply to one existing object, such as a list or a creation. The actor, `ctx.account`, last
 * authenticated at `ctx.authTime`.
 */
export const accountProcedure = (action: AccessAction) =>
  base.meta({ action }).use(({ ctx, next }) => {
    assertAllowed(authorize(ctx.actor, action, { kind: "none" }));
    return next({ ctx: sessionOf(ctx) });
  });

/** Reads or changes one object of any owner, by its id. An account that isn't an operator gets `NOT_FOUND`. */
export const operatorProcedure = (action: AccessAction) =>
  base.meta({ action }).use(({ ctx, next }) => {
    assertAllowed(authorize(ctx.actor, action, { kind: "any" }));
    return next({ ctx: sessionOf(ctx) });
  });

/**
 * For lists and charts on which no decision depends. Permissions were already checked on the primary. After a change in
 * a browser, the reads of this browser use the primary for some time.
 */
export const readsReplica = t.middleware(({ ctx, next }) => next({ ctx: { deps: ctx.readingDeps() } }));

type FindByInput = (deps: TrpcContext["deps"], input: unknown) => Promise<string | null>;

/**
 * Finds the owner or the merchant of the object that an input names.
 * @returns null for an input without these fields, and for an unknown object.
 */
export const ofInput =
  <Fields>(
    fields: z.ZodType<Fields>,
    find: (deps: TrpcContext["deps"], input: Fields) => Promise<string | null>,
  ): FindByInput =>
  async (deps, input) => {
    const parsed = fields.safeParse(input);
    return parsed.success ? find(deps, parsed.data) : null;
  };

/** One object by its id. @param findOwner returns the owner's account id, null for an unknown object. */
export const ownedProcedure = (action: AccessAction, findOwner: FindByInput) =>
  base.meta({ action }).use(async ({ ctx, getRawInput, next }) => {
    // A visitor is asked to sign in before any lookup.
    const ownerId = ctx.actor.kind === "visitor" ? null : await findOwner(ctx.deps, await getRawInput());
    assertAllowed(authorize(ctx.actor, action, { kind: "owned", ownerId }));
    return next({ ctx: sessionOf(ctx) });
  });

export const byMerchant = z.object({ merchantId: z.string().max(64) });

/** The input of a list: at most `limit` rows, after the row whose id is `startingAfter`. */
export const pageFields = (defaultLimit = 25) => ({
  startingAfter: z.string().max(64).optional(),
  limit: z.int().min(1).max(100).default(defaultLimit),
});

/** The `findMerchant` of procedures whose input names the merchant. */
export const inputMerchant = ofInput(byMerchant, async (_deps, { merchantId }) => merchantId);

/** A merchant, or one of its objects. @param findMerchant returns the merchant's id, null for an unknown object. */
export const memberProcedure = (action: MerchantAction, findMerchant: FindByInput) =>
  base.meta({ action }).use(async ({ ctx, getRawInput, next }) => {
    const { actor, deps, info } = ctx;
    const owner = actor.kind === "visitor" ? null : await findMerchant(deps, await getRawInput());
    const merchantId = ctx.onlyMerchantId === null || ctx.onlyMerchantId === owner ? owner : null;
    const role =
      actor.kind === "visitor" || merchantId === null
        ? null
        : await findMemberRole(deps, { accountId: actor.id, merchantId });
    assertAllowed(authorize(actor, action, { kind: "merchant", role }));
    if (merchantId === null) throw new TRPCError(refusals.not_found);
    const by = { actor: { kind: "merchant" as const, id: sessionOf(ctx).account.id }, requestId: info.requestId };
    const { timeZone, locale } = sessionOf(ctx).account;
    return next({ ctx: { merchantId, by, timeZone, locale } });
  });

const sessionOf = (ctx: TrpcContext): SessionContext => {
  if (!ctx.session) throw new TRPCError(refusals.sign_in);
  return ctx.session;
};
