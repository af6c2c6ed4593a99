import type { z } from "zod";
import type { Config, RateLimitClass } from "../deps/config.ts";
import type { Deps, RequestInfo } from "../deps/deps.ts";
import type { ResourceName } from "../kernel/resource-name.ts";
import type { AccessTokenCaller, AuthenticatedClient, PendingClient, RegistrationCaller } from "./callers.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** How a caller authenticates. This determines the type of the handler's `caller`. */
export type Auth =
  /** `initialToken`: the handler itself requires an initial access token (RFC 7591 §3) */
  | { kind: "none"; initialToken?: true }
  /** private_key_jwt at the authorization server (RFC 7523) */
  | { kind: "client" }
  /** the same, but the handler consumes the assertion in the statement that does its work */
  | { kind: "pending_client" }
  /** registration access token of the client in the path (RFC 7592) */
  | { kind: "registration_token" }
  /** access token for one resource, as Bearer or DPoP (RFC 6750, RFC 9449 §7) */
  | {
      kind: "access_token";
      resource: ResourceName;
      scope: string | null;
      /** accepted instead of `scope` */
      orScope?: string;
      /** challenges the client if the payer behind the token authenticated more than half a year ago (RFC 9470) */
      limitsAuthenticationAge?: true;
      /** the body may have a `mandate_id`; the statement that checks the token also reads this mandate */
      namesMandate?: true;
      /** a GET that writes: its DPoP proof is single use, as with every other method (RFC 9449 §11.1) */
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

/** The part of a request that endpoints read: a web Request, or the gateway's view of Node's message. */
export type EndpointRequest = {
  readonly method: string;
  /** absolute, at our own host */
  readonly url: string;
  readonly headers: Pick<Headers, "get" | "has">;
  /** if the request has no Content-Length */
  readonly body: ReadableStream<Uint8Array> | null;
  /** the whole body, once, if the request has a Content-Length */
  arrayBuffer(): Promise<ArrayBuffer | Uint8Array>;
};

type Context<A extends Auth> = {
  deps: Deps;
  info: RequestInfo;
  caller: CallerOf<A>;
  request: EndpointRequest;
  /** call it before a response that reveals something about a mandate's budget; throws too_many_requests */
  admitBudgetAnswer(about: { merchantId: string; mandateId: string }): void;
};

/** Repeatable form parameters (`resource`, `audience`) are lists, all others are strings. */
export type FormFields = Readonly<Record<string, string | readonly string[]>>;

export type Reply<Body extends object = object> = {
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** one `set-cookie` header each */
  cookies?: readonly string[];
  /** an object is sent as JSON; strings, bytes and streams of bytes are sent unchanged as `contentType` */
  body?: Body | string | Uint8Array | ReadableStream<Uint8Array>;
  contentType?: string;
};

/** A reply without an object as its body: text, bytes or nothing. */
export type RawReply = Reply<never>;

/** A response in the form that is sent. */
export type Answer = {
  status: number;
  /**
   * alternating names and values; names in lower case, each once except `set-cookie`; complete except Content-Length
   */
  headers: readonly string[];
  body: string | Uint8Array | ReadableStream<Uint8Array> | null;
};

export type ResponseContract = {
  description: string;
  contentType?: string;
  schema?: z.ZodType;
  headers?: Readonly<Record<string, string>>;
  example?: unknown;
  /** the same response in other media types; the Accept header selects one */
  alternatives?: Readonly<Record<string, { schema?: z.ZodType; example?: unknown }>>;
};

export type Responses = Readonly<Record<number, ResponseContract>>;

/** The objects that an endpoint may send, as the schemas of its responses describe them. */
export type BodyOf<R extends Responses> = {
  [Status in keyof R]: R[Status] extends { schema: z.ZodType<infer T extends object> } ? Immutable<T> : never;
}[keyof R];

type Immutable<T> = T extends object ? { readonly [Name in keyof T]: Immutable<T[Name]> } : T;

type AnySchema = z.ZodType;
type Out<S> = S extends z.ZodType<infer T> ? T : Record<string, never>;

/** The configuration that decides which endpoints a server offers. */
export type Offering = Pick<Config, "environment" | "simulatorUrl" | "simulatorKey" | "stripe">;

export type EndpointDefinition<
  A extends Auth,
  B extends AnySchema | undefined,
  Q extends AnySchema | undefined,
  P extends AnySchema | undefined,
  R extends Responses,
> = {
  method: Method;
  /** with `{name}` segments, as OpenAPI writes them */
  path: string;
  /** the value of the last `{name}` in the path may have several segments, with the slashes between them */
  takesRest?: true;
  operationId: string;
  summary: string;
  tag: string;
  /** for example `RFC 9126` */
  standards: readonly string[];
  auth: A;
  /** shape of errors: RFC 6749 §5.2 JSON, RFC 9457 problem details, or a page for a person */
  errors: "oauth" | "problem" | "page";
  /** error codes that a caller may get */
  errorCodes: readonly string[];
  request: {
    content?: "form" | "json";
    /** if the body may be larger than the default limit */
    maxBytes?: number;
    body?: B;
    /**
     * the name of a list in the body; the handler checks the text of each element (`holdsText`), so that it can refuse
     * single elements
     */
    checksTextOf?: string;
    /** all members are optional, so an empty body means `{}` */
    mayBeAbsent?: true;
    query?: Q;
    /**
     * Query parameters that the contract doesn't name. By default they are refused if errors are problem details, and
     * ignored at OAuth endpoints (RFC 6749 §3.1) and on pages.
     */
    otherParameters?: "refused" | "ignored";
    /** query parameters may be repeated: each is a list of its values */
    repeats?: true;
    params?: P;
    headers?: Readonly<Record<string, { description: string; required: boolean }>>;
    example?: unknown;
  };
  responses: R;
  /** its rate limit; the default depends on `auth` (rate-limit.ts) */
  rateLimit?: RateLimitClass | "none";
  /** CORS: pages of any origin may call it without credentials and read the response */
  isPublic?: boolean;
  /**
   * whether a server with this configuration has the endpoint; if not, the path is unknown and /openapi.json omits it
   */
  isOffered?(config: Offering): boolean;
  handle(context: Context<A>, input: { body: Out<B>; query: Out<Q>; params: Out<P> }): Promise<Reply<BodyOf<R>>>;
};

/** An endpoint as a value: `serve` runs it, `toPathItem` documents it. */
export type Endpoint = Omit<EndpointDefinition<Auth, AnySchema, AnySchema, AnySchema, Responses>, "handle"> & {
  handle(context: Context<Auth>, input: { body: unknown; query: unknown; params: unknown }): Promise<Reply>;
};

export const defineEndpoint = <
  const A extends Auth,
  B extends AnySchema | undefined = undefined,
  Q extends AnySchema | undefined = undefined,
  P extends AnySchema | undefined = undefined,
  const R extends Responses = Responses,
>(
  definition: EndpointDefinition<A, B, Q, P, R>,
): Endpoint => definition as unknown as Endpoint;
