"use client";
import { createContext, type ReactNode, useContext } from "react";

const HasPasskey = createContext(false);

/** Tells what is below whether who is signed in has a passkey, and so may be asked for it. */
export const PasskeyHolder = ({ hasPasskey, children }: { hasPasskey: boolean; children: ReactNode }) => (
  <HasPasskey value={hasPasskey}>{children}</HasPasskey>
);

export const useHasPasskey = (): boolean => useContext(HasPasskey);
