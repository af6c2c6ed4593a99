import { chooseLanguageEndpoint } from "#server/endpoints/accounts/choose-language.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(chooseLanguageEndpoint);
