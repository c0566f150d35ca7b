//! 更正: the key fields of a person, and what of them differs (02 §0.4, §9.6).

use chrono::NaiveDate;
use people::id_card::{self, Gender, IdCardType};
use poem_openapi::Object;

use crate::student::Student;

/// The key fields of a person (02 §0.4); those that are not named stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Object)]
#[oai(rename_all = "camelCase", skip_serializing_if_is_none)]
pub struct KeyFields {
    /// 姓名
    #[oai(validator(max_length = 50))]
    pub name: Option<String>,
    /// 性别
    pub gender: Option<Gender>,
    /// 出生日期
    pub birthday: Option<NaiveDate>,
    /// 民族
    #[oai(validator(max_length = 10))]
    pub ethnicity: Option<String>,
    /// 证件类型
    pub id_card_type: Option<IdCardType>,
    /// 证件号
    #[oai(validator(max_length = 40))]
    pub id_card_no: Option<String>,
    /// 考生号
    /// 应为4至20位数字或大写字母
    #[oai(validator(pattern = "^[0-9A-Z]{4,20}$"))]
    pub examinee_no: Option<String>,
}

impl KeyFields {
    /// Those of a student.
    pub fn of(student: &Student) -> Self {
        Self {
            name: Some(student.name.clone()),
            gender: student.gender,
            birthday: student.birthday,
            ethnicity: student.ethnicity.clone(),
            id_card_type: Some(student.id_card_type),
            id_card_no: Some(student.id_card_no.clone()),
            examinee_no: student.examinee_no.clone(),
        }
    }

    /// Whether none is named.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The values of the same fields as `wanted` names.
    #[must_use]
    pub fn beside(&self, wanted: &Self) -> Self {
        Self {
            name: wanted.name.as_ref().and(self.name.clone()),
            gender: wanted.gender.and(self.gender),
            birthday: wanted.birthday.and(self.birthday),
            ethnicity: wanted.ethnicity.as_ref().and(self.ethnicity.clone()),
            id_card_type: wanted.id_card_type.and(self.id_card_type),
            id_card_no: wanted.id_card_no.as_ref().and(self.id_card_no.clone()),
            examinee_no: wanted.examinee_no.as_ref().and(self.examinee_no.clone()),
        }
    }

    /// Only what differs from `other`.
    fn differing_from(self, other: &Self) -> Self {
        fn differs<T: PartialEq>(own: Option<T>, other: &Option<T>) -> Option<T> {
            own.filter(|value| other.as_ref() != Some(value))
        }
        Self {
            name: differs(self.name, &other.name),
            gender: differs(self.gender, &other.gender),
            birthday: differs(self.birthday, &other.birthday),
            ethnicity: differs(self.ethnicity, &other.ethnicity),
            id_card_type: differs(self.id_card_type, &other.id_card_type),
            id_card_no: differs(self.id_card_no, &other.id_card_no),
            examinee_no: differs(self.examinee_no, &other.examinee_no),
        }
    }
}

/// What differs. A new number brings its birthday and gender along.
pub fn corrected(student: &Student, wanted: KeyFields, kind: IdCardType, card: &id_card::IdCard) -> KeyFields {
    let other_number = (kind, card.number.as_str()) != (student.id_card_type, student.id_card_no.as_str());
    let said = |typed: bool| typed || other_number;
    KeyFields {
        birthday: card.birthday.filter(|_| said(wanted.birthday.is_some())),
        gender: card.gender.filter(|_| said(wanted.gender.is_some())),
        id_card_no: Some(card.number.clone()),
        ..wanted
    }
    .differing_from(&KeyFields::of(student))
}

#[cfg(test)]
mod tests {
    use people::id_card::Typed;

    use super::{super::check::tests::stored, *};

    fn values(wanted: KeyFields) -> KeyFields {
        let student = stored();
        let kind = wanted.id_card_type.unwrap_or(student.id_card_type);
        let number = wanted.id_card_no.clone().unwrap_or_else(|| student.id_card_no.clone());
        let typed = Typed { birthday: wanted.birthday, gender: wanted.gender };
        let card = id_card::check(kind, &number, typed, "2026-05-20".parse().expect("a day")).expect("a number");
        corrected(&student, wanted, kind, &card)
    }

    #[test]
    fn what_stays_is_no_correction() {
        assert!(values(KeyFields::default()).is_empty());
        assert!(values(KeyFields::of(&stored())).is_empty());
        let name = KeyFields { name: Some("李四".to_owned()), ..KeyFields::default() };
        assert_eq!(values(KeyFields { gender: stored().gender, ..name.clone() }), name);
    }

    #[test]
    fn a_number_brings_birthday_and_gender() {
        let number = Some("429900199603150216".to_owned());
        let told = values(KeyFields { id_card_no: number.clone(), ..KeyFields::default() });
        assert_eq!(
            told,
            KeyFields {
                id_card_no: number,
                birthday: "1996-03-15".parse().ok(),
                gender: Some(Gender::Male),
                ..KeyFields::default()
            }
        );
        assert_eq!(
            KeyFields::of(&stored()).beside(&told),
            KeyFields {
                id_card_no: Some("11010519491231002X".to_owned()),
                birthday: stored().birthday,
                gender: stored().gender,
                ..KeyFields::default()
            }
        );
    }
}
