//! The scenes that ship, with a template for the inbox each (01 §12). A scene that is known is left as people made it.

use infra::{Error, Result};
use serde_json::json;
use sqlx::PgConnection;

use crate::template::Variable;

const SCENES: &str = include_str!("../data/scenes.tsv");

/// A scene of the file.
struct Scene {
    code: String,
    name: String,
    module: String,
    audience: String,
    channels: Vec<String>,
    variables: Vec<Variable>,
    title: String,
    content: String,
}

fn scenes() -> Result<Vec<Scene>> {
    let mut reader = csv::ReaderBuilder::new().delimiter(b'\t').quoting(false).from_reader(SCENES.as_bytes());
    reader.records().map(|row| scene(&row.map_err(Error::internal)?)).collect()
}

fn scene(row: &csv::StringRecord) -> Result<Scene> {
    let variables = row[5].split('|').filter(|variable| !variable.is_empty()).map(|variable| {
        let mut parts = variable.splitn(3, ':').map(ToOwned::to_owned);
        match (parts.next(), parts.next(), parts.next()) {
            (Some(name), Some(label), Some(sample)) => Ok(Variable { name, label, sample }),
            _ => Err(Error::internal(format!("scenes.tsv: {variable:?} is no variable"))),
        }
    });
    Ok(Scene {
        code: row[0].to_owned(),
        name: row[1].to_owned(),
        module: row[2].to_owned(),
        audience: row[3].to_owned(),
        channels: row[4].split(',').map(ToOwned::to_owned).collect(),
        variables: variables.collect::<Result<_>>()?,
        title: row[6].to_owned(),
        content: row[7].to_owned(),
    })
}

/// Adds the scenes that are missing; the caller holds the migration lock and commits.
pub async fn run(connection: &mut PgConnection) -> Result<()> {
    for scene in scenes()? {
        sqlx::query!(
            "with added as (
                 insert into platform.psd_info (scene_code, scene_name, module, variables, default_channels, audience_type, built_in,
                     created_by, updated_by)
                 values ($1, $2, $3, $4, $5, $6, true, 0, 0) on conflict (scene_code) do nothing returning id)
             insert into platform.psd_conf (scene_id, channel, title, content, created_by, updated_by)
             select id, 'in_app', $7, '<p>' || $8 || '</p>', 0, 0 from added",
            scene.code,
            scene.name,
            scene.module,
            json!(scene.variables),
            &scene.channels,
            scene.audience,
            scene.title,
            scene.content
        )
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{
        enums::{Channel, SceneAudience},
        template,
    };

    #[test]
    fn every_scene_is_whole_and_its_template_uses_its_own_variables() {
        let all = scenes().expect("a table");
        let codes: HashSet<&str> = all.iter().map(|scene| scene.code.as_str()).collect();
        assert_eq!(codes.len(), all.len());
        for scene in &all {
            assert!(SceneAudience::parse(&scene.audience).is_some(), "{}", scene.code);
            assert!(scene.channels.iter().all(|channel| Channel::parse(channel).is_some()), "{}", scene.code);
            template::check(Channel::InApp, &scene.title, &scene.content, &scene.variables)
                .unwrap_or_else(|error| panic!("{}: {}", scene.code, error.msg));
        }
    }
}
