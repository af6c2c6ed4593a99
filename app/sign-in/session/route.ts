import { signInEndpoint } from "#server/endpoints/accounts/sign-in.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(signInEndpoint);
