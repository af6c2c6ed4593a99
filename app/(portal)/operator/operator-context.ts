import { headers } from "next/headers";
import { notFound } from "next/navigation";
import type { Reader } from "#components/format/reader.ts";
import { contextOf } from "#server/trpc/context.ts";
import { createCaller } from "#server/trpc/root.ts";
import { pageDeps, requireSession } from "../../page-context.ts";

/** What every page of the console works with. To whoever is no operator there is no such page. */
export const operatorPage = async (path: string) => {
  const deps = await pageDeps();
  const session = await requireSession(path);
  if (!session.account.isOperator) notFound();
  const { email, locale, timeZone } = session.account;
  const reader: Reader = { locale, timeZone };
  return {
    api: createCaller(contextOf(deps, await headers(), session)),
    reader,
    email,
    now: deps.clock.now(),
    businessNow: await deps.businessClock.now(),
    config: deps.config,
  };
};

/** The status page tells of production, and is told there: the sandbox's console has no such page. */
export const statusDeskPage = async (path: string) => {
  const page = await operatorPage(path);
  if (page.config.environment !== "production") notFound();
  return page;
};
