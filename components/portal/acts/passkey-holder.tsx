"use client";
import { createContext, type ReactNode, useContext } from "react";

const HasPasskey = createContext(false);

/** Provides `useHasPasskey`: whether the signed-in account has a passkey. */
export const PasskeyHolder = ({ hasPasskey, children }: { hasPasskey: boolean; children: ReactNode }) => (
  <HasPasskey value={hasPasskey}>{children}</HasPasskey>
);

export const useHasPasskey = (): boolean => useContext(HasPasskey);
