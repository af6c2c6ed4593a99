import { notFound, redirect } from "next/navigation";
import { type OperatorAction, operatorActions } from "#server/accounts/authorize.ts";
import type { SessionContext } from "#server/accounts/sessions/find-session.ts";
import { mayPerform, portalPage } from "../portal-context.ts";

/**
 * The API and data for every page of the console. An account that isn't an operator gets the "not found" page, and so
 * does an operator whose role doesn't allow the page's action. Without a second factor, only its page opens.
 * @param action what the page is for, if not every operator may do it
 */
export const operatorPage = async (path: string, action?: OperatorAction) => {
  const page = await portalPage(path);
  if (page.account.operatorRole === null) notFound();
  if (!page.session.hasSecondFactor) redirect(`/operator/second-factor?return_to=${encodeURIComponent(path)}`);
  const may = (wanted: OperatorAction): boolean => mayPerform(page.actor, wanted, { kind: "any" });
  if (action && !may(action)) notFound();
  return { ...page, may };
};

/** Like `operatorPage`, for pages about the status page. The status page covers production, so the sandbox has none. */
export const statusOperatorPage = async (path: string, action?: OperatorAction) => {
  const page = await operatorPage(path, action);
  if (page.config.environment !== "production") notFound();
  return page;
};

/** The actions that the role of a session allows; none before the second factor. */
export const allowedActions = ({ account, hasSecondFactor }: SessionContext): OperatorAction[] => {
  const role = account.operatorRole;
  if (role === null || !hasSecondFactor) return [];
  return (Object.keys(operatorActions) as OperatorAction[]).filter((action) => operatorActions[action].includes(role));
};
