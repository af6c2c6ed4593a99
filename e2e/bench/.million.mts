import { startWorld } from "../../e2e/bench/growth/world.ts";
import { listActivity, listActivityChoices } from "../../server/charges/payers/list-activity.ts";
import { summarizeSpend } from "../../server/charges/payers/summarize-spend.ts";
import { getActivityPrint } from "../../server/charges/payers/watch-activity.ts";
const world = await startWorld(new Date());
const { prisma, sql } = world.deps.db;
const x = (t: string) => prisma.$executeRawUnsafe(t);
const n = 1_000_000;
try {
  await x(`INSERT INTO account (id,email,display_name,created_at) VALUES ('acc_1','p@x.test','P',now())`);
  await x(`INSERT INTO merchant (id,display_name,legal_name,mcc,processor,processor_account,created_at) SELECT 'mch_'||g,'Shop '||g,'S','5411','simulator','a'||g,now() FROM generate_series(1,50) g`);
  await x(`INSERT INTO client (id,kind,name,metadata,redirect_uris,grant_types,scopes,jwks,dpop_bound,registration_token_hash,created_at) SELECT 'cl_'||g,'agent','Agent '||g,'{}','{}','{}','{}','{}',false,'-',now() FROM generate_series(1,20) g`);
  await x(`INSERT INTO "grant" (id,client_id,payer_id,scopes,created_at) SELECT 'grt_'||g,'cl_'||g,'acc_1','{}',now() FROM generate_series(1,20) g`);
  await x(`INSERT INTO mandate (id,grant_id,client_id,payer_id,state,suspended_by,details,actions,currency,periodic_limits,time_zone,payee_merchant_ids,payee_categories,valid_from,valid_until,payer_presence,refund_policy,approval_mails_at,consented_at,created_at) SELECT 'mdt_'||g,'grt_'||g,'cl_'||g,'acc_1','active','{}','{}','{}','EUR','[]','UTC','{}','{}',now(),now()+interval '1 year','{}','consume','{}',now(),now()-g*interval '1 minute' FROM generate_series(1,20) g`);
  const t0 = performance.now();
  for (let i = 0; i < 10; i++) await x(`INSERT INTO charge (id,merchant_id,mandate_id,mandate_version,merchant_client_id,agent_client_id,payer_id,state,amount,currency,amount_captured,capture_method,payer_presence,metadata,periods,processor,processor_account,payment_method_ref,created_at,updated_at)
   SELECT 'chg_'||g,'mch_'||(1+g%50),'mdt_'||(1+g%20),1,'c','cl_'||(1+g%20),'acc_1',(CASE WHEN g=777777 THEN 'voided' WHEN g%1000=0 THEN 'declined' ELSE 'succeeded' END)::charge_state,100,'EUR',CASE WHEN g%1000=0 THEN 0 ELSE 100 END,'automatic','off_session','{}','[]','simulator','a','pm',now()-g*interval '2 seconds',now() FROM generate_series(${i * 100000 + 1},${(i + 1) * 100000}) g`);
  console.log("insert s", Math.round((performance.now() - t0) / 1000));
  await x("ANALYZE");
  const time = async (name: string, work: () => Promise<unknown>) => {
    const ms: number[] = [];
    for (let k = 0; k < 40; k++) { const t = performance.now(); await work(); ms.push(performance.now() - t); }
    ms.sort((a, b) => a - b);
    console.log(name, "median", ms[20]!.toFixed(1), "p95", ms[37]!.toFixed(1));
  };
  const base = { payerId: "acc_1", limit: 25 };
  await time("all", () => listActivity(world.deps, base));
  await time("state failed", () => listActivity(world.deps, { ...base, states: ["declined", "voided", "expired"] }));
  await time("one voided", () => listActivity(world.deps, { ...base, states: ["voided"] }));
  await time("no match", () => listActivity(world.deps, { ...base, states: ["disputed"] }));
  await time("agent", () => listActivity(world.deps, { ...base, clientId: "cl_7" }));
  await time("agent+failed", () => listActivity(world.deps, { ...base, clientId: "cl_7", states: ["declined", "voided", "expired"] }));
  await time("merchant", () => listActivity(world.deps, { ...base, merchantId: "mch_9" }));
  await time("merchant+failed", () => listActivity(world.deps, { ...base, merchantId: "mch_1", states: ["declined"] }));
  await time("mandate", () => listActivity(world.deps, { ...base, mandateId: "mdt_3" }));
  await time("dates", () => listActivity(world.deps, { ...base, createdFrom: new Date(Date.now() - 9 * 864e5), createdTo: new Date(Date.now() - 8 * 864e5) }));
  await time("choices", () => listActivityChoices(world.deps, base));
  await time("spend", () => summarizeSpend(world.deps, { payerId: "acc_1", timeZone: "UTC" }));
  await time("print", () => getActivityPrint(world.deps, "acc_1"));
} finally { await world.stop(); }
process.exit(0);
