import { z } from "zod";
import type { Store } from "../store/store.ts";
import { answerDisputeControl } from "./answer-dispute.ts";
import { isFault } from "./behaviour.ts";
import type { Webhooks } from "./deliver-webhooks.ts";

const faultSchema = z.strictObject({
  /** one of the faults, or `outage`: 500 to every call until faults are cleared */
  fault: z.string().refine((fault) => fault === "outage" || isFault(fault)),
  /** only calls of this account; absent: all accounts */
  account: z.string().min(1).optional(),
  call: z.enum(["payment", "capture", "void", "refund", "any"]).default("payment"),
  times: z.int().min(1).max(1_000_000).default(1),
});

/**
 * The control API for tests and demonstrations: `POST /control/faults` plans faults, `GET` lists them, `DELETE` clears
 * them; `GET /control/events?account=` lists webhooks, `POST /control/events/flush` sends delayed ones; `POST
 * /control/disputes` opens a dispute, `POST /control/disputes/{id}/close` closes it; `DELETE /control/books` deletes
 * every payment, as for a reset of the sandbox.
 */
export const answerControl = async (
  { store, webhooks }: { store: Store; webhooks: Webhooks },
  call: { method: string; url: URL; body: string },
): Promise<{ status: number; body: object }> => {
  const dispute = /^\/control\/disputes(?:\/([^/]+)\/close)?$/.exec(call.url.pathname);
  if (call.method === "POST" && dispute) {
    return answerDisputeControl({ store, webhooks }, { id: dispute[1] ?? null, body: parse(call.body) });
  }
  switch (`${call.method} ${call.url.pathname}`) {
    case "POST /control/faults": {
      const parsed = faultSchema.safeParse(parse(call.body));
      if (!parsed.success) return { status: 400, body: { error: "invalid_request" } };
      const { account = null, ...planned } = parsed.data;
      return { status: 201, body: { id: store.planFault({ account, ...planned }) } };
    }
    case "GET /control/faults":
      return { status: 200, body: { data: store.listFaults() } };
    case "DELETE /control/faults":
      return { status: 200, body: { cleared: store.clearFaults() } };
    case "GET /control/events":
      return { status: 200, body: { data: store.listEvents(call.url.searchParams.get("account") ?? "") } };
    case "DELETE /control/books":
      store.clear();
      return { status: 200, body: {} };
    case "POST /control/events/flush":
      return { status: 200, body: { hastened: webhooks.flush() } };
    default:
      return { status: 404, body: { error: "not_found" } };
  }
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
