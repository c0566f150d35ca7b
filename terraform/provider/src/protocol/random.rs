//! What nobody can guess.

/// So many random bytes in hexadecimal.
///
/// # Errors
/// When there are no random numbers.
pub fn hex<const BYTES: usize>() -> Result<String, getrandom::Error> {
    let mut random = [0; BYTES];
    getrandom::fill(&mut random)?;
    Ok(random.iter().map(|byte| format!("{byte:02x}")).collect())
}
