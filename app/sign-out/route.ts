import { signOutEndpoint } from "#server/endpoints/accounts/sign-out.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(signOutEndpoint);
