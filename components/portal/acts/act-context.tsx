import type { ReactNode } from "react";
import type { ProofMethods } from "#server/accounts/sessions/find-proof-methods.ts";
import { Messages } from "../../format/messages.tsx";
import { ProofMethodsHolder } from "./proof-methods.tsx";

/** Provides what `useAct` and `useStepUp` need: texts, and how the account can prove its identity. */
export const ActContext = ({
  locale,
  proofMethods,
  children,
}: {
  locale: string;
  proofMethods: ProofMethods;
  children: ReactNode;
}) => (
  <Messages locale={locale} areas={["acts", "amounts", "passkey"]}>
    <ProofMethodsHolder methods={proofMethods}>{children}</ProofMethodsHolder>
  </Messages>
);
