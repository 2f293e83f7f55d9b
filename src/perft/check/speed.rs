//! How fast other programs and this one count the same positions, with one command for each count.

use crate::game::diagnosis::Diagnosis;
use crate::perft::against::Divider;
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

    fn add(&mut self, nodes: u128, time: Duration) {
        self.nodes += nodes;
        self.time += time;
    }
}

/// Times `count`, which returns the nodes.
fn timed(count: impl FnOnce() -> Result<u128, String>) -> Result<(u128, Duration), String> {
    let begin = Instant::now();
    Ok((count()?, begin.elapsed()))
}

fn count<P: Diagnosis>(
    other: &mut impl Divider,
    pos: &P,
    depth: u32,
) -> Result<(u128, Duration), String> {
    let fen = pos.to_fen();
    timed(|| Ok(other.divide(&fen, &[], depth)?.iter().map(|m| m.count).sum()))
}

/// The speed of `other` on `positions`, each counted as deep as it takes a while, and the depths.
///
/// # Errors
/// If the program fails.
pub fn of_other<P: Diagnosis>(
    other: &mut impl Divider,
    positions: &[P],
) -> Result<(Speed, Vec<u32>), String> {
    let (mut speed, mut depths) = (Speed::default(), Vec::new());
    for pos in positions {
        for depth in 1..=DEEPEST {
            let (nodes, time) = count(other, pos, depth)?;
            // The next depth takes about as much longer as it has more nodes.
            if time >= ENOUGH || depth == DEEPEST {
                speed.add(nodes, time);
                depths.push(depth);
                break;
            }
        }
    }
    Ok((speed, depths))
}

/// The speed of `other` on `positions` to `depths`.
///
/// # Errors
/// If the program fails.
pub fn at_depths<P: Diagnosis>(
    other: &mut impl Divider,
    positions: &[P],
    depths: &[u32],
) -> Result<Speed, String> {
    let mut speed = Speed::default();
    for (pos, &depth) in positions.iter().zip(depths) {
        let (nodes, time) = count(other, pos, depth)?;
        speed.add(nodes, time);
    }
    Ok(speed)
}

/// Our own speed on `positions` to `depths`, on one thread and without a hash table.
pub fn of_own<P: Diagnosis>(positions: &[P], depths: &[u32]) -> Speed {
    let mut speed = Speed::default();
    for (pos, &depth) in positions.iter().zip(depths) {
        let begin = Instant::now();
        speed.add(u128::from(pos.perft(depth)), begin.elapsed());
    }
    speed
}
