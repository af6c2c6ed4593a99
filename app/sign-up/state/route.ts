import { signUpStateEndpoint } from "#server/endpoints/accounts/sign-up/state.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(signUpStateEndpoint);
