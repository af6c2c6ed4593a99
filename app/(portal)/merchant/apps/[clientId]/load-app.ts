import { cache } from "react";
import { orNotFound } from "../../../portal-context.ts";
import { merchantPage } from "../../merchant-context.ts";

/** Loads the app that the URL names, for the page and its title. */
export const loadApp = cache(async (clientId: string) => {
  const page = await merchantPage(`/merchant/apps/${encodeURIComponent(clientId)}`);
  return { ...page, app: await orNotFound(page.api.apps.app({ clientId })) };
});

export type AppParams = { params: Promise<{ clientId: string }> };
