import { type Answer, postForm, send } from "../answers/wire.ts";

/** Demo sign-ins (docs/spec/operations.md, Demo data). */
const demoPayer = { email: "payer@demo.paygrant.test", password: "paygrant-demo" } as const;

/** A consent needs an authentication within the last five minutes, so a session is reused for a shorter time. */
const reuseMilliseconds = 120_000;
const sessions = new Map<string, { cookie: string; since: number }>();

/** Forgets the shared sessions. Call it after the service ended all sessions. */
export const forgetSessions = (): void => sessions.clear();

/** Signs in with the form. @returns the Cookie header of a session that no other test uses. */
export const startSession = async (baseUrl: string, who: { email: string; password: string } = demoPayer) => {
  const answer = await postForm(`${baseUrl}/sign-in/session`, { ...who, return_to: "/wallet" }, { origin: baseUrl });
  const [cookie] = (answer.headers.get("set-cookie") ?? "").split(";");
  if (answer.status !== 303 || !cookie?.includes("=")) {
    throw new Error(`sign-in: ${answer.status} ${answer.headers.get("location")} ${answer.text.slice(0, 300)}`);
  }
  return cookie;
};

/** @returns the Cookie header of a session that tests may share. */
export const signIn = async (baseUrl: string, who: { email: string; password: string } = demoPayer) => {
  const known = sessions.get(`${baseUrl} ${who.email}`);
  if (known && Date.now() - known.since < reuseMilliseconds) return known.cookie;
  const cookie = await startSession(baseUrl, who);
  sessions.set(`${baseUrl} ${who.email}`, { cookie, since: Date.now() });
  return cookie;
};

export type ConsentPage = { handle: string; url: string; formToken: string; paymentMethodId: string; html: string };

/**
 * Opens a pushed request as the payer's browser does and reads the page.
 * @throws Error when the page allows no decision.
 */
export const openConsent = async (
  baseUrl: string,
  request: { clientId: string; requestUri: string },
  cookie: string,
): Promise<ConsentPage> => {
  const query = new URLSearchParams({ client_id: request.clientId, request_uri: request.requestUri });
  const opened = await send(`${baseUrl}/oauth/authorize?${query}`, { headers: { cookie } });
  const url = opened.headers.get("location") ?? "";
  if (opened.status !== 303) throw new Error(`authorize: ${opened.status} ${opened.text.slice(0, 300)}`);
  const page = await send(url, { headers: { cookie, accept: "text/html" } });
  const formToken = fieldValue(page.text, "form_token");
  const paymentMethodId = fieldValue(page.text, "payment_method_id");
  if (page.status !== 200 || !formToken || !paymentMethodId) {
    throw new Error(`consent page: ${page.status} ${page.headers.get("location")} ${page.text.slice(0, 300)}`);
  }
  return { handle: new URL(url).pathname.split("/")[2] ?? "", url, formToken, paymentMethodId, html: page.text };
};

/** The value of a form control; in a group, the first checked one. */
const fieldValue = (html: string, name: string): string | null => {
  const tags = (html.match(/<(?:input|option)\b[^>]*>/g) ?? []).filter((tag) => tag.includes(`name="${name}"`));
  const tag = tags.find((candidate) => / checked(=|\s|\/|>)/.test(candidate)) ?? tags[0];
  return /\bvalue="([^"]*)"/.exec(tag ?? "")?.[1] ?? null;
};

type Decision = { decision: "approve" | "decline" };

/** Posts the page's form with `fields`. @returns the response, which redirects to the client. */
export const decide = (page: ConsentPage, cookie: string, fields: Decision & Record<string, string>): Promise<Answer> =>
  postForm(
    `${page.url}/decision`,
    { form_token: page.formToken, payment_method_id: page.paymentMethodId, locale: "en-GB", ...fields },
    { cookie, origin: new URL(page.url).origin },
  );

/**
 * Signs in, opens the request and submits a decision. `fields` override the default decision, an approval.
 * @returns the parameters of the client's redirect.
 */
export const consent = async (
  baseUrl: string,
  request: { clientId: string; requestUri: string },
  fields: Partial<Decision> & Record<string, string> = {},
): Promise<URLSearchParams> => {
  const cookie = await signIn(baseUrl);
  const page = await openConsent(baseUrl, request, cookie);
  const answer = await decide(page, cookie, { decision: "approve", ...fields });
  const location = answer.headers.get("location");
  if (answer.status !== 303 || !location) throw new Error(`decision: ${answer.status} ${answer.text.slice(0, 300)}`);
  return new URL(location).searchParams;
};
