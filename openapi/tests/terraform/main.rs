//! The provider of `terraform/provider` under a real Terraform (`scripts/terraform`), against a server that listens. No secret may
//! stand in a state, a plan, what is said, a log or a table.

mod every_kind;
mod life;
mod refusals;

use kit::{
    Listening, Server,
    terraform::{Terraform, token},
};
use sqlx::AssertSqlSafe;

/// A server that listens, and a token with all that its operator holds.
struct Place {
    server: Server,
    listening: Listening,
    token: String,
}

impl Place {
    async fn new() -> Self {
        let server = Server::start().await;
        let listening = server.listen().await;
        let token = token(&server, "terraform", None).await;
        Self { server, listening, token }
    }

    fn terraform(&self) -> Terraform {
        Terraform::new(&self.listening.address, &self.token)
    }

    fn example(&self, name: &str) -> Terraform {
        Terraform::example(name, &self.listening.address, &self.token)
    }

    async fn close(self) {
        self.listening.close().await;
        self.server.close().await;
    }

    /// What was secret stands nowhere: neither where Terraform ran nor in a table of the platform, the logs of calls among them.
    async fn nowhere(&self, terraform: &Terraform, secrets: &[&str]) {
        let mut owner = self.server.owner().await;
        let tables: Vec<String> = sqlx::query_scalar(
            "select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
             where n.nspname = 'platform' and c.relkind = 'r' order by 1",
        )
        .fetch_all(&mut owner)
        .await
        .expect("tables");
        assert!(tables.len() > 20, "{tables:?}");
        for secret in secrets {
            assert_eq!(terraform.holders(secret), Vec::<String>::new(), "{secret} is to be read where Terraform ran");
            for table in &tables {
                let statement = format!("select exists (select from {table} t where strpos(t::text, $1) > 0)");
                let holds: bool = sqlx::query_scalar(AssertSqlSafe(statement))
                    .bind(secret)
                    .fetch_one(&mut owner)
                    .await
                    .unwrap_or_else(|error| panic!("{table}: {error}"));
                assert!(!holds, "{secret} is to be read in {table}");
            }
        }
    }
}
