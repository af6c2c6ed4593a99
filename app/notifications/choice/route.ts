import { chooseMailEndpoint } from "#server/endpoints/accounts/mail-choice.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(chooseMailEndpoint);
