"use client";
import { createContext, type ReactNode, useContext } from "react";
import type { ProofMethods } from "#server/accounts/sessions/find-proof-methods.ts";

const Methods = createContext<ProofMethods>({ hasPassword: true, hasPasskey: false, hasRecoveryCodes: false });

/** Provides `useProofMethods`: how the signed-in account can prove its identity. */
export const ProofMethodsHolder = ({ methods, children }: { methods: ProofMethods; children: ReactNode }) => (
  <Methods value={methods}>{children}</Methods>
);

export const useProofMethods = (): ProofMethods => useContext(Methods);
