import { cache } from "react";
import { type ApiDocument, type Group, toGroups } from "#components/docs/api/api-reference.ts";
import type { Site } from "#components/docs/docs-frame.tsx";
import type { Config } from "#server/deps/config.ts";
import { openApiText } from "#server/http/openapi/openapi-endpoint.ts";
import { currentTheme, pageDeps } from "../../page-context.ts";

let groups: readonly Group[] | undefined;

/**
 * The operations are read from /openapi.json, so the pages always agree with the document. They are read only once,
 * because the document never changes while a process runs.
 */
const groupsOf = (config: Config): readonly Group[] => {
  groups ??= toGroups(JSON.parse(openApiText(config)) as ApiDocument);
  return groups;
};

/** Navigation and settings that every page of the documentation shares. */
export const docsSite = cache(async (): Promise<Site & { config: Config }> => {
  const { config } = await pageDeps();
  return {
    config,
    environment: config.environment,
    theme: await currentTheme(),
    statusUrl: config.statusUrl,
    isSignUpOpen: config.signUp === "open",
    demoUrl: config.environment === "sandbox" ? "/demo" : `${config.sandboxUrl}/demo`,
    groups: groupsOf(config),
  };
});
