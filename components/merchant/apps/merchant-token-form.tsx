"use client";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { TokenForm, type TokenFormProps } from "../../portal/tokens/token-form.tsx";

export const MerchantTokenForm = ({ merchantId, ...props }: TokenFormProps & { merchantId: string }) => (
  <TokenForm
    {...props}
    kind="merchant"
    label={{ name: "Name", hint: "What it is for, as your team will know it." }}
    listHref="/merchant/apps"
    create={(wish) => trpc.apps.createToken.mutate({ merchantId, ...wish })}
  />
);
