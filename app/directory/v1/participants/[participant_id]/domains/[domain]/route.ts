import { giveUpDomainEndpoint } from "#server/endpoints/directory/domains.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(giveUpDomainEndpoint);
