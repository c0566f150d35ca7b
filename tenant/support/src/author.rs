//! For which schools somebody writes at a desk.
//!
//! A code of the operators' area is held for the schools that its holder may act for (01 §1.1, §2.1). So an article of the platform is
//! written by whoever may act for each school that it is for, and what is for all schools, as categories are, by whoever may act for
//! all. What a school writes is its own.

use infra::{Error, Result, Tx, access::Caller};
use sqlx::PgConnection;
use support_rules::{
    article::{Refusal, may_be_written},
    enums::SupportAudience,
};

use crate::{
    article::{Record, held},
    source,
};

/// Somebody who writes at the desk of an audience.
#[derive(Debug, Clone)]
pub(crate) struct Author {
    pub audience: SupportAudience,
    /// Whose articles they are; none for the platform's.
    pub school: Option<i64>,
    /// In `platform`: the schools that the author may act for; none for all.
    schools: Option<Vec<i64>>,
}

impl Author {
    /// The caller; the connection stands in the area where they write.
    ///
    /// # Errors
    /// Those of the database.
    pub(crate) async fn of(caller: &Caller, connection: &mut PgConnection, audience: SupportAudience) -> Result<Self> {
        let school = caller.session.school_id;
        let schools = match school {
            Some(_) => None,
            None => source::reach_of(connection, caller.user_id()).await?,
        };
        Ok(Self { audience, school, schools })
    }

    /// An article that the author is about to change.
    ///
    /// # Errors
    /// 404 for an article of another audience, 403 for one of schools for which they do not act.
    pub(crate) async fn held(&self, tx: &mut Tx, id: i64) -> Result<Record> {
        let record = held(tx, self.audience, id).await?;
        self.may_write_for(&record.school_ids)?;
        Ok(record)
    }

    /// Whether an article for these schools, or without any for all, is theirs to write.
    ///
    /// # Errors
    /// 403.
    pub(crate) fn may_write_for(&self, schools: &[i64]) -> Result<()> {
        may_be_written(self.schools.as_deref(), schools).map_err(|refusal| Error::new(403, refusal.to_string()))
    }

    /// Whether the categories, below which the articles of all schools stand, are theirs to arrange.
    ///
    /// # Errors
    /// 403.
    pub(crate) fn may_arrange(&self) -> Result<()> {
        match self.schools {
            None => Ok(()),
            Some(_) => Err(Error::new(403, Refusal::CategoryForAll.to_string())),
        }
    }

    /// Whether they write for all schools, or in their own.
    pub(crate) fn writes_for_all(&self) -> bool {
        self.schools.is_none()
    }

    /// Whether they act for a school.
    pub(crate) fn acts_for(&self, school: i64) -> bool {
        self.schools.as_ref().is_none_or(|own| own.contains(&school))
    }
}
