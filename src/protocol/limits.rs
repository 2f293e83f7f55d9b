//! The limits of a search: [`of`] a `go`, and [`told`] in one line for a human in debug mode.
//!
//! Called by `session` for each search. Numbers are as the other program sent them, so nothing here trusts them.

use super::command::Go;
use super::options::{OptionId, Options};
use super::variant::Variant;
use crate::engine::{Clock, DEFAULT_OVERHEAD, Limits};
use crate::game::Side;
use std::time::Duration;

/// The limits of a search from `root`. What is wrong with the moves to be searched is said to `fault`.
pub fn of<P: Variant>(
    go: &Go<'_>,
    root: &P,
    options: &Options,
    fault: impl Fn(&str),
) -> Limits<P::Move> {
    let at_least_one = |n: i64| u32::try_from(n.max(1)).unwrap_or(u32::MAX);
    let (root_moves, banned) = search_moves(go, root, fault);
    Limits {
        depth: go.depth.map(at_least_one),
        nodes: go.nodes.map(|n| n.max(1).unsigned_abs()),
        soft_nodes: None,
        mate: go.mate.map(at_least_one),
        movetime: go.movetime.map(|ms| milliseconds(ms.max(1))),
        clock: clock(go, root.side()),
        infinite: go.infinite,
        until_mate: go.until_mate,
        ponder: go.ponder,
        root_moves,
        banned,
        overhead: options.spin(OptionId::MoveOverhead).map_or(DEFAULT_OVERHEAD, milliseconds),
    }
}

/// The root moves wanted and those forbidden. Moves that are not legal are reported and left out; if nothing else
/// was given, all moves are searched, except that the null move alone means none.
fn search_moves<P: Variant>(
    go: &Go<'_>,
    root: &P,
    fault: impl Fn(&str),
) -> (Option<Vec<P::Move>>, Vec<P::Move>) {
    let Some(texts) = &go.search_moves else { return (None, Vec::new()) };
    if !texts.is_empty() && texts.iter().all(|text| *text == "0000") {
        let list = root.legal_moves();
        return (None, list.as_slice().to_vec());
    }
    let mut wanted = Vec::new();
    for text in texts {
        match root.parse_move(text) {
            Ok(m) => wanted.push(m),
            Err(error) => fault(&format!("searchmoves: {error}")),
        }
    }
    ((!wanted.is_empty()).then_some(wanted), Vec::new())
}

/// Milliseconds, none if negative.
fn milliseconds(ms: i64) -> Duration {
    Duration::from_millis(ms.max(0).unsigned_abs())
}

/// The clock of `side`. Clocks may be negative, absurd, or given for one side only: then the other's has to
/// do, because an answer is expected in finite time.
fn clock(go: &Go<'_>, side: Side) -> Option<Clock> {
    /// A century; keeps sums of times far from overflow.
    const MOST: i64 = 3_155_760_000_000;
    let sane = |ms: i64| milliseconds(ms.min(MOST));
    let remaining = go.time[side].or(go.time[side.flip()])?;
    Some(Clock {
        remaining: sane(remaining),
        increment: sane(go.increment[side].unwrap_or(0)),
        moves_to_go: go
            .moves_to_go
            .filter(|&n| n > 0)
            .map(|n| u32::try_from(n).unwrap_or(u32::MAX)),
    })
}

/// What ends a search, and what it leaves out.
pub fn told<M>(limits: &Limits<M>) -> String {
    let mut ends = Vec::new();
    let mut end = |text: Option<String>| ends.extend(text);
    end(limits.depth.map(|depth| format!("at depth {depth}")));
    end(limits.nodes.map(|nodes| format!("after {nodes} nodes")));
    end(limits.movetime.map(|time| format!("after {} ms", time.as_millis())));
    end(limits.mate.map(|moves| format!("with a mate in {moves}")));
    end(limits.clock.map(|_| "when its share of the clock is spent".to_string()));
    let ends = ends.join(" or ");
    let mut out = match (limits.is_endless(), ends.is_empty()) {
        (true, true) => "the search ends with stop".to_string(),
        (true, false) => format!("the search answers to stop, and has no more to do {ends}"),
        (false, _) => format!("the search ends {ends}"),
    };
    if limits.until_mate {
        out.push_str(", or earlier if it finds a mate");
    }
    if limits.ponder {
        out.push_str("; it ponders until ponderhit or stop");
    }
    if let Some(Clock { remaining, increment, moves_to_go }) = limits.clock {
        let [remaining, increment] = [remaining, increment].map(|time| time.as_millis());
        let left = moves_to_go.map_or("the whole game".to_string(), |n| format!("{n} moves"));
        out += &format!("; on the clock {remaining} ms for {left}, {increment} ms more each move");
        out += &format!(", {} ms of a move are lost on the way", limits.overhead.as_millis());
    }
    let moves = |n: usize| if n == 1 { "1 move".to_string() } else { format!("{n} moves") };
    if let Some(wanted) = &limits.root_moves {
        out += &format!("; only {} to choose from", moves(wanted.len()));
    }
    if !limits.banned.is_empty() {
        out += &format!("; {} not to be played", moves(limits.banned.len()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::PerSide;

    #[test]
    fn clocks_survive_every_number() {
        let mut go = Go::default();
        assert_eq!(clock(&go, Side::First), None);
        go.time = PerSide([Some(-12), None]);
        assert_eq!(clock(&go, Side::First).map(|c| c.remaining), Some(Duration::ZERO));
        assert_eq!(clock(&go, Side::Second).map(|c| c.remaining), Some(Duration::ZERO));
        go.time = PerSide([Some(i64::MAX), Some(100)]);
        go.increment = PerSide([Some(i64::MAX), Some(i64::MIN)]);
        for moves in [0, -5, i64::MIN] {
            go.moves_to_go = Some(moves);
            assert_eq!(clock(&go, Side::First).and_then(|c| c.moves_to_go), None);
        }
        let black = clock(&go, Side::Second).unwrap();
        assert_eq!(black.remaining, Duration::from_millis(100));
        assert_eq!(black.increment, Duration::ZERO);
        let white = clock(&go, Side::First).unwrap();
        assert!(white.remaining.checked_mul(1000).is_some());
    }

    #[test]
    fn limits_are_told_in_a_sentence() {
        let ms = Duration::from_millis;
        let after = |change: fn(&mut Limits<u8>)| {
            let mut all = Limits::default();
            change(&mut all);
            told(&all)
        };
        assert_eq!(after(|_| {}), "the search ends with stop");
        assert_eq!(after(|all| all.depth = Some(6)), "the search ends at depth 6");
        assert_eq!(
            after(|all| {
                (all.depth, all.nodes, all.mate) = (Some(6), Some(1000), Some(3));
                all.movetime = Some(Duration::from_millis(500));
                all.root_moves = Some(vec![1, 2]);
                all.banned = vec![3];
            }),
            "the search ends at depth 6 or after 1000 nodes or after 500 ms or with a mate in 3; \
             only 2 moves to choose from; 1 move not to be played"
        );
        assert_eq!(
            after(|all| (all.infinite, all.until_mate, all.depth) = (true, true, Some(9))),
            "the search answers to stop, and has no more to do at depth 9, or earlier if it finds a mate"
        );
        let clock = Clock { remaining: ms(60_000), increment: ms(1000), ..Clock::default() };
        let mut all = Limits::<u8> { clock: Some(clock), overhead: ms(30), ..Limits::default() };
        let share = "the search ends when its share of the clock is spent";
        let rest = "1000 ms more each move, 30 ms of a move are lost on the way";
        assert_eq!(
            told(&all),
            format!("{share}; on the clock 60000 ms for the whole game, {rest}")
        );
        all.clock = Some(Clock { moves_to_go: Some(40), ..clock });
        all.ponder = true;
        let pondering = "; it ponders until ponderhit or stop";
        assert_eq!(
            told(&all),
            format!("{share}{pondering}; on the clock 60000 ms for 40 moves, {rest}")
        );
    }
}
