"use client";
import { ReasonField } from "../portal/acts/reason-dialog.tsx";
import { trpc } from "../portal/acts/trpc-client.ts";
import { textIn } from "../portal/acts/use-act.tsx";
import { TokenForm, type TokenFormProps } from "../portal/tokens/token-form.tsx";

export const AgentTokenForm = (props: TokenFormProps) => (
  <TokenForm
    {...props}
    kind="agent"
    label={{ name: "Owner", hint: "Who registers agents with it." }}
    listHref="/operator/agents"
    create={(wish, form) => trpc.operatorAgents.createToken.mutate({ ...wish, reason: textIn(form, "reason") })}
  >
    <ReasonField />
  </TokenForm>
);
