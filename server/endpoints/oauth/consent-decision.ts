import { z } from "zod";
import { assertSameOrigin } from "../../accounts/assert-same-origin.ts";
import { findSession } from "../../accounts/sessions/find-session.ts";
import { defineEndpoint, type FormFields, type RawReply } from "../../contract/endpoint.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { hashForm } from "../../oauth/consent/consent-answer.ts";
import { keepDraft } from "../../oauth/consent/consent-draft.ts";
import { findFormPayer } from "../../oauth/consent/consent-form.ts";
import { decideConsent } from "../../oauth/consent/decide-consent.ts";
import { loadConsentRequest } from "../../oauth/consent/load-consent-request.ts";
import { readNarrowings } from "../../oauth/consent/read-narrowings.ts";
import { consentFormContract, consentFormRequest, seeOther, toConsentPage, toSignInAgain } from "./consent-form.ts";

const body = z.looseObject({
  form_token: z.string().default(""),
  decision: z.enum(["approve", "decline"]),
  payment_method_id: z.string().max(64).optional(),
  budget_visible: z.literal("on").optional(),
});

/** The payer's decision: sent by a same-origin form, with a token for exactly this session, payer, request and text. */
export const consentDecisionEndpoint = defineEndpoint({
  ...consentFormContract,
  path: "/consent/{handle}/decision",
  operationId: "decideConsent",
  summary: "Approve or decline an authorization request (form of the consent page)",
  standards: ["RFC 6749 §4.1.2", "RFC 9207"],
  request: {
    ...consentFormRequest,
    body,
    example: { form_token: "…", decision: "approve", payment_method_id: "pm_…" },
  },
  responses: {
    303: {
      description:
        "Redirects to the client’s redirect_uri with code or error, state and iss. If the same session sends the same form again while the code is unused and valid, it gets the same redirect. If the form has an error, redirects back to the consent page, which shows the error and the entered values",
    },
  },
  async handle({ deps, info, request }, { body: form, params: { handle } }): Promise<RawReply> {
    assertSameOrigin(request.headers, deps.config);
    const session = await findSession(deps, request.headers.get("cookie"));
    const consent = await loadConsentRequest(deps, { handle, session });
    // The entered values are stored on every failure, so that the page can show them again. If the session has ended,
    // the same payer sees them after signing in.
    const saveInput = async () => {
      const payerId = session?.account.id ?? findFormPayer(deps, { formToken: form.form_token, handle });
      if (payerId !== null) await keepDraft(deps, { handle, payerId, form });
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
              ? readNarrowings(consent.request.details, {
                  form: form as FormFields,
                  locale: session.account.locale,
                  timeZone: session.account.timeZone,
                })
              : [],
          budgetVisible: form.budget_visible === "on",
        },
      });
      if (outcome.kind === "redirect") return seeOther(outcome.location);
      await saveInput();
      return toSignInAgain(deps.config, handle);
    } catch (error) {
      if (!isDomainError(error)) throw error;
      await saveInput();
      const field = error.errors[0]?.pointer;
      return toConsentPage(deps.config, handle, { error: error.code, ...(field ? { field } : {}) });
    }
  },
});
