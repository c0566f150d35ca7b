//! What a module tells the server about itself: permission codes, enumerations, kinds of jobs, options of each of its entities.
//! The leaf puts the modules together; no list names every module's things.

use futures_util::future::BoxFuture;
use sqlx::{AssertSqlSafe, PgConnection};

use crate::{
    Error, Result, Tx,
    enumeration::Enumeration,
    foundation::{self, Foundation},
    jobs::{JobEnd, JobKind, JobRun},
    options::{self, Source},
    params::Param,
    schedule::Schedule,
    session::Rights,
    setting::{Setting, Settings},
};

/// A permission code as the registry knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PermissionEntry {
    /// `module:pc:entity:action`
    pub code: &'static str,
    /// 中文
    pub name: &'static str,
    /// Routes of the pages under which the code is granted, in either area.
    pub pages: &'static [&'static str],
    /// Whether it opens anything in the school area; else it hangs under no page there.
    pub school: bool,
}

/// A table whose rows people know by a word.
#[derive(Debug, Clone, Copy)]
pub struct Entity {
    pub table: &'static str,
    /// 中文
    pub name: &'static str,
    /// With its measure word, as in 「5个班级」: `个班级`.
    pub counted: &'static str,
}

/// Personal fields of an entity that lists mask, and the code that opens one of them (05 E4).
#[derive(Debug, Clone, Copy)]
pub struct UnmaskedFields {
    /// The entity's word in the call.
    pub entity: &'static str,
    pub table: &'static str,
    pub code: &'static str,
    /// Word on the wire and column, or what stands for one: a value in brackets that is selected by the row.
    pub fields: &'static [(&'static str, &'static str)],
    /// The columns that the data scope looks at: of the site, of the class.
    pub scope: (&'static str, Option<&'static str>),
    /// The condition under which a row of a school is there: one in the recycle bin shows nothing whole.
    pub live: Option<&'static str>,
    /// For a table of `platform` instead: the condition under which a caller reaches a row. `$2` is the school they are in,
    /// null for an operator, whose account is `$3`.
    pub platform: Option<&'static str>,
}

/// A table whose records show their own trail (05 E1) and files (01 §4), to those who may open the record.
#[derive(Debug, Clone, Copy)]
pub struct History {
    pub table: &'static str,
    /// The code that opens one record; of a table of several kinds, that of one kind ([`Part::kinds`]).
    pub code: &'static str,
    /// The columns that the data scope looks at, of the site and of the class; none for what everybody with the code sees.
    pub scope: Option<(&'static str, Option<&'static str>)>,
}

impl History {
    /// # Errors
    /// 403 without the code; 404 when the record lies outside the scope.
    async fn admit(&self, connection: &mut PgConnection, rights: &Rights, id: i64) -> Result<()> {
        let scope = rights.get(self.code).ok_or_else(Error::forbidden)?;
        let (Some((site, class)), false) = (self.scope, scope.is_whole()) else { return Ok(()) };
        // The names are constants of the modules.
        let class = class.map_or_else(String::new, |class| format!(" or {class} = any($3)"));
        let statement =
            format!("select exists (select from {} where id = $1 and ({site} = any($2){class}))", self.table);
        let reached: bool = sqlx::query_scalar(AssertSqlSafe(statement))
            .bind(id)
            .bind(scope.sites())
            .bind(scope.classes())
            .fetch_one(connection)
            .await?;
        if reached { Ok(()) } else { Err(Error::not_found()) }
    }
}

/// A table whose records are of several kinds, each opened by a code of its own.
#[derive(Debug, Clone, Copy)]
pub struct KindCodes {
    pub table: &'static str,
    /// Selects the kind of the record `$1`.
    pub kind: &'static str,
    /// Each kind with the code that opens one record of it.
    pub codes: &'static [(&'static str, &'static str)],
}

impl KindCodes {
    /// The code that opens this record.
    ///
    /// # Errors
    /// 403 for whoever opens no kind; 404 for a record that is gone, since nobody knows its kind any more.
    async fn code(&self, connection: &mut PgConnection, rights: &Rights, id: i64) -> Result<&'static str> {
        if !self.codes.iter().any(|(_, code)| rights.contains_key(*code)) {
            return Err(Error::forbidden());
        }
        let kind: Option<String> = sqlx::query_scalar(self.kind).bind(id).fetch_optional(connection).await?;
        let kind = kind.ok_or_else(Error::not_found)?;
        self.codes.iter().find(|(of, _)| *of == kind).map(|(_, code)| *code).ok_or_else(Error::forbidden)
    }
}

/// A table of which some rows are kept to some accounts: nobody else opens their trail and files either.
#[derive(Debug, Clone, Copy)]
pub struct KeptRows {
    pub table: &'static str,
    /// The condition under which the account `$2` sees a row.
    pub seen: &'static str,
}

/// What an entity of a module tells of itself; it stands beside the entity.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    pub permissions: &'static [&'static [PermissionEntry]],
    pub enumerations: &'static [Enumeration],
    pub entities: &'static [Entity],
    pub jobs: &'static [JobKind],
    pub plain: &'static [UnmaskedFields],
    pub histories: &'static [History],
    /// Of the tables of [`Part::histories`], those whose kinds are opened by codes of their own.
    pub kinds: &'static [KindCodes],
    pub kept: &'static [KeptRows],
    /// Fields of what is sent that no log keeps, although the trail of their record may: whoever reads the log need not be among
    /// those who may see them.
    pub unlogged: &'static [&'static str],
    /// Tables whose rows a school's own role may add and read, but neither change nor delete.
    pub written_once: &'static [&'static str],
    pub params: &'static [&'static [Param]],
    /// What a school may set of its rules.
    pub settings: &'static [Settings],
    pub schedules: &'static [Schedule],
    /// What a new school may take over from another one.
    pub foundations: &'static [Foundation],
    /// What it offers to selectors.
    pub options: &'static [Source],
    /// Pages whose selectors ask for options of any module.
    pub option_pages: &'static [&'static str],
    /// Hears of every job that ended, before its end is written; heard again when that fails.
    pub job_ended: Option<JobEnded>,
    /// Takes away what the module made by itself of a record that is about to be deleted, as far as nobody touched it.
    pub leaving: Option<Follow>,
    /// Follows with what the module copied, or holds, of a record whose owner corrected it.
    pub corrected: Option<Follow>,
}

/// See [`Part::job_ended`].
pub type JobEnded = for<'a> fn(&'a JobRun, JobEnd<'a>) -> BoxFuture<'a, Result<()>>;

/// See [`Part::leaving`] and [`Part::corrected`]: the table and the number of the record, which the caller holds.
pub type Follow = for<'a> fn(&'a mut Tx, &'static str, i64) -> BoxFuture<'a, Result<()>>;

impl Part {
    /// Tells nothing.
    pub const NONE: Self = Self {
        permissions: &[],
        enumerations: &[],
        entities: &[],
        jobs: &[],
        plain: &[],
        histories: &[],
        kinds: &[],
        kept: &[],
        unlogged: &[],
        written_once: &[],
        params: &[],
        settings: &[],
        schedules: &[],
        foundations: &[],
        options: &[],
        option_pages: &[],
        job_ended: None,
        leaving: None,
        corrected: None,
    };
}

/// A capability: everything the leaf needs besides its operations.
#[derive(Debug, Clone, Copy)]
pub struct Module {
    pub name: &'static str,
    pub parts: &'static [Part],
}

/// All modules of this server.
#[derive(Debug, Clone, Default)]
pub struct Modules {
    modules: Vec<Module>,
    option_fields: Vec<&'static str>,
    unlogged: Vec<&'static str>,
}

impl Modules {
    pub fn new(modules: Vec<Module>) -> Self {
        let sources = modules.iter().flat_map(|module| module.parts).flat_map(|part| part.options);
        let mut option_fields: Vec<&'static str> = sources.flat_map(|source| source.fields()).collect();
        option_fields.sort_unstable();
        option_fields.dedup();
        let unlogged = modules.iter().flat_map(|module| module.parts).flat_map(|part| part.unlogged).copied().collect();
        Self { modules, option_fields, unlogged }
    }

    pub fn parts(&self) -> impl Iterator<Item = &'static Part> + '_ {
        self.modules.iter().flat_map(|module| module.parts)
    }

    /// What begins by itself.
    pub fn schedules(&self) -> impl Iterator<Item = Schedule> {
        self.parts().flat_map(|part| part.schedules).copied()
    }

    /// What a new school may take over from another one, each kind behind those that it needs.
    pub fn foundations(&self) -> Vec<Foundation> {
        foundation::in_order(self.parts().flat_map(|part| part.foundations).copied())
    }

    /// Also the one to list options, for the pages that ask for them.
    pub fn permissions(&self) -> impl Iterator<Item = PermissionEntry> + '_ {
        self.parts().flat_map(|part| {
            let options = (!part.option_pages.is_empty()).then(|| options::permission(part.option_pages));
            part.permissions.iter().copied().flatten().copied().chain(options.into_iter().flatten())
        })
    }

    pub fn enumerations(&self) -> impl Iterator<Item = Enumeration> + '_ {
        self.parts().flat_map(|part| part.enumerations).copied()
    }

    /// In the order of the modules.
    pub fn params(&self) -> impl Iterator<Item = Param> + '_ {
        self.parts().flat_map(|part| part.params.iter().copied().flatten()).copied()
    }

    /// What schools may set, in the order of the modules.
    pub fn all_settings(&self) -> impl Iterator<Item = &'static Settings> + '_ {
        self.parts().flat_map(|part| part.settings)
    }

    /// The settings under a tab of the page.
    pub fn settings(&self, group: &str) -> impl Iterator<Item = &'static Setting> {
        self.all_settings().filter(move |settings| settings.group == group).flat_map(|settings| settings.settings)
    }

    pub fn entity(&self, table: &str) -> Option<Entity> {
        self.parts().flat_map(|part| part.entities).find(|entity| entity.table == table).copied()
    }

    pub fn plain(&self, entity: &str) -> Option<UnmaskedFields> {
        self.plains().find(|plain| plain.entity == entity).copied()
    }

    /// Personal fields of all entities.
    pub fn plains(&self) -> impl Iterator<Item = &'static UnmaskedFields> + '_ {
        self.parts().flat_map(|part| part.plain)
    }

    pub fn histories(&self) -> impl Iterator<Item = History> + '_ {
        self.parts().flat_map(|part| part.histories).copied()
    }

    pub fn history(&self, table: &str) -> Option<History> {
        self.histories().find(|history| history.table == table)
    }

    /// Lets an account through to a record's trail and files: with the code that opens the record, within its data scope.
    ///
    /// # Errors
    /// 403 without the code; 404 when the record lies outside the scope or is kept to others ([`Part::kept`]), and for one of a table
    /// of kinds or of kept rows that is gone.
    pub async fn admit(
        &self,
        connection: &mut PgConnection,
        history: History,
        id: i64,
        rights: &Rights,
        account: i64,
    ) -> Result<()> {
        let code = match self.parts().flat_map(|part| part.kinds).find(|kinds| kinds.table == history.table) {
            Some(kinds) => kinds.code(connection, rights, id).await?,
            None => history.code,
        };
        History { code, ..history }.admit(connection, rights, id).await?;
        self.admit_account(connection, history.table, id, account).await
    }

    async fn admit_account(&self, connection: &mut PgConnection, table: &str, id: i64, account: i64) -> Result<()> {
        let Some(kept) = self.parts().flat_map(|part| part.kept).find(|kept| kept.table == table) else {
            return Ok(());
        };
        // Both are constants of the modules.
        let statement = format!("select exists (select from {} where id = $1 and ({}))", kept.table, kept.seen);
        let seen: bool =
            sqlx::query_scalar(AssertSqlSafe(statement)).bind(id).bind(account).fetch_one(connection).await?;
        if seen { Ok(()) } else { Err(Error::not_found()) }
    }

    /// Fields that no log keeps.
    pub fn unlogged(&self) -> &[&'static str] {
        &self.unlogged
    }

    /// Tables of a school whose rows are written once.
    pub fn written_once(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.parts().flat_map(|part| part.written_once).copied()
    }

    pub fn jobs(&self) -> impl Iterator<Item = JobKind> + '_ {
        self.parts().flat_map(|part| part.jobs).copied()
    }

    pub fn job(&self, kind: &str) -> Option<JobKind> {
        self.jobs().find(|job| job.kind == kind)
    }

    pub(crate) fn job_ended(&self) -> impl Iterator<Item = JobEnded> + '_ {
        self.parts().filter_map(|part| part.job_ended)
    }

    pub(crate) fn leaving(&self) -> impl Iterator<Item = Follow> + '_ {
        self.parts().filter_map(|part| part.leaving)
    }

    pub(crate) fn corrected(&self) -> impl Iterator<Item = Follow> + '_ {
        self.parts().filter_map(|part| part.corrected)
    }

    /// The types of options.
    pub fn options(&self) -> impl Iterator<Item = Source> + '_ {
        self.parts().flat_map(|part| part.options).copied()
    }

    /// The further fields of the options of all types.
    pub(crate) fn option_fields(&self) -> &[&'static str] {
        &self.option_fields
    }
}
