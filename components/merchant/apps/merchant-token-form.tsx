"use client";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { TokenForm, type TokenFormProps } from "../../portal/tokens/token-form.tsx";

export const MerchantTokenForm = ({ merchantId, ...props }: TokenFormProps & { merchantId: string }) => (
  <TokenForm
    {...props}
    kind="merchant"
    label={{ name: "Name", hint: "Describe what the token is for. Your team sees this name." }}
    listHref="/merchant/apps"
    create={(token) => trpc.apps.createToken.mutate({ merchantId, ...token })}
  />
);
