"use client";
import { createContext, type ReactNode, useContext } from "react";
import type { OperatorAction } from "#server/accounts/authorize.ts";

const Allowed = createContext<readonly OperatorAction[]>([]);

/** Provides `IfAllowed` with the actions that the operator's role allows. */
export const AllowedActions = ({ actions, children }: { actions: readonly OperatorAction[]; children: ReactNode }) => (
  <Allowed value={actions}>{children}</Allowed>
);

/** Shows an action only to operators whose role allows it. The procedure checks again. */
export const IfAllowed = ({ action, children }: { action: OperatorAction; children: ReactNode }) =>
  useContext(Allowed).includes(action) ? children : null;
