import type { z } from "zod";
import type { Config, RateLimitClass } from "../deps/config.ts";
import type { Deps, RequestInfo } from "../deps/deps.ts";
import type { ResourceName } from "../kernel/resource-name.ts";
import type { AccessTokenCaller, AuthenticatedClient, PendingClient, RegistrationCaller } from "./callers.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** How a caller proves who it is, and what the handler then knows of it. */
export type Auth =
  /** `initialToken`: where its handler asks for an initial access token (RFC 7591 §3) */
  | { kind: "none"; initialToken?: true }
  /** private_key_jwt at the authorization server (RFC 7523) */
  | { kind: "client" }
  /** the same, with the assertion left for the handler to consume together with what it does */
  | { kind: "pending_client" }
  /** registration access token of the client that the path names (RFC 7592) */
  | { kind: "registration_token" }
  /** access token for one resource, Bearer or DPoP (RFC 6750, RFC 9449 §7) */
  | {
      kind: "access_token";
      resource: ResourceName;
      scope: string | null;
      /** does as well as `scope` */
      orScope?: string;
      /** the payer whom the token speaks for has proved who they are within half a year, else it is challenged (RFC 9470) */
      wantsPayersProof?: true;
      /** its body may name a mandate as `mandate_id`, which is found by the statement that looks at the token */
      namesMandate?: true;
      /** a GET that writes all the same: its caller's proof is used once, as with every other method (RFC 9449 §11.1) */
      writes?: true;
    };

export type CallerOf<A extends Auth> = A extends { kind: "client" }
  ? AuthenticatedClient
  : A extends { kind: "pending_client" }
    ? PendingClient
    : A extends { kind: "registration_token" }
      ? RegistrationCaller
      : A extends { kind: "access_token" }
        ? AccessTokenCaller
        : null;

/** A request as endpoints read it: a web Request is one, and so is what the gateway makes of Node's message. */
export type EndpointRequest = {
  readonly method: string;
  /** absolute, at our own host */
  readonly url: string;
  readonly headers: Pick<Headers, "get" | "has">;
  /** where its length is not announced */
  readonly body: ReadableStream<Uint8Array> | null;
  /** the whole body, once, where its length is announced */
  arrayBuffer(): Promise<ArrayBuffer | Uint8Array>;
};

type Context<A extends Auth> = {
  deps: Deps;
  info: RequestInfo;
  caller: CallerOf<A>;
  request: EndpointRequest;
  /** before an answer that tells a merchant something of a mandate's budget; throws too_many_requests */
  admitBudgetAnswer(about: { merchantId: string; mandateId: string }): void;
};

/** A repeatable form parameter (`resource`, `audience`) is a list, every other one a text. */
export type FormFields = Readonly<Record<string, string | readonly string[]>>;

export type Reply = {
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** a `set-cookie` header each */
  cookies?: readonly string[];
  /** an object goes out as JSON; text and bytes as they are, under `contentType` */
  body?: object | string | Uint8Array;
  contentType?: string;
};

/** What an endpoint answers, as it goes out. */
export type Answer = {
  status: number;
  /** names in lower case, each once except `set-cookie`, and their values in turn; whole but for the length */
  headers: readonly string[];
  body: string | Uint8Array | null;
};

export type ResponseContract = {
  description: string;
  contentType?: string;
  schema?: z.ZodType;
  headers?: Readonly<Record<string, string>>;
  example?: unknown;
  /** further media types of the same answer, by Accept */
  alternatives?: Readonly<Record<string, { schema?: z.ZodType; example?: unknown }>>;
};

type AnySchema = z.ZodType;
type Out<S> = S extends z.ZodType<infer T> ? T : Record<string, never>;

/** What decides which endpoints a server offers. */
export type Offering = Pick<Config, "environment" | "simulatorUrl" | "simulatorKey" | "stripe">;

export type EndpointDefinition<
  A extends Auth,
  B extends AnySchema | undefined,
  Q extends AnySchema | undefined,
  P extends AnySchema | undefined,
> = {
  method: Method;
  /** with `{name}` segments, as OpenAPI writes them */
  path: string;
  operationId: string;
  summary: string;
  tag: string;
  /** for example `RFC 9126` */
  standards: readonly string[];
  auth: A;
  /** shape of errors: RFC 6749 §5.2 JSON, RFC 9457 problem details, or a page for a person */
  errors: "oauth" | "problem" | "page";
  /** error codes (oauth) or statuses and codes (problem) that a caller may meet */
  errorCodes: readonly string[];
  request: {
    content?: "form" | "json";
    /** where its body may be larger than others' */
    maxBytes?: number;
    body?: B;
    /** JSON all of whose members may be left out: nothing at all says the same as `{}` */
    mayBeAbsent?: true;
    query?: Q;
    /**
     * Query parameters that the contract doesn't name: refused by name where errors are problem details, and ignored by
     * OAuth's endpoints (RFC 6749 §3.1) and pages, unless said otherwise here.
     */
    otherParameters?: "refused" | "ignored";
    params?: P;
    headers?: Readonly<Record<string, { description: string; required: boolean }>>;
    example?: unknown;
  };
  responses: Readonly<Record<number, ResponseContract>>;
  /** what it is limited with; by its kind of caller where nothing is said (rate-limit.ts) */
  rateLimit?: RateLimitClass | "none";
  /** CORS: pages of any origin may call it and read its answers, without credentials */
  isPublic?: boolean;
  /** whether a server with this configuration has it; where not, nothing answers there and /openapi.json leaves it out */
  isOffered?(config: Offering): boolean;
  handle(context: Context<A>, input: { body: Out<B>; query: Out<Q>; params: Out<P> }): Promise<Reply>;
};

/** An endpoint as a value: `serve` answers by it, `toPathItem` documents it. */
export type Endpoint = Omit<EndpointDefinition<Auth, AnySchema, AnySchema, AnySchema>, "handle"> & {
  handle(context: Context<Auth>, input: { body: unknown; query: unknown; params: unknown }): Promise<Reply>;
};

export const defineEndpoint = <
  const A extends Auth,
  B extends AnySchema | undefined = undefined,
  Q extends AnySchema | undefined = undefined,
  P extends AnySchema | undefined = undefined,
>(
  definition: EndpointDefinition<A, B, Q, P>,
): Endpoint => definition as unknown as Endpoint;
