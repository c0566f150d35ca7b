//! Students of a download, with all that their papers show.

use std::collections::{HashMap, hash_map::Entry};

use information_review_rules::filled::{Filled, mask_text};
use infra::{App, Result, Scope, clock::Moment};
use serde_json::Value;
use sqlx::PgConnection;
use student_status::student::{
    Student,
    references::{Word, words},
    seen_all,
};

use crate::{
    enums::InformationKind,
    information::{
        items::{self, ItemShown},
        list::{self, InformationRow},
        papers::{self, InformationFile},
        submit::{Collecting, collecting, promise},
        view::mask_item,
    },
};

/// Somebody with their form; every number is whole until it is masked.
pub(super) struct Person {
    pub row: InformationRow,
    pub student: Student,
    pub ethnicity: Option<String>,
    pub political_status: Option<String>,
    pub filled: Filled,
    pub items: Vec<ItemShown>,
    pub signed_at: Option<Moment>,
    pub class_opinion: Option<String>,
    pub site_opinion: Option<String>,
    pub school_opinion: Option<String>,
    /// As it was signed, or as it would be signed now.
    pub commitment_text: Option<String>,
    /// Keys of stored pictures.
    pub photo: Option<String>,
    pub signature: Option<String>,
    pub files: Vec<InformationFile>,
}

impl Person {
    /// Hides what only those see who may see whole numbers (05 E4), on the papers as in the view.
    pub(super) fn mask(&mut self) {
        let number = self.row.id_card_no.clone();
        self.row.mask();
        self.filled.mask();
        self.items.iter_mut().for_each(mask_item);
        self.commitment_text = self.commitment_text.as_deref().map(|text| mask_text(text, &number));
    }
}

/// What is asked once for everybody.
pub(super) struct Known {
    school: String,
    ethnicities: Vec<Word>,
    political: Vec<Word>,
    /// The windows of 承诺书, by grade.
    windows: HashMap<i64, Option<Collecting>>,
}

impl Known {
    pub(super) async fn of(app: &App, school: String) -> Result<Self> {
        let (ethnicities, political) = words(app).await?;
        Ok(Self { school, ethnicities, political, windows: HashMap::new() })
    }

    /// 承诺书 as the student would sign it now.
    async fn promise(&mut self, connection: &mut PgConnection, student: &Student) -> Result<Option<String>> {
        if let Entry::Vacant(unknown) = self.windows.entry(student.grade_id) {
            let window = collecting(connection, InformationKind::AdmissionCommitment, student.grade_id).await?;
            unknown.insert(window);
        }
        let window = self.windows.get(&student.grade_id).and_then(Option::as_ref);
        let template = window.and_then(|window| window.template_text.as_deref());
        Ok(template.map(|template| promise(template, &self.school, student)))
    }
}

/// What only the papers have beside the line, as stored.
struct Stored {
    id: i64,
    content: Value,
    signed_at: Option<Moment>,
    class_opinion: Option<String>,
    site_opinion: Option<String>,
    school_opinion: Option<String>,
    commitment_text: Option<String>,
    photo: Option<String>,
    signature: Option<String>,
}

/// The students of these forms that the scope shows, in the same order, with five statements for all of them.
///
/// # Errors
/// Those of the database.
pub(super) async fn load(
    connection: &mut PgConnection,
    kind: InformationKind,
    ids: &[i64],
    scope: &Scope,
    known: &mut Known,
) -> Result<Vec<Person>> {
    let rows = list::of_ids(connection, kind, ids, scope).await?;
    let students: Vec<i64> = rows.iter().map(|row| row.student_id).collect();
    let students = seen_all(connection, &students, scope).await?;
    let mut students: HashMap<i64, Student> = students.into_iter().map(|student| (student.id, student)).collect();
    let mut rows: HashMap<i64, InformationRow> = rows.into_iter().map(|row| (row.id, row)).collect();
    let mut files = papers::of_all(connection, ids).await?;
    let mut stored = stored(connection, ids).await?;
    let mut people = Vec::with_capacity(ids.len());
    for id in ids {
        let (Some(row), Some(stored)) = (rows.remove(id), stored.remove(id)) else { continue };
        let Some(student) = students.remove(&row.student_id) else { continue };
        let filled = Filled::of(kind, stored.content)?;
        let words = (known.ethnicities.as_slice(), known.political.as_slice());
        let items =
            items::of_kind(kind).iter().map(|key| items::show(&student, *key, filled.checked(), words)).collect();
        let (ethnicity, political_status) =
            (label(words.0, student.ethnicity.as_deref()), label(words.1, student.political_status.as_deref()));
        let commitment_text = match (stored.commitment_text, kind) {
            (None, InformationKind::AdmissionCommitment) => known.promise(connection, &student).await?,
            (signed, _) => signed,
        };
        people.push(Person {
            files: files.remove(id).unwrap_or_default(),
            row,
            student,
            ethnicity,
            political_status,
            filled,
            items,
            signed_at: stored.signed_at,
            class_opinion: stored.class_opinion,
            site_opinion: stored.site_opinion,
            school_opinion: stored.school_opinion,
            commitment_text,
            photo: stored.photo,
            signature: stored.signature,
        });
    }
    Ok(people)
}

fn label(words: &[Word], value: Option<&str>) -> Option<String> {
    words.iter().find(|word| Some(word.value.as_str()) == value).map(|word| word.label.clone())
}

/// By form. The photo is that of the group's paper: what was handed in at 学籍注册信息 goes before what the register has.
async fn stored(connection: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, Stored>> {
    let rows = sqlx::query_as!(
        Stored,
        r#"select i.id, i.content, i.signed_at, i.class_opinion, i.site_opinion, i.school_opinion, i.commitment_text,
                  p.key as "photo?", g.key as "signature?"
           from student_information i
           join student s on s.id = i.student_id
           left join file_object p on p.state = 'stored' and p.id = case i.kind
               when 'admission_information' then coalesce(i.photo_id, s.enrol_photo_id, s.admission_photo_id)
               when 'admission_commitment' then coalesce(s.enrol_photo_id, s.admission_photo_id)
               else coalesce(s.graduation_photo_id, s.enrol_photo_id) end
           left join file_object g on g.state = 'stored' and g.id = i.signature_id
           where i.id = any($1)"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}
