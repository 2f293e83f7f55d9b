//! Positions judged by the evaluation that the engine has: what a network can learn before it sees any search.
//!
//! Called by `main`. Each is a recorded position after a few random moves, so there is no end of them.

use crate::data::Sample;
use tabiya::base::rng::SplitMix64;
use tabiya::game::network::NetworkInputs;
use tabiya::game::record::{Record, Recorded};
use tabiya::game::{MoveBuffer, Side};

/// Most random moves between a recorded position and the one to learn.
const PLIES: usize = 4;
/// Larger values are cut off: how large they are says little.
const LARGEST: i32 = 5_000;

/// Makes `count` samples from `records`, for a network of so many sets of inputs.
pub fn samples<P>(
    records: &[Record],
    sets: usize,
    count: usize,
    bound: i32,
    rng: &mut SplitMix64,
) -> Vec<Sample>
where
    P: Recorded + NetworkInputs,
{
    let mut memo = P::Memo::default();
    let mut samples = Vec::with_capacity(count);
    while samples.len() < count {
        let record = &records[rng.below(records.len())];
        let Some((mut pos, _)) = P::from_record(record) else { continue };
        for _ in 0..rng.below(PLIES + 1) {
            let mut list = P::List::default();
            pos.legal_moves(&mut list);
            let moves = list.as_slice();
            if moves.is_empty() {
                break;
            }
            pos.make(moves[rng.below(moves.len())]);
        }
        if pos.in_check() {
            continue;
        }
        let value = pos.evaluate(&mut memo).clamp(-LARGEST, LARGEST);
        if value.abs() <= bound {
            let score = if pos.side() == Side::First { value } else { -value };
            samples.push(Sample::new(&pos, sets, score as i16, 1));
        }
    }
    samples
}
