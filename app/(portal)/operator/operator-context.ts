import { notFound } from "next/navigation";
import { portalPage } from "../portal-context.ts";

/** The API and data for every page of the console. An account that isn't an operator gets the "not found" page. */
export const operatorPage = async (path: string) => {
  const page = await portalPage(path);
  if (!page.account.isOperator) notFound();
  return page;
};

/** Like `operatorPage`, for pages about the status page. The status page covers production, so the sandbox has none. */
export const statusOperatorPage = async (path: string) => {
  const page = await operatorPage(path);
  if (page.config.environment !== "production") notFound();
  return page;
};
