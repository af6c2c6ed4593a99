import { participantHistoryEndpoint } from "#server/endpoints/directory/participants.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(participantHistoryEndpoint);
