//! A range of addresses, as settings name it: one address, or one with the number of bits that count (`10.20.0.0/16`). Whoever is
//! in it is trusted with what they say of others, so that a range that would hold more than it seems to is refused.

use std::{net::IpAddr, str::FromStr};

use serde::Deserialize;

/// One address, or all that begin with the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Network {
    address: IpAddr,
    bits: u32,
}

impl Network {
    /// Whether the address lies in it; one of IPv4 that came over IPv6 is the same.
    pub fn contains(self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(range), IpAddr::V4(one)) => {
                let rest = 32 - self.bits;
                range.to_bits().checked_shr(rest) == one.to_bits().checked_shr(rest)
            }
            (IpAddr::V6(range), IpAddr::V6(one)) => {
                let rest = 128 - self.bits;
                range.to_bits().checked_shr(rest) == one.to_bits().checked_shr(rest)
            }
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let wrong = || format!("{text:?} is neither an address nor a range such as 10.20.0.0/16");
        let typed: IpAddr = address.parse().map_err(|_| wrong())?;
        let address = typed.to_canonical();
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = match bits {
            None => most,
            // How many bits of a written-out `::ffff:10.0.0.0` count is not what people mean.
            Some(_) if address != typed => return Err(wrong()),
            Some(bits) => bits.parse::<u32>().ok().filter(|bits| *bits <= most).ok_or_else(wrong)?,
        };
        if bits == 0 {
            return Err(format!("{text:?} is everybody: name the range of those who are meant, such as 10.20.0.0/16"));
        }
        if !ends_in_zeros(address, most - bits) {
            let told = "is an address within a range: write it without its bits, or the range such as 10.20.0.0/16";
            return Err(format!("{text:?} {told}"));
        }
        Ok(Self { address, bits })
    }
}

/// Whether its last bits are zero, so many of them: what follows a range's own bits says nothing.
fn ends_in_zeros(address: IpAddr, count: u32) -> bool {
    match address {
        IpAddr::V4(address) => address.to_bits().trailing_zeros() >= count,
        IpAddr::V6(address) => address.to_bits().trailing_zeros() >= count,
    }
}

impl TryFrom<String> for Network {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(network: &str, address: &str) -> bool {
        let network: Network = network.parse().expect("a network");
        network.contains(address.parse().expect("an address"))
    }

    #[test]
    fn a_range_holds_what_begins_alike() {
        assert!(holds("10.20.0.0/16", "10.20.255.1") && !holds("10.20.0.0/16", "10.21.0.1"));
        assert!(holds("10.0.0.1", "10.0.0.1") && !holds("10.0.0.1", "10.0.0.2"));
        assert!(holds("10.20.0.0/16", "::ffff:10.20.0.1"));
        assert!(holds("fd00::/8", "fd12::1") && !holds("fd00::/8", "fe80::1"));
        assert!(holds("::ffff:10.0.0.1", "10.0.0.1") && !holds("10.0.0.1", "2001:db8::1"));
        assert!(holds("128.0.0.0/1", "203.0.113.7") && holds("::1", "::1"));
    }

    #[test]
    fn what_is_no_range_is_told() {
        for text in ["10.20.0.0/33", "10.20/16", "fd00::/129", "proxy", "10.0.0.1/", ""] {
            let told = text.parse::<Network>().expect_err("no range");
            assert!(told.contains("10.20.0.0/16"), "{told}");
        }
    }

    #[test]
    fn a_range_that_trusts_others_than_it_seems_to_is_refused() {
        for (text, why) in [
            ("0.0.0.0/0", "everybody"),
            ("::/0", "everybody"),
            ("10.20.3.4/8", "an address within a range"),
            ("fd00::1/8", "an address within a range"),
            ("::ffff:10.0.0.0/104", "neither"),
        ] {
            let told = text.parse::<Network>().expect_err("no range");
            assert!(told.contains(why), "{told}");
        }
    }
}
