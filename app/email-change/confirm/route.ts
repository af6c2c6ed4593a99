import { confirmEmailChangeEndpoint } from "#server/endpoints/accounts/confirm-email-change.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(confirmEmailChangeEndpoint);
