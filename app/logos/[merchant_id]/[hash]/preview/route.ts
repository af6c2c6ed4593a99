import { merchantLogoPreviewEndpoint } from "#server/endpoints/merchants/logo-preview.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(merchantLogoPreviewEndpoint);
