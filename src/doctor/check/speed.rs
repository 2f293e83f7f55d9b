//! How fast other programs and this one count the same positions, with one command for each count.

use crate::base::speed::per_second;
use crate::doctor::diff::own_divide;
use crate::doctor::faults::Diagnosis;
use crate::doctor::program::Divider;
use crate::doctor::reading::read;
use crate::game::Position;
use std::iter::Sum;
use std::time::{Duration, Instant};

/// How long a count should take at least, for its speed to mean something.
const ENOUGH: Duration = Duration::from_millis(60);
/// The largest depth. A program that gets here so fast has looked its counts up.
const DEEPEST: u32 = 7;

/// Nodes and the time that they took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Speed {
    /// Nodes counted.
    pub nodes: u128,
    /// Time.
    pub time: Duration,
}

impl Speed {
    /// Nodes a second.
    #[must_use]
    pub fn per_second(&self) -> u128 {
        per_second(self.nodes, self.time) as u128
    }

    /// The speed of a call of `count`, which returns the nodes.
    fn of(count: impl FnOnce() -> u128) -> Speed {
        let begin = Instant::now();
        let nodes = count();
        Speed { nodes, time: begin.elapsed() }
    }
}

impl Sum for Speed {
    fn sum<I: Iterator<Item = Speed>>(speeds: I) -> Speed {
        let add = |a: Speed, b: Speed| Speed { nodes: a.nodes + b.nodes, time: a.time + b.time };
        speeds.fold(Speed::default(), add)
    }
}

/// The speed of `other` in one count.
fn once<B: Diagnosis>(other: &mut Divider<'_>, pos: &Position<B>, depth: u32) -> Result<Speed, String> {
    let begin = Instant::now();
    let text = other.ask(&pos.to_fen(), &[], depth, pos.legal_moves().len())?;
    let time = begin.elapsed();
    Ok(Speed { nodes: read(pos, &own_divide(pos, depth), &text, &mut other.habits)?.nodes(), time })
}

/// The speed of `other` on `positions`, each counted as deep as it takes a while, and the depths.
///
/// # Errors
/// If the program fails.
pub fn of_other<B: Diagnosis>(other: &mut Divider<'_>, positions: &[Position<B>]) -> Result<(Speed, Vec<u32>), String> {
    let (mut speeds, mut depths) = (Vec::new(), Vec::new());
    for pos in positions {
        for depth in 1..=DEEPEST {
            let speed = once(other, pos, depth)?;
            // The next depth takes about as much longer as it has more nodes.
            if speed.time >= ENOUGH || depth == DEEPEST {
                speeds.push(speed);
                depths.push(depth);
                break;
            }
        }
    }
    Ok((speeds.into_iter().sum(), depths))
}

/// The speed of `other` on `positions` to `depths`; that of this program, on one thread and without a hash table,
/// without another one.
///
/// # Errors
/// If the program fails.
pub fn at_depths<B: Diagnosis>(
    mut other: Option<&mut Divider<'_>>,
    positions: &[Position<B>],
    depths: &[u32],
) -> Result<Speed, String> {
    let speed = |(pos, &depth): (&Position<B>, &u32)| match &mut other {
        Some(other) => once(other, pos, depth),
        None => Ok(Speed::of(|| u128::from(pos.perft(depth)))),
    };
    positions.iter().zip(depths).map(speed).sum()
}
