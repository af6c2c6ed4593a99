/** A self-signed certificate for keys.example and its key, made for these tests only. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBnTCCAUSgAwIBAgIUY0gJZhRqPGqddki5HJlhJIWdRVUwCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMa2V5cy5leGFtcGxlMCAXDTI2MTEyMTA0MjE0NloYDzIxMjYx
MDI4MDQyMTQ2WjAXMRUwEwYDVQQDDAxrZXlzLmV4YW1wbGUwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAATa/a5udyb/eRn8YRrhfD7eqoaREzXJ+YzUChIenJ9szaLa
Xk7++PPtyhlWB3/Kcqysl+CQdphjSCo4EeB4ENBFo2wwajAdBgNVHQ4EFgQUTfo3
kOuhxx/ABVQfu4+1uummh9UwHwYDVR0jBBgwFoAUTfo3kOuhxx/ABVQfu4+1uumm
h9UwFwYDVR0RBBAwDoIMa2V5cy5leGFtcGxlMA8GA1UdEwEB/wQFMAMBAf8wCgYI
KoZIzj0EAwIDRwAwRAIgMzdmVQlctj5V54LmYi5RIfysAYjFhJJeFnS4GjJrF4kC
IFlTywhgpKTJrHsYP/gr9MKehHH+KuTqFfDXkwG5uF55
-----END CERTIFICATE-----
`;

export const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQguFQl0TKtKnxk+ygH
RunKbJafoNVAq14ImzhgZrumpcyhRANCAATa/a5udyb/eRn8YRrhfD7eqoaREzXJ
+YzUChIenJ9szaLaXk7++PPtyhlWB3/Kcqysl+CQdphjSCo4EeB4ENBF
-----END PRIVATE KEY-----
`;
