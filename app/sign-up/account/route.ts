import { beginSignUpEndpoint } from "#server/endpoints/accounts/sign-up/begin.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(beginSignUpEndpoint);
