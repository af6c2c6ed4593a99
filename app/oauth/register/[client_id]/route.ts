import {
  deleteClientEndpoint,
  readRegistrationEndpoint,
  replaceRegistrationEndpoint,
} from "#server/endpoints/oauth/client-configuration.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(
  readRegistrationEndpoint,
  replaceRegistrationEndpoint,
  deleteClientEndpoint,
);
