import { chooseMerchantEndpoint } from "#server/endpoints/merchants/choose-merchant.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(chooseMerchantEndpoint);
