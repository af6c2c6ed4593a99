import type { Snippets } from "./snippet.ts";

/** A webhook receiver that needs only the standard library, because Authlib doesn't contain one. */
export const pythonReceiver = String.raw`import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))


def is_authentic(headers, body):
    """Standard Webhooks: HMAC-SHA-256 over id, timestamp and the body as received."""
    if abs(time.time() - int(headers["webhook-timestamp"])) > 300:
        return False
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    own = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(own, sent) for sent in headers["webhook-signature"].split())


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        authentic = is_authentic(self.headers, body)
        print("Received" if authentic else "Refused", json.loads(body)["type"], flush=True)
        self.send_response(204 if authentic else 400)
        self.end_headers()

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 8401), Receiver)
print("Listening on http://127.0.0.1:8401/webhooks", flush=True)
server.serve_forever()
`;

/** Python with Authlib. Placeholders are filled by `fillSnippet`. */
export const pythonSnippets: Snippets = {
  setup: {
    file: null,
    code: String.raw`mkdir paygrant-start && cd paygrant-start
python3 -m venv .venv && . .venv/bin/activate
pip install "authlib<2" requests`,
  },
  token: {
    file: "get_token.py",
    command: "python3 get_token.py",
    code: String.raw`import json

from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import PrivateKeyJWT

try:
    from joserfc.jwk import ECKey
except ImportError:  # Authlib before 1.7
    from authlib.jose import ECKey

ISSUER = "{{issuer}}"

with open("private-key.jwk.json") as file:
    key = json.load(file)

# The app signs a new JWT for each token request. It has no client secret.
session = OAuth2Session("{{client_id}}", ECKey.import_key(key), token_endpoint_auth_method="private_key_jwt")
session.register_client_auth_method(PrivateKeyJWT(f"{ISSUER}/oauth/token", alg="ES256", headers={"kid": key["kid"]}))
token = session.fetch_token(f"{ISSUER}/oauth/token", grant_type="client_credentials")
print("Token for", token["scope"], "valid for", token["expires_in"], "seconds")
`,
  },
  agent: {
    file: "agent.py",
    command: "python3 agent.py",
    code: String.raw`import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlencode

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from authlib.oauth2.rfc7636 import create_s256_code_challenge

try:
    from joserfc.jwk import ECKey
except ImportError:  # Authlib before 1.7
    from authlib.jose import ECKey

ISSUER = "{{issuer}}"
REDIRECT_URI = "http://127.0.0.1:8400/callback"

# 1. Registers a test agent with a new key (RFC 7591). In the sandbox, this needs no permission.
#    Authlib doesn't support DPoP. The sandbox also issues Bearer tokens to agents.
key = ECKey.generate_key("P-256", {"kid": "agent"}, True)
metadata = {
    "client_name": "My test agent",
    "redirect_uris": [REDIRECT_URI],
    "grant_types": ["authorization_code", "refresh_token"],
    "token_endpoint_auth_method": "private_key_jwt",
    "dpop_bound_access_tokens": False,
    "jwks": {"keys": [key.as_dict(False)]},
}
registered = requests.post(f"{ISSUER}/oauth/register", json=metadata)
registered.raise_for_status()
session = OAuth2Session(
    registered.json()["client_id"],
    key,
    token_endpoint_auth_method="private_key_jwt",
    redirect_uri=REDIRECT_URI,
)
session.register_client_auth_method(PrivateKeyJWT(f"{ISSUER}/oauth/token", alg="ES256"))

# 2. Pushes a request for a mandate (RFC 9126, RFC 9396).
mandate = {
    "type": "payment_mandate_v1",
    "actions": ["verify", "charge"],
    "currency": "EUR",
    "max_amount_per_payment": 5000,
    "max_total_amount": 20000,
    "payees": [{"id": "{{merchant_id}}"}],
}
verifier = generate_token(48)
state = generate_token(24)
pushed = session.post(
    f"{ISSUER}/oauth/par",
    data={
        "response_type": "code",
        "client_id": session.client_id,
        "redirect_uri": REDIRECT_URI,
        "state": state,
        "code_challenge": create_s256_code_challenge(verifier),
        "code_challenge_method": "S256",
        "authorization_details": json.dumps([mandate]),
    },
    auth=session.client_auth("private_key_jwt"),
    withhold_token=True,
)
pushed.raise_for_status()
query = urlencode({"client_id": session.client_id, "request_uri": pushed.json()["request_uri"]})
print("Open this link, sign in or sign up as the payer, and approve:")
print(f"{ISSUER}/oauth/authorize?{query}", flush=True)


# 3. Waits for the browser to come back with a code, and exchanges the code.
class Callback(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"Done. Return to the terminal.")
        if self.path.startswith("/callback?"):
            self.server.answer = f"http://127.0.0.1:8400{self.path}"

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 8400), Callback)
server.answer = None
while server.answer is None:
    server.handle_request()
token = session.fetch_token(
    f"{ISSUER}/oauth/token", authorization_response=server.answer, state=state, code_verifier=verifier
)
mandate_id = token["authorization_details"][0]["identifier"]
with open("mandate-id.txt", "w") as file:
    file.write(mandate_id)
print("Mandate", mandate_id)
`,
  },
  verify: {
    file: "verify.py",
    command: "python3 verify.py",
    code: String.raw`from get_token import ISSUER, session

with open("mandate-id.txt") as file:
    mandate_id = file.read().strip()

response = session.post(
    f"{ISSUER}/merchant_test/verify-mandate",
    json={
        "mandate_id": mandate_id,
        "amount": 1250,
        "currency": "EUR",
        "payer_presence": "in_session",
    },
)
print(response.status_code, response.json())
`,
  },
  charge: {
    file: "charge.py",
    command: "python3 charge.py",
    code: String.raw`import uuid

from get_token import ISSUER, session

with open("mandate-id.txt") as file:
    mandate_id = file.read().strip()

response = session.post(
    f"{ISSUER}/merchant_test/charge",
    # One key for each payment: a repeated request returns the same charge.
    headers={"Idempotency-Key": str(uuid.uuid4())},
    json={
        "mandate_id": mandate_id,
        "amount": 1250,
        "currency": "EUR",
        "payer_presence": "in_session",
        "reference": "Order 1",
    },
)
print(response.status_code, response.json())
`,
  },
  webhook: {
    file: "webhook.py",
    command: "WEBHOOK_SECRET='the secret of your endpoint' python3 webhook.py",
    code: pythonReceiver,
  },
};
