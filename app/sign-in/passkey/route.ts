import { signInByPasskeyEndpoint } from "#server/endpoints/accounts/sign-in-by-passkey.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(signInByPasskeyEndpoint);
