//! Where the server may connect at the word of a person: the mail server or the object storage that a config names. A form
//! must not become a way to look around inside the deployment.
//!
//! The name is resolved once and the address that was checked is the one that is connected, so that a name that answers
//! differently the second time gains nothing.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

use poem::http::Uri;
use serde::Deserialize;
use store::{S3Settings, Store};
use tokio::net::TcpStream;

use crate::error::{Error, Result};

/// Which addresses a config may name; `outbound.targets` of the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Targets {
    /// Addresses of the internet.
    Public,
    /// These and the private ones of one's own network, where a mail server or a storage often stands.
    #[default]
    Lan,
    /// Also this machine and what answers only to it.
    Any,
}

/// Where clouds tell a machine its own secrets, beyond the link-local addresses.
const METADATA: [IpAddr; 3] = [
    IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)),
    IpAddr::V4(Ipv4Addr::new(192, 0, 0, 192)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x0254)),
];

impl Targets {
    /// Whether an address may be connected.
    pub fn allow(self, address: IpAddr) -> bool {
        let address = embedded(address);
        if self == Self::Any {
            return true;
        }
        if METADATA.contains(&address) {
            return false;
        }
        let (special, private) = match address {
            IpAddr::V4(v4) => {
                let [first, second, ..] = v4.octets();
                let special = first == 0 || first >= 240 || v4.is_loopback() || v4.is_link_local() || v4.is_multicast();
                (special, v4.is_private() || (first == 100 && second & 0xc0 == 64))
            }
            IpAddr::V6(v6) => {
                let special =
                    v6.is_unspecified() || v6.is_loopback() || v6.is_unicast_link_local() || v6.is_multicast();
                (special, v6.is_unique_local())
            }
        };
        !special && (self == Self::Lan || !private)
    }

    /// The addresses of a server, the usable ones of them first by family: an address of version 4 is reached from more
    /// networks.
    ///
    /// # Errors
    /// 409 when none of them may be connected, or the name is unknown.
    pub async fn resolve(self, host: &str, port: u16) -> Result<Vec<SocketAddr>> {
        let found = match host.trim_matches(['[', ']']).parse::<IpAddr>() {
            Ok(address) => vec![SocketAddr::new(address, port)],
            Err(_) => tokio::net::lookup_host((host, port)).await.map_err(|_| unreachable_server())?.collect(),
        };
        let known = !found.is_empty();
        let mut allowed: Vec<_> = found.into_iter().filter(|found| self.allow(found.ip())).collect();
        allowed.sort_by_key(SocketAddr::is_ipv6);
        match allowed.is_empty() {
            true if known => Err(forbidden(host)),
            true => Err(unreachable_server()),
            false => Ok(allowed),
        }
    }

    /// A connection to a server.
    ///
    /// # Errors
    /// 409 when it may not be connected, or cannot be; why it cannot is nobody's business but the server's own.
    pub async fn connect(self, host: &str, port: u16) -> Result<TcpStream> {
        let addresses = self.resolve(host, port).await?;
        TcpStream::connect(&*addresses).await.map_err(|error| {
            tracing::info!(%error, host, port, "a server that a config names cannot be reached");
            unreachable_server()
        })
    }

    /// A storage that a config names; each of its connections is checked.
    ///
    /// # Errors
    /// 409 when its address may not be connected.
    pub fn storage(self, settings: S3Settings) -> Result<Store> {
        let address = settings.endpoint.as_deref().and_then(|endpoint| endpoint.parse::<Uri>().ok());
        // An address in figures is connected without being resolved.
        if let Some(host) = address.as_ref().and_then(Uri::host)
            && let Ok(address) = host.trim_matches(['[', ']']).parse()
            && !self.allow(address)
        {
            return Err(forbidden(host));
        }
        Ok(Store::s3_resolving(settings, move |name: String| async move {
            let found = self.resolve(&name, 0).await.map_err(|error| io::Error::other(error.msg))?;
            Ok(found.into_iter().map(|found| found.ip()).collect())
        }))
    }
}

/// The address of version 4 that one of version 6 stands for, when it does.
fn embedded(address: IpAddr) -> IpAddr {
    let address = address.to_canonical();
    if let IpAddr::V6(v6) = address {
        let of = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)).into();
        match v6.segments() {
            // Translated by a gateway, or tunnelled.
            [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => return of(high, low),
            [0, 0, 0, 0, 0, 0, high, low] if high != 0 => return of(high, low),
            _ => {}
        }
    }
    address
}

fn forbidden(host: &str) -> Error {
    Error::conflict(format!(
        "不允许连接{host}：该地址指向本机、链路本地或保留网段；确需使用时，请由服务器管理员修改配置项 outbound.targets"
    ))
}

/// One sentence for all that can be wrong with a server that a config names.
pub fn unreachable_server() -> Error {
    Error::conflict("无法连接服务器，请检查地址、端口和加密方式")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(targets: Targets, address: &str) -> bool {
        targets.allow(address.parse().expect("an address"))
    }

    #[test]
    fn this_machine_and_its_neighbourhood_are_out_of_reach() {
        for address in [
            "127.0.0.1",
            "127.8.8.8",
            "0.0.0.0",
            "0.1.2.3",
            "169.254.169.254",
            "224.0.0.1",
            "255.255.255.255",
            "240.0.0.1",
            "100.100.100.200",
            "192.0.0.192",
            "::",
            "::1",
            "fe80::1",
            "ff02::1",
            "fd00:ec2::254",
            // The same, dressed up.
            "::ffff:127.0.0.1",
            "::127.0.0.1",
            "64:ff9b::a9fe:a9fe",
            "2002:7f00:1::",
        ] {
            assert!(!allowed(Targets::Lan, address), "{address}");
            assert!(!allowed(Targets::Public, address), "{address}");
            assert!(allowed(Targets::Any, address), "{address}");
        }
    }

    #[test]
    fn ones_own_network_is_reached_unless_the_settings_say_no() {
        for address in ["10.0.0.5", "172.16.9.9", "192.168.1.1", "100.64.0.1", "fd12:3456::1", "::ffff:10.0.0.5"] {
            assert!(allowed(Targets::Lan, address), "{address}");
            assert!(!allowed(Targets::Public, address), "{address}");
        }
        for address in ["8.8.8.8", "172.32.0.1", "2606:4700::1111", "100.128.0.1"] {
            assert!(allowed(Targets::Public, address), "{address}");
        }
    }

    #[tokio::test]
    async fn a_name_is_judged_by_its_addresses() {
        let refused = Targets::Lan.resolve("localhost", 25).await.expect_err("this machine");
        assert!(refused.msg.contains("outbound.targets"), "{refused}");
        assert!(Targets::Any.resolve("localhost", 25).await.is_ok());
        assert!(Targets::Lan.resolve("2130706433", 25).await.is_err());
        assert!(Targets::Lan.resolve("[::1]", 25).await.is_err());
    }

    #[test]
    fn a_storage_at_an_address_in_figures_is_judged_too() {
        let at = |endpoint: &str| {
            Targets::Lan.storage(S3Settings {
                endpoint: Some(endpoint.to_owned()),
                region: "us-east-1".to_owned(),
                bucket: "b".to_owned(),
                access_key: "k".to_owned(),
                secret_key: "s".to_owned(),
                path_style: true,
            })
        };
        assert!(at("http://169.254.169.254/").is_err());
        assert!(at("http://[::1]:9000").is_err());
        assert!(at("http://10.0.0.5:9000").is_ok());
    }
}
