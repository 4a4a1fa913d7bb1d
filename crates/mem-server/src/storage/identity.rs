//! People who sign in with an identity provider: who they are, their sessions, and what may be used once.
//!
//! A session is a row of the tokens, so that each request looks one row up. A user who is not active has
//! no valid token: the look-up itself says so, on every replica, from the commit of the change on.

use jiff::{SignedDuration, Timestamp};

use super::sql::{SqlQuery, SqlRow, Transaction, sql};
use super::tokens::{add_grants, insert_token};
use super::{Database, Grant, NewToken, SessionKind, StorageError, id};

/// For so long one replica alone renews a session.
const RENEWAL_CLAIM: SignedDuration = SignedDuration::from_secs(30);
/// For so long the rows of sessions stay that ended: lists of tokens show when somebody was there last.
const ENDED_SESSIONS_KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Somebody who signs in, or whom SCIM made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentityUser {
    /// `user_…`.
    pub id: String,
    /// What their tokens and records are called by.
    pub user_name: String,
    /// What the SCIM client calls them.
    pub external_id: Option<String>,
    /// What else SCIM says of them, a JSON object.
    pub attributes: String,
    /// Whether they may sign in.
    pub active: bool,
    /// When they came.
    pub created_at: Timestamp,
    /// When they were changed last.
    pub updated_at: Timestamp,
}

/// What SCIM says of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserChange {
    /// See [`IdentityUser::user_name`].
    pub user_name: String,
    /// See [`IdentityUser::external_id`].
    pub external_id: Option<String>,
    /// See [`IdentityUser::attributes`].
    pub attributes: String,
    /// See [`IdentityUser::active`].
    pub active: bool,
}

/// What a change of a user comes to.
#[derive(Debug)]
pub(crate) enum UserChanged<E> {
    /// There is no such user.
    NotFound,
    /// Another user has the name.
    NameTaken,
    /// What was to be decided was refused.
    Refused(E),
    /// It was changed.
    Done {
        /// Whether the user is active now.
        is_active: bool,
    },
}

/// Which users are listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UserFilter {
    /// All.
    Every,
    /// By name, in any case.
    UserName(String),
    /// By what the SCIM client calls them.
    ExternalId(String),
}

/// A part of a list of users.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserPage {
    /// How many there are in all.
    pub total: u64,
    /// Those of this part, the oldest first.
    pub users: Vec<IdentityUser>,
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

/// What a sign-in comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SignIn {
    Taken(IdentityUser),
    Refused(SignInRefusal),
}

/// Why a verified person may not sign in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SignInRefusal {
    /// `active: false`.
    Inactive,
    /// Another subject has the name.
    NameTaken,
    /// SCIM made no such user.
    NotProvisioned,
}

/// A session that is to be made.
#[derive(Clone, Debug)]
pub(crate) struct NewSession {
    pub(crate) token: NewToken,
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

const USERS: &str = "SELECT u.id, u.user_name, u.external_id, u.attributes, u.active, u.created_at, u.updated_at, u.subject \
     FROM identity_user u";

impl Database {
    /// The user who signs in: known by the subject, else one that SCIM made, else a new one.
    pub(crate) async fn sign_in_user(
        &self,
        who: &SignInUser,
        now: Timestamp,
    ) -> Result<SignIn, StorageError> {
        self.in_time(async {
            let mut within = self.engine().begin().await?;
            // Where another replica adds the same user at the same moment, the second look finds them.
            for _ in 0..2 {
                if let Some(found) = known_user(&mut within, who, now).await? {
                    within.commit().await?;
                    return Ok(found);
                }
                let insert = "INSERT INTO identity_user (id, issuer, subject, user_name, user_name_folded, active, \
                              created_at, updated_at) VALUES ($1, $2, $3, $4, $5, TRUE, $6, $6) ON CONFLICT DO NOTHING";
                let SignInUser { issuer, subject, user_name, .. } = who;
                let insert = sql!(insert; id::user()?, issuer, subject, user_name, fold_name(user_name), now);
                within.run(insert).await?;
            }
            Err(StorageError::Corrupt("a user who is neither there nor can be added"))
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
        session: &NewSession,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        self.in_time(async {
            let mut within = self.engine().begin().await?;
            let old = "DELETE FROM api_key WHERE kind IS NOT NULL \
                       AND (revoked_at < $1 OR (expires_at < $1 AND coalesce(renew_until, 0) < $1))";
            within.run(sql!(old; now - ENDED_SESSIONS_KEPT)).await?;
            let NewSession { token, user_id, refresh, .. } = session;
            within.run(insert_token(token, Some(user_id.clone()), now)).await?;
            let more = "UPDATE api_key SET kind = $1, refresh = $2, renew_until = $3, forge_login = $4, \
                        last_used_at = $5 WHERE id = $6";
            let more = sql!(more; session.kind.as_str(), refresh.clone(), session.renew_until,
                session.forge_login.clone(), now, &token.id);
            within.run(more).await?;
            add_grants(&mut within, &token.id, &token.grants).await?;
            Ok(within.commit().await?)
        })
        .await
    }

    /// Takes the renewal of a session; `None` where another replica has it, and where the session cannot be renewed.
    pub(crate) async fn claim_renewal(
        &self,
        id: &str,
        now: Timestamp,
    ) -> Result<Option<RenewableSession>, StorageError> {
        self.in_time(async {
            let mut within = self.engine().begin().await?;
            let claim = "UPDATE api_key SET renewing_until = $1 WHERE id = $2 AND revoked_at IS NULL \
                         AND refresh IS NOT NULL AND renew_until > $3 \
                         AND (renewing_until IS NULL OR renewing_until <= $3)";
            if within.run(sql!(claim; now + RENEWAL_CLAIM, id, now)).await? != 1 {
                return Ok(None);
            }
            let read = "SELECT k.refresh, u.issuer, u.subject, w.name FROM api_key k \
                        JOIN identity_user u ON u.id = k.user_id JOIN workspace w ON w.id = k.workspace_id \
                        WHERE k.id = $1 AND u.active AND u.subject IS NOT NULL";
            let row = within.one(sql!(read; id)).await?;
            within.commit().await?;
            row.map(|row| {
                Ok(RenewableSession {
                    refresh: row.bytes(0)?.unwrap_or_default().to_vec(),
                    issuer: row.get(1)?,
                    subject: row.get(2)?,
                    workspace: row.get(3)?,
                })
            })
            .transpose()
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
        self.in_time(async {
            let mut within = self.engine().begin().await?;
            let renew = "UPDATE api_key SET expires_at = $1, refresh = $2, forge_login = $3, renewing_until = NULL \
                         WHERE id = $4 AND revoked_at IS NULL";
            if within.run(sql!(renew; expires_at, refresh, forge_login, id)).await? != 1 {
                return Ok(false);
            }
            within.run(sql!("DELETE FROM api_key_grant WHERE api_key_id = $1"; id)).await?;
            add_grants(&mut within, id, grants).await?;
            within.commit().await?;
            Ok(true)
        })
        .await
    }

    /// Users of an issuer.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn identity_users(
        &self,
        issuer: &str,
        filter: &UserFilter,
        skip: i64,
        count: i64,
    ) -> Result<UserPage, StorageError> {
        let (narrow, value) = match filter {
            UserFilter::Every => ("AND $2 = ''", String::new()),
            UserFilter::UserName(name) => ("AND u.user_name_folded = $2", fold_name(name)),
            UserFilter::ExternalId(id) => ("AND u.external_id = $2", id.clone()),
        };
        self.reading(|| async {
            let total = format!("SELECT count(*) FROM identity_user u WHERE u.issuer = $1 {narrow}");
            let total = self.engine().one(sql!(total; issuer, value.as_str())).await?;
            let total = total.map_or(Ok(0), |row| row.count(0))?;
            let some = format!(
                "{USERS} WHERE u.issuer = $1 {narrow} ORDER BY u.created_at, u.id LIMIT $3 OFFSET $4"
            );
            let rows = self.engine().all(sql!(some; issuer, value.as_str(), count, skip)).await?;
            let users = rows.iter().map(user_of).collect::<Result<_, _>>()?;
            Ok(UserPage { total, users })
        })
        .await
    }

    /// One user of an issuer.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn identity_user(
        &self,
        issuer: &str,
        id: &str,
    ) -> Result<Option<IdentityUser>, StorageError> {
        self.reading(|| async {
            let sql = format!("{USERS} WHERE u.issuer = $1 AND u.id = $2");
            let row = self.engine().one(sql!(sql; issuer, id)).await?;
            row.as_ref().map(user_of).transpose()
        })
        .await
    }

    /// Adds a user before their first sign-in. `None` where the name is taken.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn create_identity_user(
        &self,
        issuer: &str,
        user: &UserChange,
        now: Timestamp,
    ) -> Result<Option<IdentityUser>, StorageError> {
        let id = id::user()?;
        let insert = "INSERT INTO identity_user (id, issuer, user_name, user_name_folded, external_id, attributes, \
                      active, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) ON CONFLICT DO NOTHING";
        let insert = sql!(insert; &id, issuer, &user.user_name, fold_name(&user.user_name),
            user.external_id.clone(), &user.attributes, user.active, now);
        let made = self
            .in_time(async { Ok::<_, StorageError>(self.engine().run(insert).await? == 1) })
            .await?;
        if !made {
            return Ok(None);
        }
        if !user.active {
            self.in_time(async {
                let mut within = self.engine().begin().await?;
                end_tokens(&mut within, &id, &user.user_name, now).await?;
                Ok::<_, StorageError>(within.commit().await?)
            })
            .await?;
        }
        self.identity_user(issuer, &id).await
    }

    /// Changes a user as `change` says, which is shown the user as nobody else changes them meanwhile. One who is not active
    /// any more loses all sessions and tokens in the same transaction.
    pub(crate) async fn change_identity_user<E>(
        &self,
        issuer: &str,
        id: &str,
        change: impl FnOnce(&IdentityUser) -> Result<UserChange, E>,
        now: Timestamp,
    ) -> Result<UserChanged<E>, StorageError> {
        self.in_time(async {
            let mut within = self.engine().begin().await?;
            let Some(before) = held_user(&mut within, issuer, id).await? else {
                return Ok(UserChanged::NotFound);
            };
            let user = match change(&before) {
                Ok(user) => user,
                Err(refused) => return Ok(UserChanged::Refused(refused)),
            };
            let taken = "SELECT 1 FROM identity_user WHERE issuer = $1 AND user_name_folded = $2 AND id <> $3";
            let taken = sql!(taken; issuer, fold_name(&user.user_name), id);
            if within.one(taken).await?.is_some() {
                return Ok(UserChanged::NameTaken);
            }
            let update = "UPDATE identity_user SET user_name = $1, user_name_folded = $2, external_id = $3, \
                          attributes = $4, active = $5, updated_at = $6 WHERE id = $7";
            let update = sql!(update; &user.user_name, fold_name(&user.user_name), user.external_id.clone(),
                &user.attributes, user.active, now, id);
            within.run(update).await?;
            if !user.active {
                end_tokens(&mut within, id, &before.user_name, now).await?;
            }
            within.commit().await?;
            Ok(UserChanged::Done {
                is_active: user.active,
            })
        })
        .await
    }

    /// Removes a user, with all sessions and tokens. `false` where there is none.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn delete_identity_user(
        &self,
        issuer: &str,
        id: &str,
        now: Timestamp,
    ) -> Result<bool, StorageError> {
        self.in_time(async {
            let mut within = self.engine().begin().await?;
            let Some(user) = held_user(&mut within, issuer, id).await? else {
                return Ok(false);
            };
            end_tokens(&mut within, id, &user.user_name, now).await?;
            within
                .run(sql!("DELETE FROM identity_user WHERE id = $1"; id))
                .await?;
            within.commit().await?;
            Ok(true)
        })
        .await
    }
}

/// The user as the database knows them, bound to the subject from now on.
async fn known_user(
    within: &mut Transaction,
    who: &SignInUser,
    now: Timestamp,
) -> Result<Option<SignIn>, StorageError> {
    // The subject before what SCIM says of a user without one, and that before a name.
    let sql = format!(
        "{USERS} WHERE u.issuer = $1 AND (u.subject = $2 OR u.user_name_folded = $3 \
         OR (u.subject IS NULL AND u.external_id = $2)) \
         ORDER BY CASE WHEN u.subject = $2 THEN 0 WHEN u.subject IS NULL AND u.external_id = $2 THEN 1 ELSE 2 END, \
         u.id LIMIT 1{}",
        within.dialect().for_update()
    );
    let query = sql!(sql; &who.issuer, &who.subject, fold_name(&who.user_name));
    let Some(row) = within.one(query).await? else {
        return Ok(who
            .must_exist
            .then_some(SignIn::Refused(SignInRefusal::NotProvisioned)));
    };
    let (user, subject) = (user_of(&row)?, row.get::<Option<String>>(7)?);
    if !user.active {
        return Ok(Some(SignIn::Refused(SignInRefusal::Inactive)));
    }
    match subject {
        Some(subject) if subject == who.subject => {}
        Some(_) => return Ok(Some(SignIn::Refused(SignInRefusal::NameTaken))),
        None => {
            let bind = "UPDATE identity_user SET subject = $1, updated_at = $2 WHERE id = $3 AND subject IS NULL";
            within.run(sql!(bind; &who.subject, now, &user.id)).await?;
        }
    }
    Ok(Some(SignIn::Taken(user)))
}

/// A user whose row nobody else changes until the transaction ends.
async fn held_user(
    within: &mut Transaction,
    issuer: &str,
    id: &str,
) -> Result<Option<IdentityUser>, StorageError> {
    let sql = format!(
        "{USERS} WHERE u.issuer = $1 AND u.id = $2{}",
        within.dialect().for_update()
    );
    let row = within.one(sql!(sql; issuer, id)).await?;
    row.as_ref().map(user_of).transpose()
}

/// Ends the sessions of a user, the tokens that they made, and those that are called by their name.
async fn end_tokens(
    within: &mut Transaction,
    id: &str,
    user_name: &str,
    now: Timestamp,
) -> Result<(), StorageError> {
    let end: SqlQuery = sql!("UPDATE api_key SET revoked_at = $1, refresh = NULL \
        WHERE (user_id = $2 OR name = $3) AND revoked_at IS NULL"; now, id, user_name);
    within.run(end).await?;
    Ok(())
}

fn user_of(row: &SqlRow) -> Result<IdentityUser, StorageError> {
    Ok(IdentityUser {
        id: row.get(0)?,
        user_name: row.get(1)?,
        external_id: row.get(2)?,
        attributes: row.get(3)?,
        active: row.get(4)?,
        created_at: row.time(5)?,
        updated_at: row.time(6)?,
    })
}

/// Names are compared without their case, as SCIM has it.
fn fold_name(name: &str) -> String {
    name.to_lowercase()
}
