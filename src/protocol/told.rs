//! What `debug on` tells of a search before it begins: [`limits`], in one line for a human.
//!
//! Called by `session`; it reads, and changes nothing.

use crate::engine::{Clock, Limits};

/// What ends a search, and what it leaves out.
pub fn limits<M>(limits: &Limits<M>) -> String {
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
    use std::time::Duration;

    #[test]
    fn limits_are_told_in_a_sentence() {
        let ms = Duration::from_millis;
        let told = |change: fn(&mut Limits<u8>)| {
            let mut all = Limits::default();
            change(&mut all);
            limits(&all)
        };
        assert_eq!(told(|_| {}), "the search ends with stop");
        assert_eq!(told(|all| all.depth = Some(6)), "the search ends at depth 6");
        assert_eq!(
            told(|all| {
                (all.depth, all.nodes, all.mate) = (Some(6), Some(1000), Some(3));
                all.movetime = Some(Duration::from_millis(500));
                all.root_moves = Some(vec![1, 2]);
                all.banned = vec![3];
            }),
            "the search ends at depth 6 or after 1000 nodes or after 500 ms or with a mate in 3; \
             only 2 moves to choose from; 1 move not to be played"
        );
        assert_eq!(
            told(|all| (all.infinite, all.until_mate, all.depth) = (true, true, Some(9))),
            "the search answers to stop, and has no more to do at depth 9, or earlier if it finds a mate"
        );
        let clock = Clock { remaining: ms(60_000), increment: ms(1000), ..Clock::default() };
        let mut all = Limits::<u8> { clock: Some(clock), overhead: ms(30), ..Limits::default() };
        let share = "the search ends when its share of the clock is spent";
        let rest = "1000 ms more each move, 30 ms of a move are lost on the way";
        assert_eq!(
            limits(&all),
            format!("{share}; on the clock 60000 ms for the whole game, {rest}")
        );
        all.clock = Some(Clock { moves_to_go: Some(40), ..clock });
        all.ponder = true;
        let pondering = "; it ponders until ponderhit or stop";
        assert_eq!(
            limits(&all),
            format!("{share}{pondering}; on the clock 60000 ms for 40 moves, {rest}")
        );
    }
}
