"use client";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { TokenForm, type TokenFormProps } from "../../portal/tokens/token-form.tsx";

/** Creates a token with which agents register as clients of the merchant's entry. */
export const EntryTokenForm = ({ merchantId, ...props }: TokenFormProps & { merchantId: string }) => (
  <TokenForm
    {...props}
    kind="agent"
    label={{ name: "Name", hint: "Describe what the token is for. Your team sees this name." }}
    listHref="/merchant/directory"
    create={(token) => trpc.merchantDirectory.createToken.mutate({ merchantId, ...token })}
  />
);
