import { merchantLogoEndpoint } from "#server/endpoints/merchants/logo.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(merchantLogoEndpoint);
