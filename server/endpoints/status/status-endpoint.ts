import type { z } from "zod";
import type { BodyOf, Endpoint, EndpointDefinition, Reply, Responses } from "../../contract/endpoint.ts";
import type { RequestInfo } from "../../deps/deps.ts";
import type { StatusDeps } from "../../status/runtime.ts";

type StatusContext = { deps: StatusDeps; info: RequestInfo; request: Request };
type Contract = EndpointDefinition<
  { kind: "none" },
  z.ZodType | undefined,
  z.ZodType | undefined,
  z.ZodType | undefined,
  Responses
>;
type Out<S> = S extends z.ZodType<infer T> ? T : Record<string, never>;

/**
 * The URL of the page with the endpoint's form, filled in with the values that were sent. A refused form links to it.
 */
type FormPage = (deps: StatusDeps, body: unknown) => string;

type StatusEndpointDefinition<
  B extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  P extends z.ZodType | undefined,
  R extends Responses,
> = Omit<Contract, "auth" | "errors" | "rateLimit" | "request" | "responses" | "handle"> & {
  responses: R;
  formPage?: FormPage;
  request: Omit<Contract["request"], "body" | "query" | "params"> & { body?: B; query?: Q; params?: P };
  answer(context: StatusContext, input: { body: Out<B>; query: Out<Q>; params: Out<P> }): Promise<Reply<BodyOf<R>>>;
};

/** An endpoint that only the status process serves, without authentication. */
export type StatusEndpoint = Endpoint & {
  formPage?: FormPage;
  answer(context: StatusContext, input: { body: unknown; query: unknown; params: unknown }): Promise<Reply>;
};

export const defineStatusEndpoint = <
  B extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  P extends z.ZodType | undefined = undefined,
  const R extends Responses = Responses,
>(
  definition: StatusEndpointDefinition<B, Q, P, R>,
): StatusEndpoint =>
  ({
    ...definition,
    auth: { kind: "none" },
    errors: "problem",
    rateLimit: "none",
    handle() {
      throw new Error("only the status process answers this");
    },
  }) as unknown as StatusEndpoint;
