import { cancelNoticeEndpoint, getNoticeEndpoint } from "#server/endpoints/charges/charge-notices.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(getNoticeEndpoint, cancelNoticeEndpoint);
