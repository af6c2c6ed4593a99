import { formBody } from "#e2e/support/oauth/oauth-client.ts";
import { findSession } from "../../../../accounts/sessions/find-session.ts";
import { passwordAcr } from "../../../../accounts/sessions/sessions.ts";
import { startSession } from "../../../../accounts/sessions/start-session.ts";
import { consentDecisionEndpoint } from "../../../../endpoints/oauth/consent-decision.ts";
import { queryGrantEndpoint } from "../../../../endpoints/oauth/grants.ts";
import { introspectEndpoint } from "../../../../endpoints/oauth/introspect.ts";
import { tokenEndpoint } from "../../../../endpoints/oauth/token.ts";
import { serve } from "../../../../http/serve.ts";
import { sealConsentForm } from "../../../../oauth/consent/consent-form.ts";
import { loadConsentRequest } from "../../../../oauth/consent/load-consent-request.ts";
import { type Acts, at } from "./act.fixture.ts";
import type { Actors } from "./world.fixture.ts";

const signIn = async ({ deps, world }: Actors) => {
  const info = { requestId: "req_test", ipAddress: "", userAgent: "" };
  const { setCookie } = await deps.db.transaction((tx) =>
    startSession(deps, tx, { accountId: world.payer.id, acr: passwordAcr, cookieHeader: null, info }),
  );
  const [cookie = ""] = setCookie.split(";");
  return { cookie };
};

/** A consent page that the payer has opened. */
const openPage = async (actors: Actors) => {
  const { deps, world } = actors;
  const flow = await actors.flow();
  const { handle, verifier } = await flow.startAuthorization([world.details]);
  const { cookie } = await signIn(actors);
  const load = async () => {
    const session = await findSession(deps, cookie);
    if (!session) throw new Error("no session");
    return { session, request: await loadConsentRequest(deps, { handle, session }) };
  };
  const decide = async (decision: "approve" | "decline", form_token: string): Promise<URL> => {
    const response = await serve(consentDecisionEndpoint)(
      new Request(`${deps.config.baseUrl}/consent/${handle}/decision`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", origin: deps.config.walletUrl, cookie },
        body: formBody({ form_token, payment_method_id: world.payer.paymentMethodId, decision }),
      }),
    );
    const location = response.headers.get("location");
    if (location === null) throw new Error(`${decision}: ${response.status} ${await response.text()}`);
    return new URL(location);
  };
  const formToken = async () => {
    const { session, request } = await load();
    if (request.kind !== "ready") throw new Error(request.kind);
    return sealConsentForm(deps, { session, view: request.view, page: { text: "Words", locale: "en-GB" } });
  };
  return { flow, load, formToken, decide, verifier };
};

type Answered = { status: number; body: Record<string, string> | null };

const succeed = async (answer: Promise<Answered>): Promise<Record<string, string>> => {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body ?? {};
};

/** A code that the payer has approved. `exchange` gets its tokens. */
const approve = async (actors: Actors) => {
  const { flow, decide, formToken, verifier } = await openPage(actors);
  const location = await decide("approve", await formToken());
  const code = location.searchParams.get("code") ?? "";
  return { flow, exchange: () => succeed(flow.exchange(code, verifier)) };
};

/** The client that got tokens, and its tokens. */
const granted = async (actors: Actors) => {
  const { flow, exchange } = await approve(actors);
  const { access_token = "", refresh_token = "" } = await exchange();
  return { flow, access_token, refresh_token };
};

export const authorizationActs: Acts = {
  "PAR and authorize": at(async ({ flow, world }) => (await flow()).startAuthorization([world.details])),
  "consent page": async (actors) => (await openPage(actors)).load,
  "consent: approve": async (actors) => {
    const { decide, formToken } = await openPage(actors);
    const token = await formToken();
    return () => decide("approve", token);
  },
  "consent: decline": async (actors) => {
    const { decide, formToken } = await openPage(actors);
    const token = await formToken();
    return () => decide("decline", token);
  },
  "sign-in: a new session": (actors) => Promise.resolve(() => signIn(actors)),
  "token: authorization code": async (actors) => (await approve(actors)).exchange,
  "token: refresh": async (actors) => {
    const { flow, refresh_token } = await granted(actors);
    return () => succeed(flow.post("/oauth/token", { grant_type: "refresh_token", refresh_token }));
  },
  "token: client credentials": at(({ postForm, world }) =>
    postForm(tokenEndpoint, world.merchantClient, { grant_type: "client_credentials", scope: "charges.read" }),
  ),
  introspection: async ({ agentToken, postForm, world }) => {
    const token = await agentToken();
    return () => postForm(introspectEndpoint, world.agent, { token });
  },
  "introspection: refresh token": async (actors) => {
    const { refresh_token: token } = await granted(actors);
    return () => actors.postForm(introspectEndpoint, actors.world.agent, { token });
  },
  "revocation: access token": async (actors) => {
    const { flow, access_token: token } = await granted(actors);
    return () => succeed(flow.post("/oauth/revoke", { token }));
  },
  "revocation: refresh token, with its mandates": async (actors) => {
    const { flow, refresh_token: token } = await granted(actors);
    return () => succeed(flow.post("/oauth/revoke", { token }));
  },
  "grant: query": at(({ asAgent, world }) =>
    asAgent(queryGrantEndpoint, { path: `/oauth/grants/${world.grant.id}`, scope: "grant_management_query" }),
  ),
};
