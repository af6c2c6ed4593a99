import type { JsonWebKey } from "node:crypto";

/** A client that authenticates by private_key_jwt: each of its requests carries an assertion of its own. */
export type Signer = { clientId: string; kid: string; privateJwk: JsonWebKey; audience: string };

export type RequestTemplate = {
  method: "GET" | "POST";
  path: string;
  headers: Readonly<Record<string, string>>;
  body:
    | { kind: "none" }
    | { kind: "signed_form"; fields: Readonly<Record<string, string>>; signer: Signer }
    /** taken in turn */
    | { kind: "json"; values: readonly object[] };
  /** a new Idempotency-Key for each */
  isIdempotent?: boolean;
};

export type Shape = "token" | "pushed_request" | "introspection" | "verdict" | "charge" | "jwks" | "status_list";

/** One run: how long, how hard, and what each answer must be. */
export type Job = {
  port: number;
  request: RequestTemplate;
  expected: { status: number; shape: Shape };
  connections: number;
  seconds: number;
  /** arrivals at this rate, whatever the server does; null: each connection asks again as soon as it is answered */
  ratePerSecond: number | null;
  /** requests made ready before the clock starts; the run ends early where they run out */
  prepared: number;
};

export type RunResult = {
  answered: number;
  seconds: number;
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  /** answers that were no success, and the first few of them */
  failures: number;
  samples: string[];
};
