import type { JsonWebKey } from "node:crypto";

/** A client that authenticates by private_key_jwt: each request contains a separate assertion. */
export type Signer = { clientId: string; kid: string; privateJwk: JsonWebKey; audience: string };

export type RequestTemplate = {
  method: "GET" | "POST";
  path: string;
  headers: Readonly<Record<string, string>>;
  body:
    | { kind: "none" }
    | { kind: "signed_form"; fields: Readonly<Record<string, string>>; signer: Signer }
    /** the values are used in turn */
    | { kind: "json"; values: readonly object[] };
  /** whether each request has a new Idempotency-Key */
  isIdempotent?: boolean;
};

export type Shape =
  | "token"
  | "pushed_request"
  | "introspection"
  | "verdict"
  | "charge"
  | "jwks"
  | "status_list"
  | "usage";

/** One run: duration, load, and the required answer. */
export type Job = {
  port: number;
  request: RequestTemplate;
  expected: { status: number; shape: Shape };
  connections: number;
  seconds: number;
  /** arrivals at this rate, independent of the server; null: each connection sends again after its answer */
  ratePerSecond: number | null;
  /** requests prepared before the clock starts; the run ends early when all are used */
  prepared: number;
};

export type RunResult = {
  answered: number;
  seconds: number;
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  /** number of answers that weren't a success; `samples` contains the first few of them */
  failures: number;
  samples: string[];
};

/** The results of jobs that ran at the same time. The figures are of the whole run, without its preparation. */
export type Together = {
  results: RunResult[];
  seconds: number;
  /** CPU time of the load generator */
  cpuSeconds: number;
};
