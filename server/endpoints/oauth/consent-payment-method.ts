import { z } from "zod";
import { assertSameOrigin } from "../../accounts/assert-same-origin.ts";
import { addTestCard } from "../../accounts/payment-methods/add-test-card.ts";
import { beginCardSetup } from "../../accounts/payment-methods/begin-card-setup.ts";
import { testCardNames } from "../../accounts/payment-methods/test-cards.ts";
import { findSession, type SessionContext } from "../../accounts/sessions/find-session.ts";
import { requireRecentProof } from "../../accounts/sessions/require-recent-proof.ts";
import { defineEndpoint, type FormFields, type RawReply } from "../../contract/endpoint.ts";
import type { Deps } from "../../deps/deps.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { keepDraft } from "../../oauth/consent/consent-draft.ts";
import { findFormPayer } from "../../oauth/consent/consent-form.ts";
import { consentFormContract, consentFormRequest, seeOther, toConsentPage, toSignInAgain } from "./consent-form.ts";

const body = z.looseObject({
  /** the processor's page or one of the simulator's cards */
  add_method: z.enum(["card", "test_card"]),
  test_card: z.enum(testCardNames).optional(),
  /** differs each time the page is rendered */
  form_token: z.string().default(""),
});

/** A button of the consent form sends this request, with all fields that the payer filled in. */
export const consentPaymentMethodEndpoint = defineEndpoint({
  ...consentFormContract,
  path: "/consent/{handle}/payment-method",
  operationId: "addPaymentMethodAtConsent",
  summary: "Add a payment method during consent (form of the consent page)",
  standards: [],
  request: {
    ...consentFormRequest,
    body,
    example: { add_method: "test_card", test_card: "visa" },
  },
  responses: {
    303: {
      description:
        "Redirects back to the consent page, which offers the new payment method and shows the values that the payer entered. To add a card at the processor, redirects to the processor’s page instead. Without a recent sign-in, redirects to the sign-in page",
    },
  },
  async handle({ deps, info, request }, { body: form, params: { handle } }): Promise<RawReply> {
    assertSameOrigin(request.headers, deps.config);
    const session = await findSession(deps, request.headers.get("cookie"));
    const payerId = session?.account.id ?? findFormPayer(deps, { formToken: form.form_token, handle });
    const draft = { handle, payerId: payerId ?? "", form: form as FormFields };
    if (!session) {
      if (payerId !== null) await keepDraft(deps, draft);
      return toSignInAgain(deps.config, handle);
    }
    try {
      requireRecentProof(deps, session);
      const added = await add(deps, { session, form, handle, requestId: info.requestId });
      const chosen = added.methodId === null ? {} : { payment_method_id: added.methodId };
      await keepDraft(deps, { ...draft, form: { ...draft.form, ...chosen } });
      return added.location === null ? toConsentPage(deps.config, handle) : seeOther(added.location);
    } catch (error) {
      if (!isDomainError(error)) throw error;
      await keepDraft(deps, draft);
      if (error.code === "proof_too_old") return toSignInAgain(deps.config, handle);
      return toConsentPage(deps.config, handle, { error: error.code });
    }
  },
});

type Adding = { session: SessionContext; form: z.output<typeof body>; handle: string; requestId: string };

/** @returns the new method, or the URL of the processor's page on which the payer enters a card. */
const add = async (
  deps: Deps,
  { session, form, handle, requestId }: Adding,
): Promise<{ methodId: string | null; location: string | null }> => {
  const payerId = session.account.id;
  const formKey = form.form_token;
  if (form.add_method === "card") {
    const { pageUrl } = await beginCardSetup(deps, { payerId, requestId, returnPath: `/consent/${handle}` });
    return { methodId: null, location: pageUrl };
  }
  const card = form.test_card ?? "visa";
  const { id } = await addTestCard(deps, { payerId, card, requestId, ...(formKey === "" ? {} : { formKey }) });
  return { methodId: id, location: null };
};
