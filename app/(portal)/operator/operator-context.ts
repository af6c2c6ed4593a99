import { notFound, redirect } from "next/navigation";
import { type OperatorAction, operatorActions } from "#server/accounts/authorize.ts";
import type { SessionContext } from "#server/accounts/sessions/find-session.ts";
import { currentAddress } from "../../page-context.ts";
import { mayPerform, portalPage } from "../portal-context.ts";

/**
 * The API and data for every page of the console. An account that isn't an operator, or whose role doesn't allow the
 * page's action, gets the "not found" page. Until an operator has confirmed a second factor, every page redirects to
 * the form for the second factor.
 * @param action the action that the role must allow; undefined if every operator may open the page
 */
export const operatorPage = async (path: string, action?: OperatorAction) => {
  const page = await portalPage(path);
  if (page.account.operatorRole === null) notFound();
  if (!page.session.hasSecondFactor) {
    redirect(`/operator/second-factor?return_to=${encodeURIComponent(await currentAddress())}`);
  }
  const may = (wanted: OperatorAction): boolean => mayPerform(page.actor, wanted, { kind: "any" });
  if (action && !may(action)) notFound();
  return { ...page, may };
};

/**
 * Replaces `operatorPage` on pages that manage the status page. The status page covers production only, so the sandbox
 * doesn't have these pages.
 */
export const statusOperatorPage = async (path: string, action?: OperatorAction) => {
  const page = await operatorPage(path, action);
  if (page.config.environment !== "production") notFound();
  return page;
};

/** The actions that the role of the session's account allows. Without a second factor, no action is allowed. */
export const allowedActions = ({ account, hasSecondFactor }: SessionContext): OperatorAction[] => {
  const role = account.operatorRole;
  if (role === null || !hasSecondFactor) return [];
  return (Object.keys(operatorActions) as OperatorAction[]).filter((action) => operatorActions[action].includes(role));
};
