/** The protected resources that access tokens are for (RFC 9728). */
export type ResourceName = "authorization_server" | "merchant_test" | "billing" | "directory";
