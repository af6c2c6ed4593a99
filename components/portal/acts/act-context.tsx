import type { ReactNode } from "react";
import type { ProofMethods } from "#server/accounts/sessions/find-proof-methods.ts";
import { Messages } from "../../format/messages.tsx";
import { Announcer } from "./announcer.tsx";
import { ProofMethodsHolder } from "./proof-methods.tsx";

/** Provides what actions need: texts, the ways in which the account can prove its identity, and announcements. */
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
    <ProofMethodsHolder methods={proofMethods}>
      <Announcer>{children}</Announcer>
    </ProofMethodsHolder>
  </Messages>
);
