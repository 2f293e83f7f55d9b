//! The command `go`: read into the limits of a search ([`read`]) and its moves ([`root_moves`]), and described in one
//! line for debug mode ([`describe`]).
//!
//! The numbers are as the other program sent them, and any value is accepted.

use super::dialect::{Context, Oddity, Protocol, Request};
use super::games::ProgramGame;
use super::words::Words;
use crate::engine::{Clock, Limits};
use crate::game::{Position, Side};
use std::time::Duration;

/// The words that a number follows: those of UCI, which UCCI has too, and from [`UCI_NUMBERS`] on those of UCCI, for
/// its own clock: the time of the side to move and of the opponent, the increments of both, and a number without
/// effect.
const NUMBERS: &str = "wtime btime winc binc movestogo depth nodes mate movetime perft \
    time opptime increment oppincrement oppmovestogo";
const ALL_NUMBERS: usize = 15;
const UCI_NUMBERS: usize = 10;

/// Whether a word belongs behind `go`: people type it alone.
pub fn is_word(word: &str) -> bool {
    matches!(word, "infinite" | "searchmoves") || NUMBERS.split(' ').take(UCI_NUMBERS).any(|known| known == word)
}

/// Reads the words after `go`.
pub fn read<'a>(mut words: Words<'a>, protocol: Protocol, context: Context, odd: &mut Vec<Oddity>) -> Request<'a> {
    let ucci = protocol == Protocol::Ucci;
    let numbered = NUMBERS.split(' ').take(if ucci { ALL_NUMBERS } else { UCI_NUMBERS });
    let number_of = |word: &str| numbered.clone().position(|known| known == word);
    let is_known = |word: &str| {
        number_of(word).is_some() || matches!(word, "ponder" | "infinite" | "searchmoves") || ucci && word == "draw"
    };
    let mut go = Request::default();
    let mut numbers = [None; ALL_NUMBERS];
    while let Some(word) = words.next() {
        match word {
            "ponder" => go.limits.ponder = true,
            "infinite" => go.limits.infinite = true,
            "searchmoves" => go.moves.extend(words.moves()),
            "draw" if ucci => go.draw = true,
            _ => match number_of(word) {
                Some(at) => words.number_of(word, &mut numbers[at], odd),
                None => words.skip_unknown("go", word, is_known, odd),
            },
        }
    }
    let [white, black, white_more, black_more, to_go, depth, nodes, mate, movetime, perft, own @ ..] = numbers;
    let at_least_one = |n: i64| u32::try_from(n.max(1)).unwrap_or(u32::MAX);
    go.perft = perft.map(|depth| u32::try_from(depth.max(0)).unwrap_or(u32::MAX));
    go.static_only = ucci && depth.is_some_and(|depth| depth <= 0) && !go.limits.infinite;
    let limits = &mut go.limits;
    limits.depth = depth.map(at_least_one);
    limits.nodes = nodes.map(|n| n.max(1).unsigned_abs());
    limits.mate = mate.map(at_least_one);
    limits.movetime = movetime.map(|ms| milliseconds(ms.max(1)));
    let mut clocks = [[white, white_more], [black, black_more]];
    if context.side == Side::Second {
        clocks.swap(0, 1);
    }
    limits.clock = clock(clocks, own, to_go, context.milliseconds);
    let is_endless = limits.is_endless();
    if !odd.is_empty() && is_endless && !limits.infinite && !limits.ponder && perft.is_none() {
        let text = "go: no limit was read, so the search goes on until stop".to_string();
        odd.push(Oddity { word: String::new(), text });
    }
    if ucci {
        // Pondering is for a search on the clock.
        limits.ponder &= limits.clock.is_some() || is_endless && !limits.infinite;
        limits.infinite |= is_endless;
        limits.until_mate = limits.infinite;
    }
    go
}

/// A time in milliseconds; zero if negative.
fn milliseconds(ms: i64) -> Duration {
    Duration::from_millis(ms.max(0).unsigned_abs())
}

/// The clock of the side to move, from the times and increments of that side and of the other one in UCI's words and
/// from UCCI's own words, which count first. Clocks may be negative, absurd, or given for one side only; then the other
/// side's clock is used, because an answer is expected in finite time. UCCI's clock without moves to go and increment
/// is the time for one move.
fn clock(
    [own, other]: [[Option<i64>; 2]; 2],
    ucci: [Option<i64>; 5],
    moves_to_go: Option<i64>,
    milliseconds_given: bool,
) -> Option<Clock> {
    /// A hundred years; keeps sums of times far from overflow.
    const MAX: i64 = 3_155_760_000_000;
    let sane = |ms: i64| milliseconds(ms.min(MAX));
    let unit = if milliseconds_given { 1 } else { 1000 };
    let [time, other_time, increment, ..] = ucci.map(|number| number.map(|n| n.saturating_mul(unit)));
    let is_one_move = time.or(other_time).is_some() && increment.is_none();
    let moves_to_go = moves_to_go.or(is_one_move.then_some(1)).filter(|&n| n > 0);
    let remaining = time.or(own[0]).or(other_time).or(other[0])?;
    Some(Clock {
        remaining: sane(remaining),
        increment: sane(increment.or(own[1]).unwrap_or(0)),
        moves_to_go: moves_to_go.map(|n| u32::try_from(n).unwrap_or(u32::MAX)),
    })
}

/// The moves that `go` searches: those of `root` that are not banned, and among them those that `texts` stand for.
/// Illegal moves are passed to `fault` and skipped; if none is left, all are searched. The null move `0000` alone
/// excludes every move.
pub fn root_moves<B: ProgramGame>(
    root: &Position<B>,
    texts: &[&str],
    banned: &[B::Move],
    fault: impl Fn(&str),
) -> Vec<B::Move> {
    if !texts.is_empty() && texts.iter().all(|text| *text == "0000") {
        return Vec::new();
    }
    let read = |text: &&str| root.parse_coordinates(text).map_err(|error| fault(&format!("searchmoves: {error}"))).ok();
    let wanted: Vec<_> = texts.iter().filter_map(read).collect();
    let mut moves: Vec<_> = root.legal_moves().into_iter().filter(|m| !banned.contains(m)).collect();
    if moves.iter().any(|m| wanted.contains(m)) {
        moves.retain(|m| wanted.contains(m));
    }
    moves
}

/// Describes what ends a search, and to how many of the `legal` moves it is limited.
pub fn describe(limits: &Limits, moves: usize, legal: usize) -> String {
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
    if moves < legal {
        out += &format!("; {moves} of {legal} moves");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(protocol: Protocol, side: Side, milliseconds: bool, line: &str) -> Request<'_> {
        read(Words::new(line), protocol, Context { side, milliseconds }, &mut Vec::new())
    }

    fn uci(line: &str) -> Request<'_> {
        go(Protocol::Uci, Side::First, true, line)
    }

    #[test]
    fn parameters_are_read_in_any_order() {
        let expected = Request {
            limits: Limits {
                clock: Some(Clock { increment: Duration::from_millis(1), ..Clock::default() }),
                depth: Some(u32::MAX),
                ..Limits::default()
            },
            moves: vec!["e2e4", "a7a8q"],
            ..Request::default()
        };
        for line in [
            "searchmoves e2e4 a7a8q wtime -12 btime 300 winc 1 depth 99999999999999999999",
            "depth 99999999999999999999 winc 1 foo btime +300 searchmoves e2e4 a7a8q wtime -12",
            "searchmoves e2e4 depth 99999999999999999999 searchmoves a7a8q winc 1 btime 300 wtime -12 binc",
        ] {
            assert_eq!(uci(line), expected, "{line}");
        }
        let limits = |line| uci(line).limits;
        assert_eq!(limits("depth infinite"), Limits::infinite());
        assert_eq!(limits("nodes -99999999999999999999").nodes, Some(1));
        let mate = Limits { mate: Some(3), ..Limits::default() };
        assert_eq!(limits("movetime 1.5 mate 3"), mate);
        assert_eq!((uci("searchmoves nodes 5").moves, limits("searchmoves nodes 5").nodes), (vec![], Some(5)));
        assert_eq!((uci("perft 3").perft, uci("perft -3").perft), (Some(3), Some(0)));
        assert_eq!(limits("draw depth 0 time 3"), Limits::depth(1), "words of UCCI");
        assert!(!uci("draw").draw && !uci("depth 0").static_only);
    }

    #[test]
    fn ucci_has_its_own_clock_beside_the_words_of_uci() {
        let clock = |side, milliseconds, line| {
            let clock = go(Protocol::Ucci, side, milliseconds, line).limits.clock?;
            let ms = [clock.remaining, clock.increment].map(|time| time.as_millis());
            Some((ms[0], ms[1], clock.moves_to_go))
        };
        for side in Side::BOTH {
            assert_eq!(clock(side, false, "time 60"), Some((60_000, 0, Some(1))));
            assert_eq!(clock(side, true, "time 60 increment 2"), Some((60, 2, None)));
            assert_eq!(clock(side, true, "time 60 movestogo 9"), Some((60, 0, Some(9))));
            assert_eq!(clock(side, true, "opptime 60 oppincrement 5"), Some((60, 0, Some(1))));
            assert_eq!(clock(side, true, "depth 3"), None);
            assert_eq!(clock(side, true, "time 60 wtime 1 btime 2 increment 0"), Some((60, 0, None)));
        }
        assert_eq!(clock(Side::First, false, "wtime 60 btime 70"), Some((60, 0, None)));
        assert_eq!(clock(Side::Second, false, "wtime 60 btime 70 binc 5"), Some((70, 5, None)));
        let ucci = |line| go(Protocol::Ucci, Side::First, true, line);
        assert!(ucci("draw").draw && ucci("depth 0").static_only);
        assert!(!ucci("depth 0 infinite").static_only && !ucci("depth 1").static_only);
        for (line, ponder, infinite) in [
            ("", false, true),
            ("ponder", true, true),
            ("ponder depth 3", false, false),
            ("ponder time 3", true, false),
            ("ponder infinite", false, true),
            ("ponder infinite time 3", true, true),
        ] {
            let Limits { ponder: ponders, infinite: is_infinite, until_mate, .. } = ucci(line).limits;
            assert_eq!((ponders, is_infinite, until_mate), (ponder, infinite, infinite), "{line}");
        }
    }

    #[test]
    fn clocks_accept_any_number() {
        let clock = |side: Side, line: &str| go(Protocol::Uci, side, true, line).limits.clock;
        assert_eq!(clock(Side::First, ""), None);
        for side in Side::BOTH {
            assert_eq!(clock(side, "wtime -12").map(|c| c.remaining), Some(Duration::ZERO));
        }
        let line = "wtime 9223372036854775807 btime 100 winc 9223372036854775807 binc -9999999999999999999";
        for moves in ["0", "-5", "-9223372036854775808"] {
            let given = format!("{line} movestogo {moves}");
            assert_eq!(clock(Side::First, &given).and_then(|c| c.moves_to_go), None);
        }
        let black = clock(Side::Second, line).unwrap();
        assert_eq!(black.remaining, Duration::from_millis(100));
        assert_eq!(black.increment, Duration::ZERO);
        let white = clock(Side::First, line).unwrap();
        assert!(white.remaining.checked_mul(1000).is_some());
    }

    #[test]
    fn limits_are_described() {
        let ms = Duration::from_millis;
        let after = |change: fn(&mut Limits)| {
            let mut all = Limits::default();
            change(&mut all);
            describe(&all, 20, 20)
        };
        assert_eq!(after(|_| {}), "search until stop");
        assert_eq!(after(|all| all.depth = Some(6)), "search up to depth 6");
        assert_eq!(
            after(|all| {
                (all.depth, all.nodes, all.mate) = (Some(6), Some(1000), Some(3));
                all.movetime = Some(Duration::from_millis(500));
            }),
            "search up to depth 6 or 1000 nodes or 500 ms or mate in 3"
        );
        assert_eq!(describe(&Limits::depth(6), 2, 20), "search up to depth 6; 2 of 20 moves");
        assert_eq!(
            after(|all| (all.infinite, all.until_mate, all.depth) = (true, true, Some(9))),
            "search up to depth 9, answer on stop, or until it finds a mate"
        );
        let clock = Clock { remaining: ms(60_000), increment: ms(1000), ..Clock::default() };
        let mut all = Limits { clock: Some(clock), overhead: ms(30), ..Limits::default() };
        let share = "search up to its share of the clock";
        let rest = "increment 1000 ms, move overhead 30 ms";
        assert_eq!(describe(&all, 20, 20), format!("{share}; clock 60000 ms for the whole game, {rest}"));
        all.clock = Some(Clock { moves_to_go: Some(40), ..clock });
        all.ponder = true;
        let pondering = "; ponder until ponderhit or stop";
        assert_eq!(describe(&all, 20, 20), format!("{share}{pondering}; clock 60000 ms for 40 moves, {rest}"));
    }
}
