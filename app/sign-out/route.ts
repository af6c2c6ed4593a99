import { signOutEndpoint } from "#server/accounts/endpoints/sign-out.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(signOutEndpoint);
