import type { IncomingMessage, ServerResponse } from "node:http";
import type { Books } from "./answer-payment.ts";

const page = (content: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bank simulator</title><style>body{font:1rem/1.5 system-ui;max-width:26rem;margin:4rem auto;padding:0 1rem}
button{font:inherit;padding:.6rem 1rem;margin-right:.5rem}</style></head><body>${content}</body></html>`;

const question = page(`<h1>Confirm this payment</h1><p>This page replaces the bank's own page. No money moves.</p>
<form method="post"><button name="result" value="confirm">Confirm</button><button name="result" value="refuse">Refuse</button></form>`);
const done = page("<h1>Thank you</h1><p>You can close this page and go back to the shop.</p>");

/** The page for authentication (3-D Secure): confirming authorizes or completes the payment, refusing declines it. */
export const answerAuthentication = async (
  { store, webhooks }: Pick<Books, "store" | "webhooks">,
  { url, request, response }: { url: URL; request: IncomingMessage; response: ServerResponse },
): Promise<void> => {
  const payment = store.findById(url.pathname.slice("/authenticate/".length));
  const html = (status: number, text: string) =>
    response.writeHead(status, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" }).end(text);
  if (!payment) return void html(404, page("<h1>Unknown payment</h1>"));
  if (request.method !== "POST") return void html(200, payment.status === "requires_action" ? question : done);
  let body = "";
  for await (const chunk of request) body += String(chunk).slice(0, 1000);
  const isConfirmed = new URLSearchParams(body).get("result") === "confirm";
  const confirmed = payment.capture === "manual" ? "authorized" : "succeeded";
  const status = isConfirmed ? confirmed : "declined";
  if (store.resolveAction(payment.id, status, isConfirmed ? null : "authentication_failed")) {
    await webhooks.send({ ...payment, status }, { type: `payment.${status}`, fault: null });
  }
  html(200, done);
};
