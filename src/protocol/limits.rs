//! Search limits: made from a `go` command ([`from_go`]), and described in one line for debug mode ([`describe`]).
//!
//! Called by `session` for each search. The numbers are as the other program sent them, and any value is accepted.

use super::command::Go;
use super::games::Variant;
use crate::engine::{Clock, Limits};
use crate::game::Side;
use std::time::Duration;

/// The limits of a search from `root`. Errors in the list of search moves are passed to `fault`.
pub fn from_go<P: Variant>(
    go: &Go<'_>,
    root: &P,
    overhead: Duration,
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
        overhead,
    }
}

/// The root moves to search (`None` for all) and the moves to exclude. Illegal moves are reported and skipped; if none
/// is left, all moves are searched. The null move `0000` alone excludes every move.
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
        match root.parse_coordinates(text) {
            Ok(m) => wanted.push(m),
            Err(error) => fault(&format!("searchmoves: {error}")),
        }
    }
    ((!wanted.is_empty()).then_some(wanted), Vec::new())
}

/// A time in milliseconds; zero if negative.
fn milliseconds(ms: i64) -> Duration {
    Duration::from_millis(ms.max(0).unsigned_abs())
}

/// The clock of `side`. Clocks may be negative, absurd, or given for one side only; then the other side's clock is
/// used, because an answer is expected in finite time.
fn clock(go: &Go<'_>, side: Side) -> Option<Clock> {
    /// A hundred years; keeps sums of times far from overflow.
    const MAX: i64 = 3_155_760_000_000;
    let sane = |ms: i64| milliseconds(ms.min(MAX));
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

/// Describes what ends a search and which moves it excludes.
pub fn describe<M>(limits: &Limits<M>) -> String {
    let mut ends = Vec::new();
    let mut end = |text: Option<String>| ends.extend(text);
    end(limits.depth.map(|depth| format!("depth {depth}")));
    end(limits.nodes.map(|nodes| format!("{nodes} nodes")));
    end(limits.movetime.map(|time| format!("{} ms", time.as_millis())));
    end(limits.mate.map(|moves| format!("mate in {moves}")));
    end(limits.clock.map(|_| "its share of the clock".to_string()));
    let ends = ends.join(" or ");
    let mut out = match (limits.is_endless(), ends.is_empty()) {
        (true, true) => "search until stop".to_string(),
        (true, false) => format!("search up to {ends}, answer on stop"),
        (false, _) => format!("search up to {ends}"),
    };
    if limits.until_mate {
        out.push_str(", or until it finds a mate");
    }
    if limits.ponder {
        out.push_str("; ponder until ponderhit or stop");
    }
    if let Some(Clock { remaining, increment, moves_to_go }) = limits.clock {
        let [remaining, increment] = [remaining, increment].map(|time| time.as_millis());
        let left = moves_to_go.map_or("the whole game".to_string(), |n| format!("{n} moves"));
        out += &format!("; clock {remaining} ms for {left}, increment {increment} ms");
        out += &format!(", move overhead {} ms", limits.overhead.as_millis());
    }
    let moves = |n: usize| if n == 1 { "1 move".to_string() } else { format!("{n} moves") };
    if let Some(wanted) = &limits.root_moves {
        out += &format!("; only {}", moves(wanted.len()));
    }
    if !limits.banned.is_empty() {
        out += &format!("; {} excluded", moves(limits.banned.len()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::PerSide;

    #[test]
    fn clocks_accept_any_number() {
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
    fn limits_are_described() {
        let ms = Duration::from_millis;
        let after = |change: fn(&mut Limits<u8>)| {
            let mut all = Limits::default();
            change(&mut all);
            describe(&all)
        };
        assert_eq!(after(|_| {}), "search until stop");
        assert_eq!(after(|all| all.depth = Some(6)), "search up to depth 6");
        assert_eq!(
            after(|all| {
                (all.depth, all.nodes, all.mate) = (Some(6), Some(1000), Some(3));
                all.movetime = Some(Duration::from_millis(500));
                all.root_moves = Some(vec![1, 2]);
                all.banned = vec![3];
            }),
            "search up to depth 6 or 1000 nodes or 500 ms or mate in 3; only 2 moves; 1 move excluded"
        );
        assert_eq!(
            after(|all| (all.infinite, all.until_mate, all.depth) = (true, true, Some(9))),
            "search up to depth 9, answer on stop, or until it finds a mate"
        );
        let clock = Clock { remaining: ms(60_000), increment: ms(1000), ..Clock::default() };
        let mut all = Limits::<u8> { clock: Some(clock), overhead: ms(30), ..Limits::default() };
        let share = "search up to its share of the clock";
        let rest = "increment 1000 ms, move overhead 30 ms";
        assert_eq!(describe(&all), format!("{share}; clock 60000 ms for the whole game, {rest}"));
        all.clock = Some(Clock { moves_to_go: Some(40), ..clock });
        all.ponder = true;
        let pondering = "; ponder until ponderhit or stop";
        assert_eq!(
            describe(&all),
            format!("{share}{pondering}; clock 60000 ms for 40 moves, {rest}")
        );
    }
}
