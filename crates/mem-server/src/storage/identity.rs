//! People who sign in with an identity provider: who they are, their sessions, and what may be used once.
//!
//! A session is a row of the tokens, so that each request looks one row up. A user who is not active has
//! no valid token: the look-up itself says so, on every replica, from the commit of the change on.

use jiff::{SignedDuration, Timestamp};

use super::sql::{Transaction, from_columns, sql};
use super::tokens::{add_grants, insert_token};
use super::{Database, Grant, NewToken, SessionKind, StorageError, id};

/// For so long one replica alone renews a session.
const RENEWAL_CLAIM: SignedDuration = SignedDuration::from_secs(30);
/// For so long the rows of sessions stay that ended: lists of tokens show when somebody was there last.
const ENDED_SESSIONS_KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Somebody who signs in, or whom SCIM made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IdentityUser {
    /// `user_…`.
    pub(crate) id: String,
    /// What is known of them.
    pub(crate) profile: UserProfile,
    /// When they came.
    pub(crate) created_at: Timestamp,
    /// When they were changed last.
    pub(crate) updated_at: Timestamp,
}

/// What SCIM says of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UserProfile {
    /// What their tokens and records are called by.
    pub(crate) user_name: String,
    /// What the SCIM client calls them.
    pub(crate) external_id: Option<String>,
    /// What else SCIM says of them, a JSON object.
    pub(crate) attributes: String,
    /// Whether they may sign in.
    pub(crate) active: bool,
}

/// Which users are listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UserFilter {
    /// All.
    Every,
    /// By name, in any case.
    UserName(String),
    /// By what the SCIM client calls them.
    ExternalId(String),
}

/// Somebody whose ID token was verified.
#[derive(Clone, Debug)]
pub(crate) struct SignInUser {
    pub(crate) issuer: String,
    pub(crate) subject: String,
    pub(crate) user_name: String,
    /// Whether SCIM has to have made them before.
    pub(crate) must_exist: bool,
}

/// A user is not there, or may not be or come in.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UserError {
    #[error("there is no user of this id")]
    Unknown,
    #[error("another user has this `userName`")]
    NameTaken,
    /// Another subject has the name of somebody who signs in.
    #[error("the name `{0}` belongs to another user of the identity provider")]
    NameOfAnother(String),
    /// `active: false`.
    #[error("this user is not active")]
    Inactive,
    #[error("this user was not provisioned (SCIM)")]
    NotProvisioned,
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// A session that is to be made.
#[derive(Clone, Debug)]
pub(crate) struct NewSession<'t> {
    pub(crate) token: &'t NewToken,
    pub(crate) user_id: String,
    pub(crate) kind: SessionKind,
    pub(crate) refresh: Option<Vec<u8>>,
    pub(crate) renew_until: Option<Timestamp>,
    pub(crate) forge_login: Option<String>,
}

/// A session that this replica alone renews for a while.
#[derive(Clone, Debug)]
pub(crate) struct RenewableSession {
    /// Sealed.
    pub(crate) refresh: Vec<u8>,
    pub(crate) issuer: String,
    pub(crate) subject: String,
    /// The name of the workspace.
    pub(crate) workspace: String,
}

from_columns!(RenewableSession: refresh, issuer, subject, workspace);
from_columns!(UserProfile: user_name, external_id, attributes, active);
from_columns!(IdentityUser: id, profile, created_at, updated_at);

const USERS: &str = "SELECT u.id, u.user_name, u.external_id, u.attributes, u.active, u.created_at, u.updated_at, u.subject \
     FROM identity_user u";

impl Database {
    /// The user who signs in: known by the subject, else one that SCIM made, else a new one.
    pub(crate) async fn sign_in_user(
        &self,
        who: &SignInUser,
        now: Timestamp,
    ) -> Result<IdentityUser, UserError> {
        self.transact(async |within| {
            // Where another replica adds the same user at the same moment, the second look finds them.
            for _ in 0..2 {
                if let Some(found) = known_user(within, who, now).await? {
                    return Ok(found);
                }
                let insert = "INSERT INTO identity_user (id, issuer, subject, user_name, user_name_folded, active, \
                              created_at, updated_at) VALUES ($1, $2, $3, $4, $5, TRUE, $6, $6) ON CONFLICT DO NOTHING";
                let SignInUser { issuer, subject, user_name, .. } = who;
                let insert = sql!(insert; id::random(id::USER)?, issuer, subject, user_name, fold_name(user_name), now);
                within.run(insert).await?;
            }
            Err(StorageError::Corrupt("a user who is neither there nor can be added").into())
        })
        .await
    }

    /// Uses what may be used once. `false` where some of it was used before; then none of it is used now.
    pub(crate) async fn use_once(
        &self,
        hashes: &[[u8; 32]],
        ends_at: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StorageError> {
        self.in_time(async {
            let mut within = self.engine().begin().await?;
            let expired = sql!("DELETE FROM identity_used WHERE ends_at < $1"; now);
            within.run(expired).await?;
            for hash in hashes {
                let insert = "INSERT INTO identity_used (sha256, ends_at) VALUES ($1, $2) ON CONFLICT DO NOTHING";
                if within.run(sql!(insert; hash.to_vec(), ends_at)).await? != 1 {
                    return Ok(false);
                }
            }
            within.commit().await?;
            Ok(true)
        })
        .await
    }

    /// Adds a session, and ends what is left of old ones.
    pub(crate) async fn create_session(
        &self,
        session: &NewSession<'_>,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        self.transact(async |within| {
            let old = "DELETE FROM api_key WHERE kind IS NOT NULL \
                       AND (revoked_at < $1 OR (expires_at < $1 AND coalesce(renew_until, 0) < $1))";
            within.run(sql!(old; now - ENDED_SESSIONS_KEPT)).await?;
            let token = session.token;
            insert_token(within, token, Some(&session.user_id), now).await?;
            let more = "UPDATE api_key SET kind = $1, refresh = $2, renew_until = $3, forge_login = $4, \
                        last_used_at = $5 WHERE id = $6";
            let more = sql!(more; session.kind.as_str(), session.refresh.clone(), session.renew_until,
                session.forge_login.clone(), now, &token.id);
            within.run(more).await?;
            Ok(())
        })
        .await
    }

    /// Takes the renewal of a session; `None` where another replica has it, and where the session cannot be renewed.
    pub(crate) async fn claim_renewal(
        &self,
        id: &str,
        now: Timestamp,
    ) -> Result<Option<RenewableSession>, StorageError> {
        self.transact(async |within| {
            let claim = "UPDATE api_key SET renewing_until = $1 WHERE id = $2 AND revoked_at IS NULL \
                         AND refresh IS NOT NULL AND renew_until > $3 \
                         AND (renewing_until IS NULL OR renewing_until <= $3)";
            if within.run(sql!(claim; now + RENEWAL_CLAIM, id, now)).await? != 1 {
                return Ok(None);
            }
            let read = "SELECT k.refresh, u.issuer, u.subject, w.name FROM api_key k \
                        JOIN identity_user u ON u.id = k.user_id JOIN workspace w ON w.id = k.workspace_id \
                        WHERE k.id = $1 AND u.active AND u.subject IS NOT NULL";
            within.read_one(sql!(read; id)).await
        })
        .await
    }

    /// Whether a session is being renewed by some replica.
    pub(crate) async fn is_renewing(&self, id: &str, now: Timestamp) -> Result<bool, StorageError> {
        let sql = "SELECT 1 FROM api_key WHERE id = $1 AND renewing_until > $2";
        self.in_time(async { Ok(self.engine().one(sql!(sql; id, now)).await?.is_some()) })
            .await
    }

    /// Gives a session a new end, new grants and a new refresh token. `false` where it was ended meanwhile.
    pub(crate) async fn renew_session(
        &self,
        id: &str,
        expires_at: Timestamp,
        refresh: Vec<u8>,
        grants: &[Grant],
        forge_login: Option<String>,
    ) -> Result<bool, StorageError> {
        self.transact(async |within| {
            let renew = "UPDATE api_key SET expires_at = $1, refresh = $2, forge_login = $3, renewing_until = NULL \
                         WHERE id = $4 AND revoked_at IS NULL";
            if within.run(sql!(renew; expires_at, refresh, forge_login, id)).await? != 1 {
                return Ok(false);
            }
            within.run(sql!("DELETE FROM api_key_grant WHERE api_key_id = $1"; id)).await?;
            add_grants(within, id, grants).await?;
            Ok(true)
        })
        .await
    }

    /// Users of an issuer, the oldest first: how many there are, and those of a part of the list.
    pub(crate) async fn identity_users(
        &self,
        issuer: &str,
        filter: &UserFilter,
        skip: i64,
        count: i64,
    ) -> Result<(u64, Vec<IdentityUser>), StorageError> {
        let (narrow, value) = match filter {
            UserFilter::Every => ("AND $2 = ''", String::new()),
            UserFilter::UserName(name) => ("AND u.user_name_folded = $2", fold_name(name)),
            UserFilter::ExternalId(id) => ("AND u.external_id = $2", id.clone()),
        };
        let value = value.as_str();
        self.reading(|| async {
            let total = format!("SELECT count(*) FROM identity_user u WHERE u.issuer = $1 {narrow}");
            let total: Option<u64> = self.engine().read_one(sql!(total; issuer, value)).await?;
            let some = format!(
                "{USERS} WHERE u.issuer = $1 {narrow} ORDER BY u.created_at, u.id LIMIT $3 OFFSET $4"
            );
            let users = self.engine().read_all(sql!(some; issuer, value, count, skip)).await?;
            Ok((total.unwrap_or_default(), users))
        })
        .await
    }

    /// One user of an issuer.
    pub(crate) async fn identity_user(
        &self,
        issuer: &str,
        id: &str,
    ) -> Result<IdentityUser, UserError> {
        let find = || sql!(format!("{USERS} WHERE u.issuer = $1 AND u.id = $2"); issuer, id);
        let found = self.reading(|| self.engine().read_one(find())).await?;
        found.ok_or(UserError::Unknown)
    }

    /// Adds a user before their first sign-in. One who is not active loses the tokens that have the name.
    pub(crate) async fn create_identity_user(
        &self,
        issuer: &str,
        profile: UserProfile,
        now: Timestamp,
    ) -> Result<IdentityUser, UserError> {
        let user = IdentityUser {
            id: id::random(id::USER)?,
            profile,
            created_at: now,
            updated_at: now,
        };
        let profile = &user.profile;
        let insert = "INSERT INTO identity_user (id, issuer, user_name, user_name_folded, external_id, attributes, \
                      active, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) ON CONFLICT DO NOTHING";
        let insert = sql!(insert; &user.id, issuer, &profile.user_name, fold_name(&profile.user_name),
            profile.external_id.clone(), &profile.attributes, profile.active, now);
        self.transact(async |within| {
            if within.run(insert).await? != 1 {
                return Err(UserError::NameTaken);
            }
            if !profile.active {
                end_tokens(within, &user, now).await?;
            }
            Ok::<_, UserError>(())
        })
        .await?;
        Ok(user)
    }

    /// Changes a user, whose row nobody else changes meanwhile, to what is decided of what is known of them. One who is not
    /// active any more loses all sessions and tokens in the same transaction.
    pub(crate) async fn change_identity_user<E: From<StorageError> + From<UserError>>(
        &self,
        issuer: &str,
        id: &str,
        now: Timestamp,
        decide: impl FnOnce(&UserProfile) -> Result<UserProfile, E>,
    ) -> Result<IdentityUser, E> {
        self.transact(async |within| {
            let before = lock_user(within, issuer, id).await?;
            let profile = decide(&before.profile)?;
            let name = fold_name(&profile.user_name);
            let taken = "SELECT 1 FROM identity_user WHERE issuer = $1 AND user_name_folded = $2 AND id <> $3";
            if within.one(sql!(taken; issuer, &name, id)).await?.is_some() {
                return Err(UserError::NameTaken.into());
            }
            let update = "UPDATE identity_user SET user_name = $1, user_name_folded = $2, external_id = $3, \
                          attributes = $4, active = $5, updated_at = $6 WHERE id = $7";
            let update = sql!(update; &profile.user_name, name, profile.external_id.clone(), &profile.attributes,
                profile.active, now, id);
            within.run(update).await?;
            if !profile.active {
                end_tokens(within, &before, now).await?;
            }
            Ok(IdentityUser { profile, updated_at: now, ..before })
        })
        .await
    }

    /// Removes a user, with all sessions and tokens.
    pub(crate) async fn remove_identity_user(
        &self,
        issuer: &str,
        id: &str,
        now: Timestamp,
    ) -> Result<(), UserError> {
        self.transact(async |within| {
            let user = lock_user(within, issuer, id).await?;
            end_tokens(within, &user, now).await?;
            within
                .run(sql!("DELETE FROM identity_user WHERE id = $1"; id))
                .await?;
            Ok(())
        })
        .await
    }
}

/// A user whose row nobody else changes until the transaction ends.
async fn lock_user(
    within: &mut Transaction,
    issuer: &str,
    id: &str,
) -> Result<IdentityUser, UserError> {
    let end = within.dialect().for_update();
    let find = format!("{USERS} WHERE u.issuer = $1 AND u.id = $2{end}");
    let user = within.read_one(sql!(find; issuer, id)).await?;
    user.ok_or(UserError::Unknown)
}

/// The user as the database knows them, bound to the subject from now on.
async fn known_user(
    within: &mut Transaction,
    who: &SignInUser,
    now: Timestamp,
) -> Result<Option<IdentityUser>, UserError> {
    // The subject before what SCIM says of a user without one, and that before a name.
    let sql = format!(
        "{USERS} WHERE u.issuer = $1 AND (u.subject = $2 OR u.user_name_folded = $3 \
         OR (u.subject IS NULL AND u.external_id = $2)) \
         ORDER BY CASE WHEN u.subject = $2 THEN 0 WHEN u.subject IS NULL AND u.external_id = $2 THEN 1 ELSE 2 END, \
         u.id LIMIT 1{}",
        within.dialect().for_update()
    );
    let query = sql!(sql; &who.issuer, &who.subject, fold_name(&who.user_name));
    let Some((user, subject)) = within.read_one(query).await? else {
        return match who.must_exist {
            true => Err(UserError::NotProvisioned),
            false => Ok(None),
        };
    };
    let (user, subject): (IdentityUser, Option<String>) = (user, subject);
    if !user.profile.active {
        return Err(UserError::Inactive);
    }
    match subject {
        Some(subject) if subject == who.subject => {}
        Some(_) => return Err(UserError::NameOfAnother(who.user_name.clone())),
        None => {
            let bind = "UPDATE identity_user SET subject = $1, updated_at = $2 WHERE id = $3 AND subject IS NULL";
            within.run(sql!(bind; &who.subject, now, &user.id)).await?;
        }
    }
    Ok(Some(user))
}

/// Ends the sessions of a user, the tokens that they made, and those that are called by their name.
async fn end_tokens(
    within: &mut Transaction,
    user: &IdentityUser,
    now: Timestamp,
) -> Result<(), StorageError> {
    let end = sql!("UPDATE api_key SET revoked_at = $1, refresh = NULL \
        WHERE (user_id = $2 OR name = $3) AND revoked_at IS NULL"; now, &user.id, &user.profile.user_name);
    within.run(end).await.map(drop)
}

/// Names are compared without their case, as SCIM has it.
fn fold_name(name: &str) -> String {
    name.to_lowercase()
}
