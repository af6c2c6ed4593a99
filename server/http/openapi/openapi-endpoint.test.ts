import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Config } from "../../deps/config.ts";
import type { Deps } from "../../deps/deps.ts";
import { readVariables, toConfig } from "../../platform/config.ts";
import { discoverRoutes, matchRoute } from "../gateway/routes.ts";
import { provideDeps } from "../runtime.ts";
import { openApiText } from "./openapi-endpoint.ts";

/**
 * All routes except two kinds: tRPC's own transport, which only pages use, and the routes of the status process, which
 * has its own configuration.
 */
const routes = (await discoverRoutes(path.resolve("app"))).filter(
  ({ pattern }) => !pattern.startsWith("/api/trpc/") && !pattern.startsWith("/status/"),
);

const stripe = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" };
const simulator = { SIMULATOR_URL: "http://127.0.0.1:3003", SIMULATOR_KEY: "k" };
const configOf = (settings: Record<string, string>): Config =>
  toConfig(
    readVariables({
      DATABASE_URL: "postgres://paygrant@127.0.0.1:5432/paygrant",
      MASTER_KEY: Buffer.alloc(32, 1).toString("base64url"),
      ...settings,
    }),
  );

const documentedRoutes = (config: Config): string[] => {
  const { paths } = JSON.parse(openApiText(config)) as { paths: Record<string, object> };
  const found = Object.keys(paths).map((template) => matchRoute(routes, template.replaceAll(/\{[^}]+\}/g, "x")));
  return [...new Set(found.flatMap((match) => match?.route.pattern ?? []))].sort();
};

const answeredRoutes = async (config: Config): Promise<string[]> => {
  provideDeps({ config } as Deps);
  const answered = await Promise.all(
    routes.map(async ({ pattern, handlers }) => {
      const request = new Request(`http://localhost${pattern.replaceAll(/\[[^\]]+\]/g, "x")}`, { method: "OPTIONS" });
      const answer = await handlers["OPTIONS"]?.(request, { params: Promise.resolve({}) });
      return answer?.status === 404 ? [] : [pattern];
    }),
  );
  return answered.flat().sort();
};

describe("/openapi.json lists the endpoints of the running server (docs/spec/oauth.md, OpenAPI document)", () => {
  const production = { PAYGRANT_ENVIRONMENT: "production" };
  const sandbox = { PAYGRANT_ENVIRONMENT: "sandbox" };
  const sandboxOnly = ["/demo/callback", "/docs/button/callback", "/sandbox/clock"];
  const [byStripe, bySimulator] = ["/processors/stripe/webhook", "/processors/simulator/webhook"];
  const configurations: [string, Record<string, string>, string[]][] = [
    ["production with the simulator", { ...production, ...simulator }, [...sandboxOnly, byStripe]],
    ["production with Stripe", { ...production, ...stripe }, [...sandboxOnly, bySimulator]],
    ["production with both", { ...production, ...stripe, ...simulator }, sandboxOnly],
    ["production without a processor", production, [...sandboxOnly, bySimulator, byStripe]],
    ["the sandbox with the simulator", { ...sandbox, ...simulator }, [byStripe]],
    ["the sandbox with Stripe", { ...sandbox, ...stripe }, [bySimulator]],
  ];

  test.each(configurations)("%s", async (_name, settings, missing) => {
    const config = configOf(settings);
    const answered = await answeredRoutes(config);
    expect(documentedRoutes(config)).toEqual(answered);
    expect(
      routes
        .map(({ pattern }) => pattern)
        .filter((pattern) => !answered.includes(pattern))
        .sort(),
    ).toEqual(missing.toSorted());
  });
});
