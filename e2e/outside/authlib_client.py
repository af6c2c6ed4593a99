"""Authlib as Debian packages it, against the server at BASE_URL.

It knows neither DPoP nor pushed requests: its client registers Bearer tokens, which the sandbox allows, and pushes what
Authlib itself would have put into the address. Everything that comes back passes Authlib's own checks.

Prints one JSON object a line: `authorize` with the address that the payer is to open, whose answer (the address that the
payer was sent back to) is read from standard input; last `report`. An error ends it with a traceback.
"""

import json
import os
import sys
from urllib.parse import parse_qsl, urlencode, urlsplit

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session, OAuthError
from authlib.jose import JsonWebKey, JsonWebToken
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from authlib.oauth2.rfc7591 import ClientMetadataClaims
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata, get_well_known_url

BASE_URL = os.environ["BASE_URL"]
REDIRECT_URI = "http://127.0.0.1:9/callback"


def discover():
    """RFC 8414."""
    address = get_well_known_url(BASE_URL, external=True, suffix="oauth-authorization-server")
    metadata = AuthorizationServerMetadata(requests.get(address).json())
    metadata.validate()
    assert metadata["issuer"] == BASE_URL
    return metadata


def register(server, **metadata):
    """RFC 7591. Returns a session that authenticates by private_key_jwt (RFC 7523) and what was registered."""
    key = JsonWebKey.generate_key("EC", "P-256", {"kid": "own"}, is_private=True)
    sent = {
        "token_endpoint_auth_method": "private_key_jwt",
        "jwks": {"keys": [key.as_dict(is_private=False)]},
        **metadata,
    }
    answer = requests.post(server["registration_endpoint"], json=sent)
    assert answer.status_code == 201, answer.text
    registered = answer.json()
    ClientMetadataClaims(registered, {}, {}, server).validate()
    session = OAuth2Session(
        registered["client_id"],
        key.as_dict(is_private=True),
        token_endpoint_auth_method="private_key_jwt",
        revocation_endpoint_auth_method="private_key_jwt",
        redirect_uri=REDIRECT_URI,
        code_challenge_method="S256",
    )
    session.register_client_auth_method(PrivateKeyJWT(server["token_endpoint"], alg="ES256"))
    return session, registered


def read_token(server, token, audience):
    """RFC 9068 §4, by the published keys."""
    keys = JsonWebKey.import_key_set(requests.get(server["jwks_uri"]).json())
    claims = JsonWebToken(["ES256"]).decode(
        token,
        keys,
        claims_options={
            "iss": {"essential": True, "value": server["issuer"]},
            "aud": {"essential": True, "value": audience},
            **{name: {"essential": True} for name in ("exp", "iat", "sub", "jti", "client_id")},
        },
    )
    claims.validate()
    assert claims.header["typ"] == "at+jwt"
    return claims


def authorize(server, session, merchant_id):
    """RFC 9126 with PKCE and RAR, then the payer's answer. Returns a token as the code's exchange gave it."""
    verifier = generate_token(48)
    mandate = {
        "type": "payment_mandate_v1",
        "actions": ["verify", "charge"],
        "currency": "EUR",
        "max_total_amount": 5000,
        "payees": [{"id": merchant_id}],
    }
    address, state = session.create_authorization_url(
        server["authorization_endpoint"],
        code_verifier=verifier,
        authorization_details=json.dumps([mandate]),
    )
    pushed = session.post(
        server["pushed_authorization_request_endpoint"],
        data=dict(parse_qsl(urlsplit(address).query)),
        auth=session.client_auth("private_key_jwt"),
        withhold_token=True,
    )
    assert pushed.status_code == 201, pushed.text
    query = urlencode({"client_id": session.client_id, "request_uri": pushed.json()["request_uri"]})
    say(authorize=f"{server['authorization_endpoint']}?{query}")
    # Authlib compares the state.
    return session.fetch_token(
        server["token_endpoint"],
        authorization_response=sys.stdin.readline().strip(),
        state=state,
        code_verifier=verifier,
    )


def say(**line):
    print(json.dumps(line), flush=True)


server = discover()
shop, shop_registered = register(server, grant_types=["client_credentials"], scope="charges.read")
own = dict(shop.fetch_token(server["token_endpoint"], grant_type="client_credentials", scope="charges.read"))
own_claims = read_token(server, own["access_token"], f"{BASE_URL}/merchant_test")
charges = shop.get(f"{BASE_URL}/merchant_test/charges")

agent, agent_registered = register(
    server,
    redirect_uris=[REDIRECT_URI],
    grant_types=["authorization_code", "refresh_token"],
    dpop_bound_access_tokens=False,
)
granted = dict(authorize(server, agent, shop_registered["merchant_id"]))
granted_claims = read_token(server, granted["access_token"], BASE_URL)
mandate_id = granted["authorization_details"][0]["identifier"]
mandate_charges = agent.get(f"{BASE_URL}/oauth/mandates/{mandate_id}/charges")
refreshed = dict(agent.refresh_token(server["token_endpoint"], granted["refresh_token"]))
introspected = agent.introspect_token(server["introspection_endpoint"], refreshed["access_token"]).json()
foreign = shop.introspect_token(server["introspection_endpoint"], refreshed["access_token"]).json()
revoked = agent.revoke_token(server["revocation_endpoint"], refreshed["refresh_token"])
ended = agent.introspect_token(server["introspection_endpoint"], refreshed["access_token"]).json()
try:
    agent.refresh_token(server["token_endpoint"], refreshed["refresh_token"])
    again = None
except OAuthError as error:
    again = error.error

say(
    report={
        "own": {"token": own, "claims": own_claims, "charges": charges.status_code},
        "granted": {"token": granted, "claims": granted_claims, "charges": mandate_charges.json()},
        "rotated": refreshed["refresh_token"] != granted["refresh_token"],
        "client_id": agent_registered["client_id"],
        "introspected": introspected,
        "foreign": foreign,
        "revoked": revoked.status_code,
        "ended": ended,
        "again": again,
    }
)
