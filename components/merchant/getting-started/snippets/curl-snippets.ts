import { pythonReceiver } from "./python-snippets.ts";
import type { Snippets } from "./snippet.ts";

/** curl, OpenSSL and Perl, in any POSIX shell. Placeholders are filled by `fillSnippet`. */
export const curlSnippets: Snippets = {
  setup: {
    file: null,
    code: String.raw`mkdir paygrant-start && cd paygrant-start
curl --version && openssl version && perl --version`,
  },
  token: {
    file: "get-token.sh",
    command: "sh get-token.sh",
    code: String.raw`set -eu
base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

# Reads a text member of a JSON response. If the member is missing, prints the response and exits.
member() {
  response=$(cat)
  value=$(printf %s "$response" | sed -n 's/.*"'"$1"'":"\([^"]*\)".*/\1/p')
  if [ -z "$value" ]; then printf '%s\n' "$response" >&2; exit 1; fi
  printf %s "$value"
}

# ES256: the two numbers of OpenSSL's signature, 32 bytes each (RFC 7518 section 3.4).
sign() {
  openssl dgst -sha256 -sign "$1" -binary | openssl asn1parse -inform DER |
    sed -n 's/.*INTEGER *://p' | perl -ne 'chomp; print pack "H64", substr "0" x 64 . $_, -64' | base64url
}

# A client assertion (RFC 7523): assertion CLIENT_ID KEY_FILE KID
assertion() {
  now=$(date +%s)
  head=$(printf '{"alg":"ES256","kid":"%s"}' "$3" | base64url)
  body=$(printf '{"iss":"%s","sub":"%s","aud":"%s","jti":"%s","iat":%s,"exp":%s}' \
    "$1" "$1" "{{issuer}}" "$(openssl rand -hex 16)" "$now" "$((now + 60))" | base64url)
  printf '%s.%s.%s' "$head" "$body" "$(printf '%s.%s' "$head" "$body" | sign "$2")"
}

access_token=$(curl -sS --fail-with-body "{{issuer}}/oauth/token" \
  -d grant_type=client_credentials \
  -d client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer \
  -d client_assertion="$(assertion "{{client_id}}" private-key.pem "{{kid}}")" | member access_token)
echo "Token of $(printf %s "$access_token" | wc -c) characters"
`,
  },
  agent: {
    file: "agent.sh",
    command: "sh agent.sh",
    code: String.raw`. ./get-token.sh
redirect_uri=http://127.0.0.1:8400/callback

# 1. Registers a test agent with a new key (RFC 7591). In the sandbox, this needs no permission.
#    The sandbox also issues Bearer tokens to agents, so that curl needs no DPoP proofs.
openssl ecparam -name prime256v1 -genkey -noout -out agent.pem
point() { openssl ec -in agent.pem -pubout -outform DER 2>/dev/null | tail -c 64; }
x=$(point | head -c 32 | base64url)
y=$(point | tail -c 32 | base64url)
agent_id=$(curl -sS --fail-with-body "{{issuer}}/oauth/register" -H 'Content-Type: application/json' -d '{
  "client_name": "My test agent",
  "redirect_uris": ["'"$redirect_uri"'"],
  "grant_types": ["authorization_code", "refresh_token"],
  "token_endpoint_auth_method": "private_key_jwt",
  "dpop_bound_access_tokens": false,
  "jwks": { "keys": [{ "kty": "EC", "crv": "P-256", "x": "'"$x"'", "y": "'"$y"'", "kid": "agent" }] }
}' | member client_id)

# 2. Pushes a request for a mandate (RFC 9126, RFC 9396).
verifier=$(openssl rand 48 | base64url)
request_uri=$(curl -sS --fail-with-body "{{issuer}}/oauth/par" \
  -d response_type=code -d client_id="$agent_id" --data-urlencode redirect_uri="$redirect_uri" \
  -d state="$(openssl rand -hex 16)" -d code_challenge_method=S256 \
  -d code_challenge="$(printf %s "$verifier" | openssl dgst -sha256 -binary | base64url)" \
  -d client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer \
  -d client_assertion="$(assertion "$agent_id" agent.pem agent)" \
  --data-urlencode authorization_details='[{
    "type": "payment_mandate_v1",
    "actions": ["verify", "charge"],
    "currency": "EUR",
    "max_amount_per_payment": 5000,
    "max_total_amount": 20000,
    "payees": [{ "id": "{{merchant_id}}" }]
  }]' | member request_uri)
echo "Open this link, sign in or sign up as the payer, and approve:"
echo "{{issuer}}/oauth/authorize?client_id=$agent_id&request_uri=$request_uri"

# 3. The browser then shows an address that can't be reached. It contains the code.
echo "Paste the address that the browser shows afterwards:"
read -r address
code=$(printf %s "$address" | sed -n 's/.*[?&]code=\([^&]*\).*/\1/p')
mandate_id=$(curl -sS --fail-with-body "{{issuer}}/oauth/token" \
  -d grant_type=authorization_code -d code="$code" -d code_verifier="$verifier" \
  --data-urlencode redirect_uri="$redirect_uri" \
  -d client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer \
  -d client_assertion="$(assertion "$agent_id" agent.pem agent)" | member identifier)
printf %s "$mandate_id" > mandate-id.txt
echo "Mandate $mandate_id"
`,
  },
  verify: {
    file: "verify.sh",
    command: "sh verify.sh",
    code: String.raw`. ./get-token.sh
curl -sS "{{issuer}}/merchant_test/verify-mandate" -H "Authorization: Bearer $access_token" \
  -H 'Content-Type: application/json' -d '{
  "mandate_id": "'"$(cat mandate-id.txt)"'",
  "amount": 1250,
  "currency": "EUR",
  "payer_presence": "in_session"
}'
`,
  },
  charge: {
    file: "charge.sh",
    command: "sh charge.sh",
    code: String.raw`. ./get-token.sh
# One key for each payment: a repeated request returns the same charge.
curl -sS "{{issuer}}/merchant_test/charge" -H "Authorization: Bearer $access_token" \
  -H "Idempotency-Key: $(openssl rand -hex 16)" -H 'Content-Type: application/json' -d '{
  "mandate_id": "'"$(cat mandate-id.txt)"'",
  "amount": 1250,
  "currency": "EUR",
  "payer_presence": "in_session",
  "reference": "Order 1"
}'
`,
  },
  webhook: {
    file: "webhook.py",
    command: "WEBHOOK_SECRET='the secret of your endpoint' python3 webhook.py",
    code: pythonReceiver,
  },
};
