//! What a lecturer has, in 分: what stands free, what is kept back, what was taken out (01 §9.5).
//!
//! ```text
//! income, commission → frozen ─settle→ available ─extract_freeze→ frozen ─extract_paid→ withdrawn
//!                                         ↑                         └──extract_return──┘ (back)
//! refund_reverse takes back: from what is frozen before settlement, from what is available afterwards
//! ```

/// The parts of an account. Their sum is all that it ever received, less what was taken back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Balance {
    /// May be below nothing after a refund.
    pub available: i64,
    pub frozen: i64,
    pub withdrawn: i64,
}

/// What moves. The amounts are never below nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Movement {
    /// A part of a sale, kept back until it is settled.
    Income(i64),
    /// The same of a promoter.
    Commission(i64),
    Settle(i64),
    ExtractFreeze(i64),
    ExtractPaid(i64),
    ExtractReturn(i64),
    /// A refund before settlement.
    ReverseFrozen(i64),
    /// A refund afterwards.
    ReverseAvailable(i64),
}

/// Why nothing moves.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("可提现余额不足")]
    TooLittle,
    #[error("账户冻结金额不足，请联系管理员核对账户流水")]
    NotFrozen,
}

impl From<Refusal> for infra::Error {
    fn from(refusal: Refusal) -> Self {
        Self::conflict(refusal.to_string())
    }
}

impl Movement {
    /// The word of the journal.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Income(_) => "income",
            Self::Commission(_) => "commission",
            Self::Settle(_) => "settle",
            Self::ExtractFreeze(_) => "extract_freeze",
            Self::ExtractPaid(_) => "extract_paid",
            Self::ExtractReturn(_) => "extract_return",
            Self::ReverseFrozen(_) | Self::ReverseAvailable(_) => "refund_reverse",
        }
    }

    /// How much moves.
    pub const fn moved(self) -> i64 {
        match self {
            Self::Income(moved)
            | Self::Commission(moved)
            | Self::Settle(moved)
            | Self::ExtractFreeze(moved)
            | Self::ExtractPaid(moved)
            | Self::ExtractReturn(moved)
            | Self::ReverseFrozen(moved)
            | Self::ReverseAvailable(moved) => moved,
        }
    }

    /// What the whole account gains or loses by it.
    pub const fn gained(self) -> i64 {
        match self {
            Self::Income(moved) | Self::Commission(moved) => moved,
            Self::ReverseFrozen(moved) | Self::ReverseAvailable(moved) => -moved,
            Self::Settle(_) | Self::ExtractFreeze(_) | Self::ExtractPaid(_) | Self::ExtractReturn(_) => 0,
        }
    }
}

impl Balance {
    /// All that it ever received, less what was taken back.
    pub const fn total(self) -> i64 {
        self.available + self.frozen + self.withdrawn
    }

    /// The account after a movement.
    ///
    /// # Errors
    /// When more is asked for than is available, or than is kept back.
    pub fn after(self, movement: Movement) -> Result<Self, Refusal> {
        let moved = movement.moved();
        let Self { available, frozen, withdrawn } = self;
        let kept_back = |after: Self| if after.frozen < 0 { Err(Refusal::NotFrozen) } else { Ok(after) };
        match movement {
            Movement::Income(_) | Movement::Commission(_) => Ok(Self { frozen: frozen + moved, ..self }),
            Movement::Settle(_) | Movement::ExtractReturn(_) => {
                kept_back(Self { available: available + moved, frozen: frozen - moved, withdrawn })
            }
            Movement::ExtractFreeze(_) if available < moved => Err(Refusal::TooLittle),
            Movement::ExtractFreeze(_) => Ok(Self { available: available - moved, frozen: frozen + moved, withdrawn }),
            Movement::ExtractPaid(_) => {
                kept_back(Self { available, frozen: frozen - moved, withdrawn: withdrawn + moved })
            }
            Movement::ReverseFrozen(_) => kept_back(Self { frozen: frozen - moved, ..self }),
            Movement::ReverseAvailable(_) => Ok(Self { available: available - moved, ..self }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(balance: Balance, movements: &[Movement]) -> Result<(i64, i64, i64), Refusal> {
        let end = movements.iter().try_fold(balance, |balance, movement| balance.after(*movement))?;
        Ok((end.available, end.frozen, end.withdrawn))
    }

    #[test]
    fn money_is_kept_back_and_then_paid_or_given_back() {
        let earned = Balance { available: 11_277, ..Balance::default() };
        assert_eq!(after(earned, &[Movement::ExtractFreeze(10_000)]), Ok((1_277, 10_000, 0)));
        let paid = [Movement::ExtractFreeze(10_000), Movement::ExtractPaid(10_000)];
        assert_eq!(after(earned, &paid), Ok((1_277, 0, 10_000)));
        let failed = [Movement::ExtractFreeze(10_000), Movement::ExtractReturn(10_000)];
        assert_eq!(after(earned, &failed), Ok((11_277, 0, 0)));
        let twice = [Movement::ExtractFreeze(10_000), Movement::ExtractFreeze(10_000)];
        assert_eq!(after(earned, &twice), Err(Refusal::TooLittle));
        assert_eq!(after(earned, &[Movement::ExtractPaid(1)]), Err(Refusal::NotFrozen));
    }

    #[test]
    fn a_refund_after_settlement_may_leave_less_than_nothing() {
        let sold = [Movement::Income(11_277), Movement::Settle(11_277)];
        assert_eq!(after(Balance::default(), &sold), Ok((11_277, 0, 0)));
        let taken = Balance { available: 0, frozen: 0, withdrawn: 11_277 };
        let left = [Movement::ReverseAvailable(11_277)];
        assert_eq!(after(taken, &left), Ok((-11_277, 0, 11_277)));
        let next = [Movement::ReverseAvailable(11_277), Movement::ExtractFreeze(10_000)];
        assert_eq!(after(taken, &next), Err(Refusal::TooLittle));
    }

    #[test]
    fn the_whole_is_what_was_gained() {
        let all = [
            Movement::Income(11_277),
            Movement::Settle(11_277),
            Movement::ExtractFreeze(10_000),
            Movement::ExtractPaid(10_000),
            Movement::ReverseAvailable(3_150),
        ];
        let end = all.iter().try_fold(Balance::default(), |balance, movement| balance.after(*movement));
        let gained: i64 = all.iter().map(|movement| movement.gained()).sum();
        assert_eq!(end.map(Balance::total), Ok(gained));
    }
}
