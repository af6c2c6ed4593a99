import { verifySignUpEndpoint } from "#server/endpoints/accounts/sign-up/verify.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(verifySignUpEndpoint);
