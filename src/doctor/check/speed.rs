//! How fast other programs and this one count the same positions, with one command for each count.

use crate::doctor::faults::Diagnosis;
use crate::doctor::program::Divider;
use crate::game::Position;
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
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u128
    }

    /// Adds a call of `count`, which returns the nodes; returns its time.
    fn add(&mut self, count: impl FnOnce() -> Result<u128, String>) -> Result<Duration, String> {
        let begin = Instant::now();
        self.nodes += count()?;
        self.time += begin.elapsed();
        Ok(begin.elapsed())
    }
}

/// The nodes that `other` counts.
///
/// # Errors
/// If the program fails.
pub fn nodes<B: Diagnosis>(other: &mut Divider<'_>, pos: &Position<B>, depth: u32) -> Result<u128, String> {
    Ok(other.divide(&pos.to_fen(), &[], depth, pos.legal_moves().len())?.iter().map(|m| m.count).sum())
}

/// The speed of `other` on `positions`, each counted as deep as it takes a while, and the depths.
///
/// # Errors
/// If the program fails.
pub fn of_other<B: Diagnosis>(other: &mut Divider<'_>, positions: &[Position<B>]) -> Result<(Speed, Vec<u32>), String> {
    let (mut speed, mut depths) = (Speed::default(), Vec::new());
    for pos in positions {
        for depth in 1..=DEEPEST {
            let mut this = Speed::default();
            let time = this.add(|| nodes(other, pos, depth))?;
            // The next depth takes about as much longer as it has more nodes.
            if time >= ENOUGH || depth == DEEPEST {
                (speed.nodes, speed.time) = (speed.nodes + this.nodes, speed.time + this.time);
                depths.push(depth);
                break;
            }
        }
    }
    Ok((speed, depths))
}

/// The speed of `count` on `positions` to `depths`.
///
/// # Errors
/// If it fails.
pub fn at_depths<B: Diagnosis>(
    positions: &[Position<B>],
    depths: &[u32],
    mut count: impl FnMut(&Position<B>, u32) -> Result<u128, String>,
) -> Result<Speed, String> {
    let mut speed = Speed::default();
    for (pos, &depth) in positions.iter().zip(depths) {
        speed.add(|| count(pos, depth))?;
    }
    Ok(speed)
}
