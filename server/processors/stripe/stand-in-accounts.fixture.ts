import { createHmac, randomBytes } from "node:crypto";
import { standInSetupPage } from "./stand-in-setup-page.fixture.ts";

type Answer = { status: number; body: object };
export type Page = { status: number; location?: string; html?: string };

/** docs.stripe.com/api/accounts/object, the part that onboarding changes. */
export type StandInAccount = {
  id: string;
  object: "account";
  created: number;
  country: string;
  business_profile: Record<string, string>;
  settings: { payments: { statement_descriptor: string | null } };
  metadata: Record<string, string>;
  charges_enabled: boolean;
  payouts_enabled: boolean;
  details_submitted: boolean;
  capabilities: Record<string, string>;
  requirements: {
    current_deadline: number | null;
    currently_due: string[];
    eventually_due: string[];
    past_due: string[];
    pending_verification: string[];
    disabled_reason: string | null;
  };
};
type Link = { account: string; returnUrl: string; refreshUrl: string; expiresAt: number; isUsed: boolean };

const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString("hex")}`;
const refusal = (status: number, code: string, message: string): Answer => ({
  status,
  body: { error: { type: "invalid_request_error", code, message } },
});
const missing = refusal(404, "resource_missing", "No such account");

const group = (form: URLSearchParams, name: string): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([key, value]) => {
      const [, of, member] = /^(\w+)\[(\w+)\]$/.exec(key) ?? [];
      return of === name && member !== undefined ? [[member, value]] : [];
    }),
  );

const firstDetails = ["business_type", "external_account", "tos_acceptance.date"];
const linkSeconds = 300;

/** Connect accounts with onboarding on hosted pages (docs.stripe.com/connect/hosted-onboarding). */
export const createStandInAccounts = (now: () => number, url: () => string) => {
  const accounts = new Map<string, StandInAccount>();
  const links = new Map<string, Link>();
  const disconnected = new Set<string>();
  let receiver: { url: string; secret: string } | null = null;

  const setStates = (account: StandInAccount, requirements: Partial<StandInAccount["requirements"]>): void => {
    const none = { current_deadline: null, currently_due: [], eventually_due: [], past_due: [] };
    Object.assign(account.requirements, { ...none, pending_verification: [], disabled_reason: null, ...requirements });
  };

  const setCharges = (account: StandInAccount, isEnabled: boolean): void => {
    Object.assign(account, { charges_enabled: isEnabled, payouts_enabled: isEnabled });
    account.capabilities = { card_payments: isEnabled ? "active" : "inactive", transfers: "active" };
  };

  const create = (form: URLSearchParams): Answer => {
    const profile = group(form, "business_profile");
    const country = form.get("country") ?? "US";
    if (form.get("controller[stripe_dashboard][type]") !== "full") {
      return refusal(400, "parameter_missing", "This stand-in creates accounts with a full dashboard");
    }
    if (!/^[A-Z]{2}$/.test(country) || country === "KP") {
      return refusal(400, "country_unsupported", `${country} is not currently supported by Stripe.`);
    }
    if (profile["url"] !== undefined && !/^https?:\/\/[^/]+\.[^/]+/.test(profile["url"])) {
      return refusal(400, "url_invalid", "Not a valid URL");
    }
    const account: StandInAccount = {
      id: newId("acct"),
      object: "account",
      created: Math.floor(now() / 1000),
      country,
      business_profile: profile,
      settings: { payments: { statement_descriptor: form.get("settings[payments][statement_descriptor]") } },
      metadata: group(form, "metadata"),
      charges_enabled: false,
      payouts_enabled: false,
      details_submitted: false,
      capabilities: { card_payments: "inactive", transfers: "inactive" },
      requirements: {
        current_deadline: null,
        currently_due: [...firstDetails],
        eventually_due: [...firstDetails],
        past_due: [...firstDetails],
        pending_verification: [],
        disabled_reason: "requirements.past_due",
      },
    };
    accounts.set(account.id, account);
    return { status: 200, body: account };
  };

  const link = (form: URLSearchParams): Answer => {
    const [account = "", returnUrl, refreshUrl] = ["account", "return_url", "refresh_url"].map((name) =>
      form.get(name),
    );
    if (!account || !accounts.has(account) || disconnected.has(account)) return noAccess(account ?? "");
    if (form.get("type") !== "account_onboarding" || !returnUrl || !refreshUrl) {
      return refusal(400, "parameter_missing", "return_url and refresh_url are required");
    }
    const [token, expiresAt] = [randomBytes(16).toString("hex"), Math.floor(now() / 1000) + linkSeconds];
    links.set(token, { account, returnUrl, refreshUrl, expiresAt, isUsed: false });
    const pageUrl = `${url()}/setup/${account}/${token}`;
    const created = Math.floor(now() / 1000);
    return { status: 200, body: { object: "account_link", created, expires_at: expiresAt, url: pageUrl } };
  };

  const noAccess = (account: string): Answer =>
    disconnected.has(account)
      ? refusal(403, "account_invalid", `The provided key does not have access to account '${account}'.`)
      : missing;

  const list = (query: URLSearchParams): Answer => {
    const since = Number(query.get("created[gte]") ?? 0);
    const limit = Number(query.get("limit") ?? 10);
    const all = [...accounts.values()]
      .filter(({ created, id }) => created >= since && !disconnected.has(id))
      .toReversed();
    const start = query.get("starting_after");
    const rest = start === null ? all : all.slice(all.findIndex(({ id }) => id === start) + 1);
    const data = rest.slice(0, limit);
    return { status: 200, body: { object: "list", url: "/v1/accounts", data, has_more: rest.length > limit } };
  };

  /** The outcomes that a tester can choose on the page. Each sets what Stripe's pages and reviews would set. */
  const outcomes: Readonly<Record<string, (account: StandInAccount) => void>> = {
    complete(account) {
      account.details_submitted = true;
      setStates(account, {});
      setCharges(account, true);
    },
    review(account) {
      account.details_submitted = true;
      setStates(account, {
        pending_verification: ["company.tax_id"],
        disabled_reason: "requirements.pending_verification",
      });
    },
    more(account) {
      account.details_submitted = true;
      const due = ["company.verification.document"];
      setStates(account, { currently_due: due, eventually_due: due });
    },
    leave() {},
  };

  const sendEvent = async (account: StandInAccount, type = "account.updated", object: object = account) => {
    if (receiver === null) return;
    const event = { id: newId("evt"), object: "event", type, account: account.id, data: { object } };
    await postEvent(receiver, JSON.stringify(event), Math.floor(now() / 1000));
  };

  /** The hosted page opens once. A page that was opened before or has expired redirects to `refresh_url`. */
  const page = async (method: string, path: string, form: URLSearchParams): Promise<Page> => {
    const [, token = "", choice] = /^\/setup\/\w+\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
    const opened = links.get(token);
    const account = accounts.get(opened?.account ?? "");
    if (!opened || !account) return { status: 404, html: "No such page" };
    if (method === "GET") {
      if (opened.isUsed || opened.expiresAt <= now() / 1000) return { status: 302, location: opened.refreshUrl };
      opened.isUsed = true;
      return { status: 200, html: standInSetupPage(account, path) };
    }
    const outcome = outcomes[choice ?? form.get("choice") ?? ""];
    if (!outcome) return { status: 400, html: "No such choice" };
    outcome(account);
    if (choice !== "leave") await sendEvent(account);
    return { status: 303, location: opened.returnUrl };
  };

  const get = (id: string): StandInAccount => {
    const account = accounts.get(id);
    if (!account) throw new Error("no such account");
    return account;
  };

  return {
    accounts,
    page,
    post: (path: string, form: URLSearchParams): Answer | null =>
      path === "/v1/accounts" ? create(form) : path === "/v1/account_links" ? link(form) : null,
    get(path: string, query: URLSearchParams): Answer | null {
      if (path === "/v1/accounts") return list(query);
      const [, id] = /^\/v1\/accounts\/([^/]+)$/.exec(path) ?? [];
      if (id === undefined) return null;
      const account = accounts.get(id);
      return account && !disconnected.has(id) ? { status: 200, body: account } : noAccess(id);
    },
    /**
     * Why the account can't take a payment. Null if it can. An account that this stand-in didn't create can always take
     * payments.
     */
    refusal: (id: string): Answer | null => {
      if (disconnected.has(id)) return noAccess(id);
      const account = accounts.get(id);
      if (!account || account.charges_enabled) return null;
      return refusal(400, "account_invalid", "Your account cannot currently make charges.");
    },
    /** Sets the URL to which later events are sent. */
    deliverTo: (to: { url: string; secret: string }) => {
      receiver = to;
    },
    /** Does the same as a choice on the hosted page: `complete`, `review`, `more` or `leave`. Sends no event. */
    submit: (id: string, choice: string) => outcomes[choice]?.(get(id)),
    /** A deadline has passed: Stripe stops the charges. */
    restrict(id: string, due: string[]): void {
      setStates(get(id), { currently_due: due, past_due: due, disabled_reason: "requirements.past_due" });
      setCharges(get(id), false);
    },
    /** Stripe needs more details by a deadline. */
    demand: (id: string, due: string[], deadline: Date) =>
      setStates(get(id), { currently_due: due, current_deadline: Math.floor(deadline.getTime() / 1000) }),
    reject(id: string, reason = "rejected.fraud"): void {
      setStates(get(id), { disabled_reason: reason });
      setCharges(get(id), false);
    },
    /** The merchant disconnects the platform in its dashboard. */
    disconnect: (id: string) => void disconnected.add(id),
    sendEvent: (id: string) => sendEvent(get(id)),
    sendDisconnected: (id: string) =>
      sendEvent(get(id), "account.application.deauthorized", { id: "ca_standin", object: "application" }),
  };
};

/** docs.stripe.com/webhooks#verify-manually. A refused event is sent again, as Stripe does. */
const postEvent = async (to: { url: string; secret: string }, body: string, seconds: number): Promise<void> => {
  const signature = createHmac("sha256", to.secret).update(`${seconds}.${body}`).digest("hex");
  const headers = { "content-type": "application/json", "stripe-signature": `t=${seconds},v1=${signature}` };
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const answer = await fetch(to.url, { method: "POST", headers, body });
    if (answer.ok) return;
  }
  throw new Error("the webhook was refused three times");
};
