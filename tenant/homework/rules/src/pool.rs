//! Which paper of a pool a student gets (part 03 B6).

/// A number by which a student's paper of a pool is chosen: the same whenever it is asked for.
pub fn chance(seed: i64, student: i64) -> u64 {
    let mut mixed = u64::from_ne_bytes(seed.to_ne_bytes()) ^ u64::from_ne_bytes(student.to_ne_bytes());
    mixed = (mixed ^ (mixed >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    mixed = (mixed ^ (mixed >> 33)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    mixed ^ (mixed >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_is_dealt_about_evenly_and_always_the_same() {
        let of = |student: i64| chance(7, student) % 3;
        assert_eq!((1..=9).map(of).collect::<Vec<u64>>(), (1..=9).map(of).collect::<Vec<u64>>());
        for place in 0..3 {
            let got = (1..=3_000).filter(|student| of(*student) == place).count();
            assert!((900..1_100).contains(&got), "{got} of 3000 got paper {place}");
        }
    }
}
