import { z } from "zod";
import { assertSameOrigin } from "../../accounts/assert-same-origin.ts";
import { findSession } from "../../accounts/sessions/find-session.ts";
import { defineEndpoint, type FormFields, type RawReply } from "../../contract/endpoint.ts";
import { type DomainError, isDomainError } from "../../kernel/errors.ts";
import { hashForm } from "../../oauth/consent/consent-answer.ts";
import { keepDraft } from "../../oauth/consent/consent-draft.ts";
import { decideConsent } from "../../oauth/consent/decide-consent.ts";
import { loadConsentRequest } from "../../oauth/consent/load-consent-request.ts";
import { readNarrowings } from "../../oauth/consent/read-narrowings.ts";

const body = z.looseObject({
  form_token: z.string().default(""),
  decision: z.enum(["approve", "decline"]),
  payment_method_id: z.string().max(64).optional(),
  budget_visible: z.literal("on").optional(),
});

/** The payer's decision: a same-origin form whose token binds session, payer, request and text. */
export const consentDecisionEndpoint = defineEndpoint({
  method: "POST",
  path: "/consent/{handle}/decision",
  operationId: "decideConsent",
  summary: "Approve or decline an authorization request, sent by the consent page",
  tag: "Wallet",
  standards: ["RFC 6749 §4.1.2", "RFC 9207"],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "page",
  errorCodes: ["403"],
  request: {
    content: "form",
    // The form token holds the page's text: 16 KiB of details can name 400 merchants.
    maxBytes: 256 * 1024,
    body,
    params: z.object({ handle: z.string().max(64) }),
    example: { form_token: "…", decision: "approve", payment_method_id: "pm_…" },
  },
  responses: {
    303: {
      description:
        "Redirects to the client’s redirect_uri with code or error, state and iss. If the same session sends the same form again while the code is unused and valid, it gets the same redirect. If the form has an error, redirects back to the consent page, which shows the error and the entered values",
    },
  },
  async handle({ deps, info, request }, { body: form, params }): Promise<RawReply> {
    assertSameOrigin(request.headers, deps.config);
    const page = `${deps.config.walletUrl}/consent/${encodeURIComponent(params.handle)}`;
    const session = await findSession(deps, request.headers.get("cookie"));
    const { handle } = params;
    const consent = await loadConsentRequest(deps, { handle, session });
    // Input is kept on every failure, so that the page shows it again.
    const saveInput = async () => {
      if (session) await keepDraft(deps, { handle, session, form });
    };
    try {
      const outcome = await decideConsent(deps, {
        handle,
        consent,
        formToken: form.form_token,
        formHash: hashForm(form),
        session,
        info,
        decision: {
          decision: form.decision,
          paymentMethodId: form.payment_method_id ?? null,
          narrowings:
            form.decision === "approve" && session && consent.kind === "ready"
              ? readNarrowings(consent.request.details, { form: form as FormFields, locale: session.account.locale })
              : [],
          budgetVisible: form.budget_visible === "on",
        },
      });
      if (outcome.kind === "redirect") return seeOther(outcome.location);
      await saveInput();
      const query = new URLSearchParams({ return_to: `/consent/${params.handle}`, again: "1" });
      return seeOther(`${deps.config.walletUrl}/sign-in?${query}`);
    } catch (error) {
      if (!isDomainError(error)) throw error;
      await saveInput();
      return seeOther(`${page}?${problemQuery(error)}`);
    }
  },
});

const problemQuery = (error: DomainError): URLSearchParams => {
  const field = error.errors[0]?.pointer;
  return new URLSearchParams({ error: error.code, ...(field ? { field } : {}) });
};

/** Never 307 or 308: the form, token included, must not be sent on (RFC 9700 §4.12). */
const seeOther = (location: string): RawReply => ({
  status: 303,
  headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
});
