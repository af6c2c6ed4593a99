"use client";
import { ReasonField } from "../portal/acts/reason-dialog.tsx";
import { trpc } from "../portal/acts/trpc-client.ts";
import { textField } from "../portal/acts/use-act.tsx";
import { TokenForm, type TokenFormProps } from "../portal/tokens/token-form.tsx";

export const AgentTokenForm = (props: TokenFormProps) => (
  <TokenForm
    {...props}
    selected={props.scopes.map(([scope]) => scope)}
    kind="agent"
    label={{ name: "Owner", hint: "The person or company that registers agents with the token." }}
    listHref="/operator/agents"
    create={(token, form) => trpc.operatorAgents.createToken.mutate({ ...token, reason: textField(form, "reason") })}
  >
    <ReasonField />
  </TokenForm>
);
