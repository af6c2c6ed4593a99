import { notFound } from "next/navigation";
import { portalPage } from "../portal-context.ts";

/** What every page of the console works with. For an account that isn't an operator the page doesn't exist. */
export const operatorPage = async (path: string) => {
  const page = await portalPage(path);
  if (!page.account.isOperator) notFound();
  return page;
};

/** Like `operatorPage`, for pages about the status page. It covers production, so the sandbox has no such page. */
export const statusOperatorPage = async (path: string) => {
  const page = await operatorPage(path);
  if (page.config.environment !== "production") notFound();
  return page;
};
