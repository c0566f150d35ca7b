//! What of the settings another school may take over: rules, not what a school is (its row, its seal, its signatures).

use infra::{
    App, Change, Error, Result, Tx,
    access::Permission,
    foundation::{Foundation, Piece},
    setting::{Setting, kind::Kind},
};
use serde_json::{Map, Value, json};
use sqlx::PgConnection;

use super::{EditSchoolSetting, ViewSchoolSetting, item::settings_of, kept, registry::SettingGroup};

pub(super) const FOUNDATION: Foundation = Foundation {
    kind: "setting",
    name: "院校设置",
    needs: &[],
    reads: ViewSchoolSetting::CODE,
    adds: EditSchoolSetting::CODE,
    all: |app, connection| Box::pin(all(app, connection)),
    add: |tx, school, piece| Box::pin(add(tx, school, piece)),
};

/// The groups whose values are rules.
fn groups() -> impl Iterator<Item = SettingGroup> {
    let all = SettingGroup::CHOICES.iter().map(|(_, group)| *group);
    all.filter(|group| group.of_new_schools() || *group == SettingGroup::Params)
}

/// A file is a school's own, and what nobody may change is not changed here either.
fn may_go_on(setting: &Setting) -> bool {
    !setting.read_only && !matches!(setting.kind, Kind::File | Kind::Picture)
}

/// What a school set; where it never did, there is nothing.
async fn all(app: &App, connection: &mut PgConnection) -> Result<Vec<Piece>> {
    let mut pieces = Vec::new();
    for group in groups() {
        let settings = settings_of(app, group);
        for row in kept::rows(connection, &settings).await? {
            let Some(setting) = settings.iter().find(|setting| setting.key == row.key) else { continue };
            if !may_go_on(setting) {
                continue;
            }
            pieces.push(Piece {
                key: format!("{}/{}", group.as_str(), row.key),
                name: format!("{}：{}", group.zh(), setting.name),
                // Who went back to the default decided that: it is not handed on, and stays where it stands.
                in_use: !row.value.is_null(),
                form: json!({ "group": group.as_str(), "key": row.key, "value": row.value }),
                refers: Value::Null,
            });
        }
    }
    Ok(pieces)
}

async fn add(tx: &mut Tx, school: i64, piece: Piece) -> Result<Change> {
    let group = piece.form["group"].as_str().and_then(SettingGroup::parse);
    let group = group.ok_or_else(|| Error::internal("a setting of no group"))?;
    let key = piece.form["key"].as_str().unwrap_or_default().to_owned();
    let value = Map::from_iter([(key, piece.form["value"].clone())]);
    kept::set(tx, school, group, &value).await
}
