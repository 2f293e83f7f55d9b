//! Which numbers the program at the other end gives to ranks, and games read accordingly.
//!
//! Chess is of one mind. In xiangqi over UCI there are two conventions: Pikafish, UCI-Cyclone and all that follow them
//! count from 0 (`h2e2`), Fairy-Stockfish and all that follow it from 1 (`h3e3`, up to rank 10). [`Ranks`] finds out
//! from what the program sends, `session` asks it whenever it reads a game or writes a move:
//!
//! * A game whose moves are legal to its end in one convention only is evidence for that one. From the initial
//!   position every first move is: none of the 44 is legal in both.
//! * Where both will do, what was found before holds, and before that what is likely: 1 if the program has chosen the
//!   game by `UCI_Variant`, which is the way of Fairy-Stockfish's family, or else 0.
//! * Where neither will do, a move with rank 0 or 10 decides, then what was found before, then the longer legal part.
//! * UCI-Cyclone leaves out `position`, and uci2wb begins a game with `moves` behind half a FEN: both count from 0,
//!   although uci2wb sets `UCI_Variant`.
//!
//! What was found holds to the end of the program, games of chess and `ucinewgame` included, unless there is evidence to
//! the contrary. The option for ranks switches all of this off and names the convention.

use super::options::{OptionId, Options};
use super::variant::Variant;
use super::words::looks_like_move;
use crate::game::{NotationError, Rules};
use std::ops::Range;

/// A game as it was given, as far as it is legal.
pub struct Replay<P: Rules> {
    /// Where it begins.
    pub start: P,
    /// Where it ends.
    pub end: P,
    /// The moves between.
    pub moves: Vec<P::Move>,
    /// What is wrong with the next move; the rest is left out.
    pub fault: Option<NotationError>,
}

impl<P: Variant> Replay<P> {
    fn new(start: P, texts: &[&str]) -> Self {
        let mut replay =
            Replay { start, end: start, moves: Vec::with_capacity(texts.len()), fault: None };
        for text in texts {
            match replay.end.parse_move(text) {
                Ok(m) => {
                    replay.moves.push(m);
                    replay.end.make(m);
                }
                Err(fault) => {
                    replay.fault = Some(fault);
                    break;
                }
            }
        }
        replay
    }
}

/// What is known about the program's ranks. Conventions go by their places in [`Variant::FIRST_RANKS`].
#[derive(Clone, Debug, Default)]
pub struct Ranks {
    /// The convention that the program has shown.
    found: Option<usize>,
    /// The game that it has chosen by `UCI_Variant`.
    named: String,
}

impl Ranks {
    /// The program has set an option.
    pub fn hear_option(&mut self, id: OptionId, options: &Options) {
        if id == OptionId::Variant {
            self.named = options.text(id).to_string();
        }
    }

    /// The program writes as only those do that count from 0. Tells if nothing else has told yet.
    pub fn hear_zero(&mut self) {
        self.found.get_or_insert(0);
    }

    /// The program has asked for some of the moves from `pos`. Tells if nothing else has told yet.
    pub fn hear_choice<P: Variant>(&mut self, pos: P, texts: &[&str], options: &Options) {
        if self.found.is_none() {
            let legal = |pos: P| texts.iter().filter(|text| pos.parse_move(text).is_ok()).count();
            let legal = allowed::<P>(options)
                .map(|at| legal(adapted(pos, options, at)))
                .collect::<Vec<_>>();
            self.judge::<P>(options, texts, &legal);
        }
    }

    /// Plays a game in the convention that suits it.
    pub fn replay<P: Variant>(&mut self, start: P, texts: &[&str], options: &Options) -> Replay<P> {
        let allowed = allowed::<P>(options);
        let first = allowed.start;
        let mut replays =
            allowed.map(|at| Replay::new(adapted(start, options, at), texts)).collect::<Vec<_>>();
        let legal = replays.iter().map(|replay| replay.moves.len()).collect::<Vec<_>>();
        replays.swap_remove(self.judge::<P>(options, texts, &legal) - first)
    }

    /// A position in the notation of moves that the options ask for, as things stand.
    pub fn adapt<P: Variant>(&self, pos: P, options: &Options) -> P {
        adapted(pos, options, self.convention::<P>(options))
    }

    fn convention<P: Variant>(&self, options: &Options) -> usize {
        let allowed = allowed::<P>(options);
        let last = allowed.end - 1;
        let likely = if self.named == P::NAME { last } else { allowed.start };
        self.found.filter(|at| allowed.contains(at)).unwrap_or(likely)
    }

    /// The convention of `texts`, of which so many are `legal` in each that is allowed.
    fn judge<P: Variant>(&mut self, options: &Options, texts: &[&str], legal: &[usize]) -> usize {
        let allowed = allowed::<P>(options);
        let most = legal.iter().copied().max();
        let best = allowed.clone().zip(legal).filter(|&(_, n)| Some(*n) == most);
        let best = best.map(|(at, _)| at).collect::<Vec<_>>();
        if legal.len() > 1 {
            let longest = if let [only] = best[..] { Some(only) } else { None };
            let evidence = if most == Some(texts.len()) {
                longest
            } else {
                written::<P>(texts).or(self.found).or(longest)
            };
            self.found = evidence.or(self.found);
        }
        self.convention::<P>(options)
    }
}

/// The position as the options want it, in a convention.
fn adapted<P: Variant>(pos: P, options: &Options, at: usize) -> P {
    pos.adapt(options.check(OptionId::Chess960), P::FIRST_RANKS[at])
}

/// The conventions that the option allows; that of the game itself where there is no such option.
fn allowed<P: Variant>(options: &Options) -> Range<usize> {
    let all = 0..P::FIRST_RANKS.len();
    let level = options.level(OptionId::Ranks);
    if all.contains(&level) { level..level + 1 } else { all }
}

/// The convention of moves in which rank 0 or rank 10 occurs.
fn written<P: Variant>(texts: &[&str]) -> Option<usize> {
    let moves = texts.iter().filter(|text| looks_like_move(text));
    let ranks = moves.flat_map(|text| text.split(|c: char| !c.is_ascii_digit()));
    let (mut zero, mut ten) = (false, false);
    for rank in ranks {
        zero |= rank == "0";
        ten |= rank == "10";
    }
    let first = match (zero, ten) {
        (true, false) => 0,
        (false, true) => 1,
        _ => return None,
    };
    P::FIRST_RANKS.iter().position(|&rank| rank == first)
}

#[cfg(test)]
mod tests {
    use super::super::options::{Kind::Combo, Spec};
    use super::*;
    use crate::base::rng::SplitMix64;

    use crate::game::Notation;
    use crate::xiangqi::Position;

    static TABLE: &[Spec] = &[
        Spec::new(OptionId::Variant, "Variant", Combo("chess", &["chess", "xiangqi"])),
        Spec::new(OptionId::Ranks, "Ranks", Combo("auto", &["0-9", "1-10", "auto"])),
    ];

    /// A move with ranks from 0 as it is with ranks from `first`, by its letters alone.
    fn spelt(text: &str, first: usize) -> String {
        let spell = |letter: char| match letter.to_digit(10) {
            Some(rank) => (rank as usize + first).to_string(),
            None => letter.to_string(),
        };
        text.chars().map(spell).collect()
    }

    /// The number of the first rank as things stand.
    fn first_rank_of<P: Variant>(ranks: &Ranks, options: &Options) -> usize {
        P::FIRST_RANKS[ranks.convention::<P>(options)]
    }

    fn legal(pos: &Position) -> Vec<String> {
        let list = pos.legal_moves();
        list.as_slice().iter().map(|&m| pos.move_text(m).to_string()).collect()
    }

    /// Up to `most` random moves from `start`, with ranks from 0, and the position behind each.
    fn stroll(start: Position, most: usize, rng: &mut SplitMix64) -> Vec<(String, Position)> {
        let (mut pos, mut game) = (start, Vec::new());
        while game.len() < most {
            let moves = legal(&pos);
            let Some(text) = (!moves.is_empty()).then(|| moves[rng.below(moves.len())].clone())
            else {
                break;
            };
            let m = pos.parse_move(&text).unwrap();
            pos.make(m);
            game.push((text, pos));
        }
        game
    }

    fn start() -> Position {
        Position::from_fen(Position::START_FEN).unwrap()
    }

    /// What is known about a program that has set `UCI_Variant`, or has not.
    fn fresh(names_variant: bool) -> (Ranks, Options) {
        let (mut ranks, mut options) = (Ranks::default(), Options::new(TABLE));
        if names_variant {
            let id = options.set("Variant", "xiangqi").unwrap();
            ranks.hear_option(id, &options);
        }
        (ranks, options)
    }

    #[test]
    fn no_first_move_is_legal_in_both_conventions() {
        let moves = legal(&start());
        assert_eq!(moves.len(), 44);
        for text in &moves {
            assert!(!moves.contains(&spelt(text, 1)), "{text}");
            for (names_variant, first) in [(false, 0), (false, 1), (true, 0), (true, 1)] {
                let (mut ranks, options) = fresh(names_variant);
                let read = ranks.replay(start(), &[&spelt(text, first)], &options);
                assert_eq!((read.moves.len(), ranks.found), (1, Some(first)), "{text}");
            }
        }
    }

    /// Sends games move by move, as programs do; the initial position must be told apart from the first move on, and
    /// nothing may ever be believed that is not so.
    #[test]
    fn a_thousand_games_in_each_convention() {
        let mut rng = SplitMix64::new(38);
        for first in [0, 1] {
            // How many lists of so many moves behind a FEN were legal in both conventions.
            let (mut sent, mut both) = ([0; 8], [0; 8]);
            for game in 0..1000 {
                let opening = stroll(start(), 10 + rng.below(70), &mut rng);
                let middle = opening.last().map_or(start(), |(_, pos)| *pos);
                for from in [start(), middle] {
                    let likely = game % 2;
                    let (mut ranks, options) = fresh(likely == 1);
                    let mut texts = Vec::new();
                    // Each list is read from its beginning, so that long games take long.
                    let longest = if game % 11 == 0 { 40 } else { 12 };
                    for (text, pos) in stroll(from, longest, &mut rng) {
                        texts.push(spelt(&text, first));
                        let texts = texts.iter().map(String::as_str).collect::<Vec<_>>();
                        let read = ranks.replay(from, &texts, &options);
                        let now = first_rank_of::<Position>(&ranks, &options);
                        if from != start() {
                            sent[texts.len().min(8) - 1] += 1;
                            both[texts.len().min(8) - 1] += usize::from(ranks.found.is_none());
                        }
                        match ranks.found {
                            Some(found) => assert_eq!(found, first, "{texts:?}"),
                            // Legal in both: what is likely decides.
                            None => assert!(now == likely && from != start(), "{texts:?}"),
                        }
                        if now == first {
                            assert_eq!(read.end.to_fen(), pos.to_fen(), "{texts:?}");
                            let told = legal(&read.end);
                            let wanted =
                                legal(&pos).iter().map(|m| spelt(m, first)).collect::<Vec<_>>();
                            assert_eq!(told, wanted);
                        }
                        assert!(read.fault.is_none(), "{texts:?}");
                    }
                }
            }
            println!(
                "ranks from {first}, lists behind a FEN by length: {sent:?}, in doubt {both:?}"
            );
            assert!(both[0] > 0 && both[7] * 50 < sent[7], "the FENs are not those in question");
        }
    }

    #[test]
    fn evidence_in_games_that_are_legal_in_no_convention() {
        let fen = "4k4/9/9/9/R8/9/9/9/9/3K5 w - - 0 1";
        let pos = Position::from_fen(fen).unwrap();
        let read = |texts: &[&str], found: Option<usize>| {
            let (mut ranks, options) = fresh(false);
            ranks.found = found;
            let read = ranks.replay(pos, texts, &options);
            (ranks.found, read.moves.len(), read.fault.is_some())
        };
        // Nothing speaks for either.
        assert_eq!(read(&["a5a6", "x"], None), (Some(0), 1, true), "the longer part");
        assert_eq!(read(&["a5a6", "x"], Some(1)), (Some(1), 0, true), "what was found holds");
        assert_eq!(read(&["x"], None), (None, 0, true));
        assert_eq!(read(&["x", "e9e10"], Some(0)), (Some(1), 0, true), "rank 10 tells");
        assert_eq!(read(&["x", "e1e0"], Some(1)), (Some(0), 0, true), "rank 0 tells");
        assert_eq!(read(&["e1e0", "e9e10"], None), (None, 0, true), "both tell nothing");
        assert_eq!(read(&["0000", "a10", "b0"], None), (None, 0, true), "no moves");
        // Legal to the end in one convention: what was found was wrong.
        assert_eq!(read(&["a5a6"], Some(1)), (Some(0), 1, false));
        assert_eq!(read(&[], Some(1)), (Some(1), 0, false));
    }

    #[test]
    fn what_is_likely_before_any_move() {
        let first = first_rank_of::<Position>;
        let (mut ranks, mut options) = fresh(false);
        assert_eq!(first(&ranks, &options), 0, "nobody has named the game");
        options.assign(OptionId::Variant, "xiangqi").unwrap();
        assert_eq!(first(&ranks, &options), 0, "a position has changed it");
        ranks.hear_option(OptionId::Variant, &options);
        assert_eq!(first(&ranks, &options), 1, "the program has");
        ranks.hear_zero();
        assert_eq!(first(&ranks, &options), 0);
        options.set("Variant", "chess").unwrap();
        ranks.hear_option(OptionId::Variant, &options);
        assert_eq!(first(&ranks, &options), 0, "chess between");
        assert_eq!(first(&fresh(true).0, &options), 1);
        // Moves to be searched tell as well, but nothing against what is known.
        let (mut ranks, options) = fresh(true);
        ranks.hear_choice(start(), &["h2e2", "a0a1"], &options);
        assert_eq!(ranks.found, Some(0));
        ranks.hear_choice(start(), &["h3e3"], &options);
        assert_eq!(ranks.found, Some(0));
        let (mut ranks, options) = fresh(false);
        ranks.hear_choice(start(), &["x", "h3e3"], &options);
        assert_eq!(ranks.found, Some(1));
    }

    #[test]
    fn the_option_decides_alone_and_chess_knows_no_conventions() {
        for (value, first, other) in [("0-9", 0, "h3e3"), ("1-10", 1, "h2e2")] {
            let (mut ranks, mut options) = fresh(first == 0);
            options.set("Ranks", value).unwrap();
            let read = ranks.replay(start(), &[other], &options);
            let fault = read.fault.map(|fault| fault.reason).unwrap_or_default();
            assert!(fault.contains("is not legal"), "{fault}");
            assert_eq!((read.moves.len(), first_rank_of::<Position>(&ranks, &options)), (0, first));
            ranks.hear_choice(start(), &[other], &options);
            ranks.hear_zero();
            assert_eq!(first_rank_of::<Position>(&ranks, &options), first);
            let pos = read.start;
            let fault = pos.parse_move("e0e10").unwrap_err().reason;
            assert!(fault.contains(&format!("ranks {first} to {}", first + 9)), "{fault}");
        }
        // UCCI has no such option.
        let ucci = Options::new(&[]);
        let mut ranks = fresh(true).0;
        let read = ranks.replay(start(), &["h3e3"], &ucci);
        assert!(read.fault.is_some() && first_rank_of::<Position>(&ranks, &ucci) == 0);
        let options = fresh(true).1;
        type Chess = crate::chess::Position;
        let chess = Chess::from_fen(Chess::START_FEN).unwrap();
        for found in [None, Some(0), Some(1)] {
            let mut ranks = Ranks { found, named: "chess".into() };
            assert_eq!(ranks.replay(chess, &["e2e4", "e7e5"], &options).moves.len(), 2);
            assert_eq!((first_rank_of::<Chess>(&ranks, &options), ranks.found), (1, found));
        }
    }
}
