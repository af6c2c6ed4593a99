import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createStandInAccounts } from "./stand-in-accounts.fixture.ts";

/** Behaves as Stripe documents PaymentIntents, refunds, errors and idempotent requests; in memory, on loopback. */
export type StandInFault =
  | "timeout_before_accept"
  | "timeout_after_accept"
  | "error_once"
  /** the request is done, but its answer is an error, also for a repeat with the same key */
  | "error_kept"
  /** another request with the same key is in progress */
  | "busy_once"
  | "limited";

type Intent = {
  id: string;
  object: "payment_intent";
  account: string;
  status: "succeeded" | "requires_capture" | "requires_action" | "requires_payment_method" | "canceled";
  amount: number;
  amount_received: number;
  amount_refunded: number;
  currency: string;
  capture_method: string;
  /** null: the method is a clone or one of Stripe's test methods */
  customer: string | null;
  payment_method: string;
  metadata: Record<string, string>;
  next_action: { type: "redirect_to_url"; redirect_to_url: { url: string } } | null;
  last_payment_error: { code: string; decline_code?: string } | null;
};
const refundReasons: ReadonlySet<string> = new Set(["duplicate", "fraudulent", "requested_by_customer"]);

const metadataOf = (form: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const key = /^metadata\[(.*)\]$/.exec(name)?.[1];
      return key === undefined ? [] : [[key, value]];
    }),
  );

/**
 * docs.stripe.com/api/metadata: at most 50 keys of at most 40 characters without square brackets, values of at most
 * 500.
 */
const isCarried = (metadata: Record<string, string>): boolean =>
  Object.keys(metadata).length <= 50 &&
  Object.entries(metadata).every(([key, value]) => /^[^[\]]{1,40}$/.test(key) && value.length <= 500);

type Refund = {
  id: string;
  object: "refund";
  payment_intent: string;
  amount: number;
  currency: string;
  status: string;
  reason: string | null;
  failure_reason?: string;
  metadata: Record<string, string>;
  account: string;
};
type Dispute = {
  id: string;
  object: "dispute";
  payment_intent: Intent;
  status: string;
  amount: number;
  currency: string;
  reason: string;
  /** in seconds; null if no evidence is needed any more */
  evidence_details: { due_by: number | null };
  account: string;
};
/** docs.stripe.com/api/checkout/sessions/object, in `setup` mode. */
type Session = {
  id: string;
  object: "checkout.session";
  mode: "setup";
  status: "open" | "complete" | "expired";
  url: string | null;
  customer: string;
  success_url: string;
  cancel_url: string | null;
  expires_at: number;
  setup_intent: { id: string; status: string; payment_method: object | null };
};
type Answer = { status: number; body: object };
type Kept = { parameters: string; answer: Promise<Answer> | Answer };

const declines: Readonly<Record<string, [code: string, declineCode: string]>> = {
  pm_card_chargeDeclined: ["card_declined", "generic_decline"],
  pm_card_chargeDeclinedInsufficientFunds: ["card_declined", "insufficient_funds"],
  pm_card_chargeDeclinedLostCard: ["card_declined", "lost_card"],
  pm_card_chargeDeclinedExpiredCard: ["expired_card", "expired_card"],
};
const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString("hex")}`;
const failure = (status: number, error: object): Answer => ({ status, body: { error } });
const invalid = (code: string, more: object = {}): Answer =>
  failure(400, { type: "invalid_request_error", code, message: code, ...more });
const missing = failure(404, { type: "invalid_request_error", code: "resource_missing", message: "No such object" });

const cards: Readonly<Record<string, { brand: string; last4: string }>> = {
  pm_card_visa: { brand: "visa", last4: "4242" },
  pm_card_amex: { brand: "amex", last4: "8431" },
};

export const startStripeStandIn = async (secretKey: string, now: () => number = Date.now) => {
  const intents = new Map<string, Intent>();
  const refunds = new Map<string, Refund>();
  const disputes = new Map<string, Dispute>();
  const kept = new Map<string, Kept>();
  const faults: StandInFault[] = [];
  const cloneFaults: StandInFault[] = [];
  /** stored on the platform's own account */
  const platformMethods = new Map<string, { customer: string; card: string }>();
  const clones = new Map<string, { account: string; card: string; isUsed: boolean }>();
  const customers = new Set<string>();
  const sessions = new Map<string, Session>();
  const connected = createStandInAccounts(now, () => url);
  let url = "";
  const versions = new Set<string>();
  const telemetry: string[] = [];

  /** Clones a method to the calling account. The request must name the method and the customer that has the method. */
  const clone = (account: string, form: URLSearchParams): Answer => {
    const method = platformMethods.get(form.get("payment_method") ?? "");
    if (account === "" || !method || method.customer !== form.get("customer")) return missing;
    const id = newId("pm");
    clones.set(id, { account, card: method.card, isUsed: false });
    return { status: 200, body: { id, object: "payment_method", type: "card", customer: null } };
  };

  /** @returns the test method that a payment method represents, or why the account can't charge it. */
  const cardAt = (account: string, method: string, customer: string | null): string | Answer => {
    const own = platformMethods.get(method);
    // A customer's method is charged only together with its customer (docs.stripe.com/api/payment_intents/create).
    if (own && account === "") {
      return own.customer === customer ? own.card : invalid("payment_method_customer_mismatch");
    }
    if (own) {
      return invalid("resource_missing", {
        param: "payment_method",
        message: `No such PaymentMethod: '${method}'; a platform-owned payment method was provided with Stripe-Account`,
      });
    }
    const cloned = clones.get(method);
    if (!cloned) return method.startsWith("pm_card_") && method !== "pm_card_unheard_of" ? method : missing;
    if (cloned.account !== account) return missing;
    if (cloned.isUsed) return invalid("payment_method_unexpected_state", { message: "used without a customer before" });
    cloned.isUsed = true;
    return cloned.card;
  };

  const create = (account: string, form: URLSearchParams): Answer => {
    const method = form.get("payment_method") ?? "";
    // An account that settles in EUR: at least 0.50 and at most eight digits (docs.stripe.com/currencies).
    const amount = Number(form.get("amount"));
    if (amount < 50) return invalid("amount_too_small", { param: "amount" });
    if (amount > 99_999_999) return invalid("amount_too_large", { param: "amount" });
    const customer = form.get("customer");
    const card = cardAt(account, method, customer);
    if (typeof card !== "string") return card;
    const intent: Intent = {
      id: newId("pi"),
      object: "payment_intent",
      account,
      status: "succeeded",
      currency: form.get("currency") ?? "",
      amount,
      amount_received: 0,
      amount_refunded: 0,
      customer,
      payment_method: method,
      capture_method: form.get("capture_method") ?? "automatic",
      next_action: null,
      last_payment_error: null,
      metadata: metadataOf(form),
    };
    intents.set(intent.id, intent);
    const [code, declineCode] = declines[card.replace("_visa_", "_")] ?? [];
    const isAbsent = card === "pm_card_authenticationRequired" && form.get("off_session") === "true";
    if (code || isAbsent) {
      intent.status = "requires_payment_method";
      intent.last_payment_error = {
        code: code ?? "authentication_required",
        decline_code: declineCode ?? "authentication_required",
      };
      return failure(402, {
        type: "card_error",
        message: "declined",
        ...intent.last_payment_error,
        payment_intent: intent,
      });
    }
    if (card === "pm_card_authenticationRequired") {
      intent.status = "requires_action";
      const url = `https://hooks.stripe.com/redirect/authenticate/${intent.id}`;
      intent.next_action = { type: "redirect_to_url", redirect_to_url: { url } };
    } else if (intent.capture_method === "manual") intent.status = "requires_capture";
    else intent.amount_received = intent.amount;
    return { status: 200, body: intent };
  };

  const unexpected = (intent: Intent): Answer => invalid("payment_intent_unexpected_state", { payment_intent: intent });

  /** A hold is released by an automatic refund (docs.stripe.com/api/refunds/object, `reason`). */
  const release = ({ id: payment_intent, currency, account }: Intent, amount: number): void => {
    const made: Refund = {
      id: newId("re"),
      object: "refund",
      payment_intent,
      amount,
      currency,
      account,
      metadata: {},
      status: "succeeded",
      reason: "expired_uncaptured_charge",
    };
    refunds.set(made.id, made);
  };

  const capture = (intent: Intent, form: URLSearchParams): Answer => {
    if (intent.status !== "requires_capture") return unexpected(intent);
    const amount = Number(form.get("amount_to_capture") ?? intent.amount);
    if (amount > intent.amount) return invalid("amount_too_large");
    if (amount < intent.amount) release(intent, intent.amount - amount);
    Object.assign(intent, { status: "succeeded", amount_received: amount });
    return { status: 200, body: intent };
  };

  const cancel = (intent: Intent): Answer => {
    if (intent.status === "succeeded" || intent.status === "canceled") return unexpected(intent);
    if (intent.status === "requires_capture") release(intent, intent.amount);
    intent.status = "canceled";
    return { status: 200, body: intent };
  };

  const makeRefund = (intent: Intent, amount: number, metadata: Record<string, string>): Refund => {
    const { id: payment_intent, currency, account, payment_method } = intent;
    const card = clones.get(payment_method)?.card ?? payment_method;
    const status = { pm_card_refundFail: "failed", pm_card_pendingRefund: "pending" }[card] ?? "succeeded";
    if (status !== "failed") intent.amount_refunded += amount;
    const made: Refund = {
      id: newId("re"),
      object: "refund",
      payment_intent,
      amount,
      currency,
      status,
      account,
      metadata,
      reason: null,
      ...(status === "failed" ? { failure_reason: "expired_or_canceled_card" } : {}),
    };
    refunds.set(made.id, made);
    return made;
  };

  const refund = (account: string, form: URLSearchParams): Answer => {
    const intent = intents.get(form.get("payment_intent") ?? "");
    if (intent?.account !== account) return missing;
    const amount = Number(form.get("amount"));
    if (intent.status !== "succeeded") return unexpected(intent);
    if (intent.amount_refunded + amount > intent.amount_received) return invalid("amount_too_large");
    const reason = form.get("reason");
    const metadata = metadataOf(form);
    // docs.stripe.com/api/refunds/create, docs.stripe.com/api/metadata
    if (reason !== null && !refundReasons.has(reason)) return invalid("parameter_invalid", { param: "reason" });
    if (!isCarried(metadata)) return invalid("parameter_invalid", { param: "metadata" });
    return { status: 200, body: Object.assign(makeRefund(intent, amount, metadata), { reason }) };
  };

  /** Refuses calls that name a connected account. */
  const openSession = (form: URLSearchParams): Answer => {
    const customer = form.get("customer") ?? "";
    if (!customers.has(customer)) return invalid("resource_missing", { param: "customer" });
    const [expiresAt, seconds] = [Number(form.get("expires_at")), Math.floor(now() / 1000)];
    const isInTime = expiresAt >= seconds + 1_800 && expiresAt <= seconds + 86_400;
    if (form.get("mode") !== "setup" || !form.get("success_url") || !isInTime) return invalid("parameter_invalid");
    // Dynamic payment methods need a currency.
    if (form.get("allowed_payment_method_types[0]") !== "card")
      return invalid("parameter_missing", { param: "currency" });
    const id = newId("cs_test");
    const session: Session = {
      id,
      object: "checkout.session",
      mode: "setup",
      status: "open",
      customer,
      expires_at: expiresAt,
      url: `https://checkout.stripe.com/c/pay/${id}`,
      success_url: form.get("success_url") ?? "",
      cancel_url: form.get("cancel_url"),
      setup_intent: { id: newId("seti"), status: "requires_payment_method", payment_method: null },
    };
    sessions.set(id, session);
    return { status: 200, body: session };
  };

  const changePlatform = (path: string, form: URLSearchParams): Answer => {
    const ofAccounts = connected.post(path, form);
    if (ofAccounts) return ofAccounts;
    if (path === "/v1/checkout/sessions") return openSession(form);
    if (path === "/v1/payment_intents") return create("", form);
    if (path !== "/v1/customers") return missing;
    const id = newId("cus");
    customers.add(id);
    return { status: 200, body: { id, object: "customer" } };
  };

  const change = (account: string, path: string, form: URLSearchParams): Answer => {
    if (account === "") return changePlatform(path, form);
    const refusal = connected.refusal(account);
    if (refusal && /^\/v1\/payment_(methods|intents)$/.test(path)) return refusal;
    if (path === "/v1/payment_methods") return clone(account, form);
    if (path === "/v1/payment_intents") return create(account, form);
    if (path === "/v1/refunds") return refund(account, form);
    const [, id = "", verb] = /^\/v1\/payment_intents\/([^/]+)\/(capture|cancel)$/.exec(path) ?? [];
    const intent = intents.get(id);
    if (!verb || intent?.account !== account) return missing;
    return verb === "capture" ? capture(intent, form) : cancel(intent);
  };

  const read = (account: string, url: URL): Answer => {
    const ofAccounts = account === "" ? connected.get(url.pathname, url.searchParams) : null;
    if (ofAccounts) return ofAccounts;
    const [, sessionId] = /^\/v1\/checkout\/sessions\/([^/]+)$/.exec(url.pathname) ?? [];
    if (sessionId !== undefined) {
      if (url.searchParams.get("expand[0]") !== "setup_intent.payment_method") return invalid("not_expanded");
      const session = account === "" ? sessions.get(sessionId) : undefined;
      return session ? { status: 200, body: session } : missing;
    }
    if (url.pathname === "/v1/payment_intents/search") {
      const [, chargeId] = /^metadata\["charge_id"\]:"([^"]+)"$/.exec(url.searchParams.get("query") ?? "") ?? [];
      const data = [...intents.values()].filter(
        (one) => one.account === account && one.metadata["charge_id"] === chargeId,
      );
      return { status: 200, body: { object: "search_result", data, has_more: false, url: url.pathname } };
    }
    if (url.pathname === "/v1/payment_intents") {
      const customer = url.searchParams.get("customer") ?? "";
      const isKnown = customers.has(customer) || [...platformMethods.values()].some((one) => one.customer === customer);
      if (account !== "" || !isKnown) return missing;
      const own = [...intents.values()].filter((one) => one.customer === customer).toReversed();
      const limit = Number(url.searchParams.get("limit"));
      const page = { data: own.slice(0, limit), has_more: own.length > limit };
      return { status: 200, body: { object: "list", ...page, url: url.pathname } };
    }
    if (url.pathname === "/v1/refunds") {
      const intent = url.searchParams.get("payment_intent");
      const own = [...refunds.values()].filter((one) => one.account === account && one.payment_intent === intent);
      const data = own.toReversed();
      return { status: 200, body: { object: "list", data, has_more: false, url: url.pathname } };
    }
    const [, kind, id = ""] = /^\/v1\/(payment_intents|refunds|disputes)\/([^/]+)$/.exec(url.pathname) ?? [];
    if (kind === "disputes" && url.searchParams.get("expand[0]") !== "payment_intent") return invalid("not_expanded");
    const found = (kind === "refunds" ? refunds : kind === "disputes" ? disputes : intents).get(id);
    return found?.account === account ? { status: 200, body: found } : missing;
  };

  /** Opens one of Stripe's own pages in the browser. */
  const sendPage = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const page = await connected.page(request.method ?? "GET", request.url ?? "/", new URLSearchParams(text));
    const headers = page.location === undefined ? { "content-type": "text/html" } : { location: page.location };
    response.writeHead(page.status, headers).end(page.html);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = ({ status, body }: Answer) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.url?.startsWith("/setup/")) return sendPage(request, response);
    if (request.headers.authorization !== `Bearer ${secretKey}`) {
      return void send(failure(401, { type: "invalid_request_error", message: "Invalid API Key" }));
    }
    versions.add(String(request.headers["stripe-version"]));
    if (request.headers["x-stripe-client-telemetry"]) telemetry.push("sent");
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const url = new URL(request.url ?? "/", "http://stripe");
    const account = String(request.headers["stripe-account"] ?? "");
    if (request.method === "GET") return void send(read(account, url));
    const name = `${account} ${request.headers["idempotency-key"]}`;
    const parameters = `${url.pathname}?${text}`;
    const known = kept.get(name);
    if (known) {
      if (known.parameters !== parameters)
        return void send(failure(400, { type: "idempotency_error", message: "other" }));
      if (known.answer instanceof Promise) {
        return void send(failure(409, { type: "idempotency_error", code: "idempotency_key_in_use", message: "busy" }));
      }
      return void send(known.answer);
    }
    const fault = (url.pathname === "/v1/payment_methods" ? cloneFaults : faults).shift();
    if (fault === "timeout_before_accept") return;
    // Refused before processing; Stripe stores no idempotent answer for it.
    if (fault === "error_once") return void send(failure(500, { type: "api_error", message: "try again" }));
    if (fault === "limited") {
      return void send(failure(429, { type: "invalid_request_error", code: "rate_limit", message: "slower" }));
    }
    if (fault === "busy_once") {
      return void send(failure(409, { type: "idempotency_error", code: "idempotency_key_in_use", message: "busy" }));
    }
    const isKeptError = fault === "error_kept";
    const done = change(account, url.pathname, new URLSearchParams(text));
    const made = isKeptError ? failure(500, { type: "api_error", message: "try again" }) : done;
    kept.set(name, { parameters, answer: structuredClone(made) });
    if (fault !== "timeout_after_accept") send(made);
  };

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${address && typeof address === "object" ? address.port : 0}`;
  return {
    url,
    /** accounts of merchants and their onboarding */
    connected,
    intents,
    versions,
    telemetry,
    customers,
    sessions,
    plan: (fault: StandInFault) => void faults.push(fault),
    /** Stripe forgets the keys of requests after a day. */
    forgetKeys: () => kept.clear(),
    /** applies to the next clone */
    planClone: (fault: StandInFault) => void cloneFaults.push(fault),
    /** Stores a payer's method on the platform's account. @returns our reference to it. */
    keep(card: string): string {
      const [customer, method] = [newId("cus"), newId("pm")];
      platformMethods.set(method, { customer, card });
      return `${customer}/${method}`;
    },
    /** The payer enters a card on Stripe's page: it is stored with the session's customer. */
    giveCard(sessionId: string, card = "pm_card_visa"): void {
      const session = sessions.get(sessionId);
      if (session?.status !== "open") throw new Error("no such page");
      const method = newId("pm");
      platformMethods.set(method, { customer: session.customer, card });
      const payment_method = {
        id: method,
        object: "payment_method",
        type: "card",
        card: cards[card] ?? cards["pm_card_visa"],
      };
      Object.assign(session, { status: "complete", url: null });
      Object.assign(session.setup_intent, { status: "succeeded", payment_method });
    },
    /** The session expires. */
    expireSession: (sessionId: string) => {
      Object.assign(sessions.get(sessionId) ?? {}, { status: "expired", url: null });
    },
    clonesOf: (account: string) => [...clones.values()].filter((one) => one.account === account),
    /** A refund made in the dashboard, without our metadata. */
    refundByHand(intentId: string, amount: number): Refund {
      const intent = intents.get(intentId);
      if (!intent) throw new Error("no such payment");
      return makeRefund(intent, amount, {});
    },
    /** The hold ends at the bank, or is canceled in the dashboard. */
    cancel: (intentId: string) => cancel(intents.get(intentId) as Intent),
    refundsOf: (intentId: string) => [...refunds.values()].filter((one) => one.payment_intent === intentId),
    /** The payer's bank returns a refund (docs.stripe.com/refunds, Failed refunds). */
    failRefund(id: string): Refund {
      const made = refunds.get(id);
      const intent = intents.get(made?.payment_intent ?? "");
      if (!made || !intent) throw new Error("no such refund");
      intent.amount_refunded -= made.amount;
      return Object.assign(made, { status: "failed", failure_reason: "lost_or_stolen_card" });
    },
    dispute(account: string, chargeId: string, amount: number): string {
      const intent = [...intents.values()].find(
        (one) => one.account === account && one.metadata["charge_id"] === chargeId,
      );
      if (!intent) throw new Error("no such payment");
      const dispute: Dispute = {
        id: newId("du"),
        object: "dispute",
        payment_intent: intent,
        status: "needs_response",
        amount,
        account,
        currency: intent.currency,
        reason: "fraudulent",
        evidence_details: { due_by: 1_798_761_599 },
      };
      disputes.set(dispute.id, dispute);
      return dispute.id;
    },
    setDispute(id: string, status: string): void {
      const dispute = disputes.get(id);
      if (dispute) dispute.status = status;
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
};
