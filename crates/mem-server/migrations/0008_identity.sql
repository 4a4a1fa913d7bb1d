-- People who sign in with an identity provider, and what tokens tell of their use.

-- A person as the provider knows them (`issuer`, `subject`), as SCIM does, or both. `subject` is absent until the first
-- sign-in of a user that SCIM made. `attributes` is a JSON object of what SCIM says beside the other columns.
CREATE TABLE identity_user (
    id TEXT NOT NULL PRIMARY KEY,
    issuer TEXT NOT NULL,
    subject TEXT,
    user_name TEXT NOT NULL,
    user_name_folded TEXT NOT NULL,
    external_id TEXT,
    attributes TEXT NOT NULL DEFAULT '{}',
    active BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (issuer, subject),
    UNIQUE (issuer, user_name_folded)
);

CREATE INDEX identity_user_by_external_id ON identity_user (issuer, external_id);

-- What may be used once, by its hash, until it would have expired anyway: ID tokens and nonces.
CREATE TABLE identity_used (
    sha256 {bytes} NOT NULL PRIMARY KEY,
    ends_at BIGINT NOT NULL
);

-- A session is a token: `kind` says which, `user_id` whose. `refresh` is the provider's refresh token, sealed with a key
-- that only the holder of the session's secret has. The session is renewed until `renew_until`, by one replica at a time.
ALTER TABLE api_key ADD COLUMN user_id TEXT;
ALTER TABLE api_key ADD COLUMN kind TEXT;
ALTER TABLE api_key ADD COLUMN refresh {bytes};
ALTER TABLE api_key ADD COLUMN renew_until BIGINT;
ALTER TABLE api_key ADD COLUMN renewing_until BIGINT;
ALTER TABLE api_key ADD COLUMN forge_login TEXT;
ALTER TABLE api_key ADD COLUMN last_used_at BIGINT;
ALTER TABLE api_key ADD COLUMN rotated_from TEXT;

CREATE INDEX api_key_by_user ON api_key (user_id);
