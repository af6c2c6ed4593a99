"use client";
import { TokenForm, type TokenFormProps } from "../apps/token-form.tsx";
import { trpc } from "../wallet/trpc-client.ts";
import { ReasonField } from "./reason-dialog.tsx";
import { textIn } from "./use-act.tsx";

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
