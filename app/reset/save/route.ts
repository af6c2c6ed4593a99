import { resetPasswordEndpoint } from "#server/endpoints/accounts/reset-password.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(resetPasswordEndpoint);
