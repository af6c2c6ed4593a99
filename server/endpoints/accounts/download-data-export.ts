import { z } from "zod";
import { findSession } from "../../accounts/sessions/find-session.ts";
import { defineEndpoint, type RawReply } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { DomainError } from "../../kernel/errors.ts";
import { findDataExport } from "../../privacy/find-data-export.ts";

/** The link on the privacy page. Without a session, the browser goes to the sign-in form and returns to the page. */
export const downloadDataExportEndpoint = defineEndpoint({
  method: "GET",
  path: "/wallet/privacy/exports/{export_id}",
  operationId: "downloadDataExport",
  summary: "Download an export of the signed-in account’s data",
  tag: "Wallet",
  standards: [],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "page",
  errorCodes: ["404"],
  request: { params: z.object({ export_id: z.string().max(64) }) },
  responses: {
    200: {
      description: "The export, as a file with one JSON document",
      contentType: "application/json",
      example: '{"exported_at":"2026-11-26T12:00:00.000Z","account":{"id":"acc_…"}}',
    },
    303: { description: "Redirects a visitor to the sign-in form" },
  },
  async handle({ deps, request }, { params }): Promise<RawReply> {
    const session = await findSession(deps, request.headers.get("cookie"));
    if (!session) {
      return { status: 303, headers: { ...noStore, location: "/sign-in?return_to=%2Fwallet%2Fprivacy" } };
    }
    const content = await findDataExport(deps, { id: params.export_id, accountId: session.account.id });
    if (!content) throw exportNotFound();
    return {
      status: 200,
      headers: { ...noStore, "content-disposition": `attachment; filename="paygrant-${params.export_id}.json"` },
      contentType: "application/json",
      body: content,
    };
  },
});

const exportNotFound = (): DomainError =>
  new DomainError("not_found", {
    code: "data_export_not_found",
    message: "Export not found. It may have expired: request a new one.",
  });
