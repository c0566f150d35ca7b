//! Where an operation may be called, whose data it touches, whether it writes; said in types by [`permissions!`].

/// Where an operation may be called.
pub trait Realm: Send + Sync + 'static {
    const PLATFORM: bool;
    const SCHOOL: bool;
    const DATA: Data;
    /// Whether an operator says in `schoolId` whose data they mean (00 §3).
    const NAMED: bool = false;
    /// Whether the code must be held for the whole school: what the operation changes is every site's.
    const WHOLE: bool = false;
}

/// Whose data an operation touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Data {
    /// The school of the session, or the one that an operator names.
    School,
    /// `platform`'s.
    Platform,
    /// Those of the area where the session is: its school, or `platform`.
    Home,
}

/// Only inside a school.
#[derive(Debug)]
pub enum InSchool {}
/// As [`InSchool`], for what is of the whole school: whoever holds the code for some sites or classes alone is refused.
#[derive(Debug)]
pub enum WholeSchool {}
/// In both, over a school's data: that of the session, and for an operator the one that `schoolId` names (00 §3, 05 F).
/// Without it only lists answer, over all schools of the operator.
#[derive(Debug)]
pub enum EachSchool {}
/// As [`EachSchool`], for bulk steps: without a school the step is done in each of those that its items name (05 F 8,
/// [`crate::across::bulk_over_schools`]).
#[derive(Debug)]
pub enum ManySchools {}
/// As [`ManySchools`], for operators alone: what nobody inside a school may do to its data.
#[derive(Debug)]
pub enum FromOutside {}
/// Only inside a school; the data are `platform`'s: what the school says of them, or tells the operators.
#[derive(Debug)]
pub enum FromSchool {}
/// As [`FromSchool`], for what the school says of all its people: whoever holds the code for some sites or classes alone is refused.
#[derive(Debug)]
pub enum WholeFromSchool {}
/// Only in the operators' area.
#[derive(Debug)]
pub enum InPlatform {}
/// In both; the data are `platform`'s.
#[derive(Debug)]
pub enum Anywhere {}
/// In both; each area has its own data in a table of the same name.
#[derive(Debug)]
pub enum AtHome {}
/// As [`AtHome`], for what is of the whole school there: whoever holds the code for some sites or classes alone is refused.
/// Operators hold theirs for all schools that they may act for.
#[derive(Debug)]
pub enum WholeAtHome {}

/// As [`AtHome`]; an operator may name a school instead, for what a record of that school refers to.
#[derive(Debug)]
pub enum HomeOrNamed {}

impl Realm for InSchool {
    const PLATFORM: bool = false;
    const SCHOOL: bool = true;
    const DATA: Data = Data::School;
}
impl Realm for WholeSchool {
    const PLATFORM: bool = false;
    const SCHOOL: bool = true;
    const DATA: Data = Data::School;
    const WHOLE: bool = true;
}
impl Realm for EachSchool {
    const PLATFORM: bool = true;
    const SCHOOL: bool = true;
    const DATA: Data = Data::School;
    const NAMED: bool = true;
}
impl Realm for ManySchools {
    const PLATFORM: bool = true;
    const SCHOOL: bool = true;
    const DATA: Data = Data::School;
    const NAMED: bool = true;
}
impl Realm for FromOutside {
    const PLATFORM: bool = true;
    const SCHOOL: bool = false;
    const DATA: Data = Data::School;
    const NAMED: bool = true;
}
impl Realm for HomeOrNamed {
    const PLATFORM: bool = true;
    const SCHOOL: bool = true;
    const DATA: Data = Data::Home;
    const NAMED: bool = true;
}
impl Realm for FromSchool {
    const PLATFORM: bool = false;
    const SCHOOL: bool = true;
    const DATA: Data = Data::Platform;
}
impl Realm for WholeFromSchool {
    const PLATFORM: bool = false;
    const SCHOOL: bool = true;
    const DATA: Data = Data::Platform;
    const WHOLE: bool = true;
}
impl Realm for InPlatform {
    const PLATFORM: bool = true;
    const SCHOOL: bool = false;
    const DATA: Data = Data::Platform;
}
impl Realm for Anywhere {
    const PLATFORM: bool = true;
    const SCHOOL: bool = true;
    const DATA: Data = Data::Platform;
}
impl Realm for AtHome {
    const PLATFORM: bool = true;
    const SCHOOL: bool = true;
    const DATA: Data = Data::Home;
}
impl Realm for WholeAtHome {
    const PLATFORM: bool = true;
    const SCHOOL: bool = true;
    const DATA: Data = Data::Home;
    const WHOLE: bool = true;
}

/// Marks the places whose steps are done in each of the schools that their items name.
pub trait OverSchools: Realm {}
impl OverSchools for ManySchools {}
impl OverSchools for FromOutside {}

/// Whether an operation writes, and whether it is open to somebody who must first change the password.
pub trait Mode: Send + Sync + 'static {
    const WRITES: bool;
    const BEFORE_PASSWORD_CHANGE: bool = false;
    /// Open to somebody whose role asks for a second step of signing in that is not set up yet.
    const BEFORE_SECOND_STEP: bool = Self::BEFORE_PASSWORD_CHANGE;
    /// An export or the view of a whole personal value: logged although nothing is written.
    const LOGGED: bool = Self::WRITES;
    /// Refused to a read-only session.
    const CHANGES_DATA: bool = Self::WRITES;
    /// Refused, in these words, to whoever acts for a person of the clients, whether or not their session may write.
    const IN_PERSON: Option<&'static str> = None;
}
#[derive(Debug)]
pub enum Reads {}
#[derive(Debug)]
pub enum Writes {}
/// Reads what the log must show: exports, whole personal values, private files.
#[derive(Debug)]
pub enum ReadsLogged {}
/// Reads, also while the password must be changed.
#[derive(Debug)]
pub enum ReadsAlways {}
/// Writes, also while the password must be changed.
#[derive(Debug)]
pub enum WritesAlways {}
/// Reads, also while a second step of signing in must be set up.
#[derive(Debug)]
pub enum ReadsBeforeSecondStep {}
/// Writes, also while a second step of signing in must be set up.
#[derive(Debug)]
pub enum WritesBeforeSecondStep {}
/// What comes of everybody all day long, as beats and counted views: no log keeps it, and whoever may only look sends it too.
#[derive(Debug)]
pub enum WritesUnlogged {}
/// Writes the session alone, so that a read-only one may call it.
#[derive(Debug)]
pub enum WritesOwnSession {}
/// The same, also while the password must be changed.
#[derive(Debug)]
pub enum WritesOwnSessionAlways {}

impl Mode for Reads {
    const WRITES: bool = false;
}
impl Mode for Writes {
    const WRITES: bool = true;
}
impl Mode for ReadsLogged {
    const WRITES: bool = false;
    const LOGGED: bool = true;
}
impl Mode for ReadsAlways {
    const WRITES: bool = false;
    const BEFORE_PASSWORD_CHANGE: bool = true;
}
impl Mode for WritesAlways {
    const WRITES: bool = true;
    const BEFORE_PASSWORD_CHANGE: bool = true;
}

impl Mode for ReadsBeforeSecondStep {
    const WRITES: bool = false;
    const BEFORE_SECOND_STEP: bool = true;
}
impl Mode for WritesBeforeSecondStep {
    const WRITES: bool = true;
    const BEFORE_SECOND_STEP: bool = true;
}

impl Mode for WritesUnlogged {
    const WRITES: bool = true;
    const LOGGED: bool = false;
    const CHANGES_DATA: bool = false;
}
impl Mode for WritesOwnSession {
    const WRITES: bool = true;
    const CHANGES_DATA: bool = false;
}
impl Mode for WritesOwnSessionAlways {
    const WRITES: bool = true;
    const CHANGES_DATA: bool = false;
    const BEFORE_PASSWORD_CHANGE: bool = true;
}

/// A use of a permission code by one operation; made by [`permissions!`].
pub trait Permission: Send + Sync + 'static {
    type Realm: Realm;
    type Mode: Mode;
    const CODE: &'static str;
    const NAME: &'static str;
    /// The code, then what the document says of the operation: place and mode.
    const SCHEME: &'static str;
}

/// Marks a permission whose operations may open a writing transaction.
pub trait MayWrite {}
impl MayWrite for Writes {}
impl MayWrite for WritesAlways {}
impl MayWrite for WritesBeforeSecondStep {}
impl MayWrite for WritesUnlogged {}
impl MayWrite for WritesOwnSession {}
impl MayWrite for WritesOwnSessionAlways {}

/// Names the permission codes of a file of operations: the type, whether it reads or writes, where, code, Chinese name.
///
/// ```text
/// permissions! {
///     pages "/schoolPC/basicData/site", "/platformPC/basicData/site";
///     InSchool Reads  ListSites = "adult:pc:site:list" "站点列表";
///     InSchool Writes SaveSite  = "adult:pc:site:save" "新增站点";
/// }
/// ```
/// The constants `PERMISSIONS` and `PAGES` of the file are for the `PART` of its entity.
#[macro_export]
macro_rules! permissions {
    (pages $($page:literal),*; $($realm:ident $mode:ident $name:ident = $code:literal $zh:literal;)+) => {
        $(
            #[doc = $zh]
            #[derive(Debug)]
            pub enum $name {}
            impl $crate::access::Permission for $name {
                type Realm = $crate::access::$realm;
                type Mode = $crate::access::$mode;
                const CODE: &'static str = $code;
                const NAME: &'static str = $zh;
                const SCHEME: &'static str = concat!($code, "|", stringify!($realm), "|", stringify!($mode));
            }
        )+
        const PAGES: &[&str] = &[$($page),*];
        pub const PERMISSIONS: &[$crate::module::PermissionEntry] = &[
            $($crate::module::PermissionEntry {
                code: $code,
                name: $zh,
                pages: PAGES,
                school: <$crate::access::$realm as $crate::access::Realm>::SCHOOL,
            }),+
        ];
    };
}
