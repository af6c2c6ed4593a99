import type { ReactNode } from "react";
import { AccountFrame } from "../account-frame.tsx";

/** The frame of each page of the sign-up. */
export const SignUpFrame = (page: { title: string; intro: ReactNode; children: ReactNode }) => (
  <AccountFrame {...page} areas={["sign-up", "passkey"]} />
);
