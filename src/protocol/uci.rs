//! The Universal Chess Interface (UCI): parses lines and formats output.
//!
//! The protocol is the same for every game, so the formats are generic. `session` decides which commands are allowed
//! when.

use super::command::{Command, NAMELESS_OPTION, Oddity, PositionText, Protocol, Words};
use super::games::ProgramGame;
use super::output::{self, View};
use crate::engine::{Bound, Event, Info, SearchResult, Value, score};
use crate::game::{Position, WinModel};
use crate::xiangqi;
use std::fmt::Write as _;

// --- words ------------------------------------------------------------------------------------------

/// Reads a line.
pub fn read(line: &str, odd: &mut Vec<Oddity>) -> Command {
    let Some((word, mut words)) = Protocol::Uci.command_of(line) else {
        return Command::unknown(line, Protocol::Uci, odd);
    };
    match word {
        "uci" => Command::Uci,
        "ucinewgame" => Command::NewGame,
        "setoption" => read_option(words),
        "position" => {
            let mut game = words.position("position", odd);
            // uci2wb starts a game with half a FEN and no moves after `moves`.
            let is_half = game.fen.as_ref().is_some_and(|fen| fen.split(' ').count() == 2);
            game.ranks_from_zero = is_half && line.trim_end().ends_with(" moves");
            Command::Position(game)
        }
        // UCI-Cyclone, a dialect for xiangqi, omits the command; its `startpos` is the initial position of xiangqi.
        // After another word it is more likely a misspelt `position` than an omitted one.
        "fen" | "startpos" if Words::new(line).peek() == Some(word) => {
            let mut game = Words::new(line).position("position", odd);
            if word == "startpos" {
                game.fen = Some(xiangqi::Position::START_FEN.to_string());
            }
            Command::Position(PositionText { ranks_from_zero: true, ..game })
        }
        "fen" | "startpos" => Command::unknown(line, Protocol::Uci, odd),
        "speedtest" => words.speedtest().map_or_else(Command::Refused, Command::Bench),
        "debug" => match words.find(|word| matches!(*word, "on" | "off")) {
            Some(word) => Command::Debug(word == "on"),
            None => {
                odd.push(Oddity { word: String::new(), text: "debug: expected on or off".to_string() });
                Command::Nothing
            }
        },
        _ => Command::read(word, words, Protocol::Uci, odd),
    }
}

/// Reads `setoption name <name> [value <value>]`.
fn read_option(mut words: Words<'_>) -> Command {
    words.by_ref().find(|word| *word == "name");
    let name: Vec<_> = words.by_ref().take_while(|word| *word != "value").collect();
    if name.is_empty() {
        return Command::Refused(NAMELESS_OPTION.to_string());
    }
    Command::SetOption(name.join(" "), words.rest().to_string())
}

// --- lines ------------------------------------------------------------------------------------------

/// Win, draw and loss probabilities in thousandths, for a score of the same side.
fn wdl_of(model: WinModel, value: Value) -> [i32; 3] {
    if score::is_decided(value) {
        return if value > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    model.shares(value)
}

/// The centipawns to print for a score, such that 100 wins half the games. Mate, tablebase and forfeit scores are
/// printed unchanged, and no other score comes near them.
fn printed_centipawns(model: WinModel, value: Value) -> Value {
    if score::is_decided(value) {
        return value;
    }
    let most = score::EVAL_BOUND - 1;
    model.centipawns(value).clamp(-most, most)
}

/// The line for a PV.
fn info_line<B: ProgramGame>(view: &View<B>, info: &Info<'_, B::Move>) -> String {
    let mut out = format!("info depth {}", info.depth);
    if info.depth > 0 {
        let _ = write!(out, " seldepth {}", info.selective_depth);
    }
    if !info.pv.is_empty() {
        let _ = write!(out, " multipv {}", info.multi_pv);
    }
    let model = view.root.win_model();
    let _ = match score::mate_moves(info.score) {
        Some(moves) => write!(out, " score mate {moves}"),
        None => write!(out, " score cp {}", printed_centipawns(model, info.score)),
    };
    out.push_str(match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    if view.wdl {
        // Without moves, or without the material for a mate, the game is over; if nobody won, it is drawn.
        let over = info.pv.is_empty() || view.root.is_material_insufficient();
        let drawn = over && !score::is_decided(info.score);
        let [win, draw, loss] = if drawn { [0, 1000, 0] } else { wdl_of(model, info.score) };
        let _ = write!(out, " wdl {win} {draw} {loss}");
    }
    let (progress, hits) = (info.progress, info.tablebase_hits);
    let _ = write!(out, " nodes {} nps {}", progress.nodes, progress.nps());
    let _ = write!(out, " hashfull {} tbhits {hits} time {}", progress.hash_full, progress.time.as_millis());
    if !info.pv.is_empty() {
        let _ = write!(out, " pv{}", output::moves(view.root, info.pv));
    }
    out
}

/// The answer to `uci`, with the lines that announce the options.
pub fn hello(options: &str) -> String {
    format!("id name {}\nid author the Tabiya authors\n{options}uciok", output::NAME)
}

/// The line for what a search reports.
pub fn format<B: ProgramGame>(view: &View<B>, event: &Event<'_, B::Move>) -> String {
    let root = &view.root;
    match *event {
        Event::Line(ref info) => info_line(view, info),
        Event::Progress(progress) => {
            let (nodes, nps, full, time) =
                (progress.nodes, progress.nps(), progress.hash_full, progress.time.as_millis());
            format!("info nodes {nodes} nps {nps} hashfull {full} time {time}")
        }
        Event::Move { depth, m, number } => {
            format!("info depth {depth} currmove {} currmovenumber {number}", root.move_text(m))
        }
        Event::Message(text) => Protocol::Uci.remark(text),
        Event::Error(text) => Protocol::Uci.error(text),
        Event::Best(SearchResult { best: Some(best), ponder, .. }) => output::best_line(root, best, ponder),
        Event::Best(_) => "bestmove (none)".to_string(),
    }
}

/// The static evaluation, for a person.
pub fn evaluation<B: ProgramGame>(pos: &Position<B>) -> String {
    let Some(score) = output::evaluation(pos) else {
        return "Final evaluation: none (in check)\n".to_string();
    };
    let value = f64::from(printed_centipawns(pos.win_model(), score)) / 100.0;
    format!("Final evaluation: {value:+.2} (white side)\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::game::Searchable as _;

    #[test]
    fn unknown_words_are_skipped() {
        let read = |line| read(line, &mut Vec::new());
        assert_eq!(read("joho debug on"), Command::Debug(true));
        assert_eq!(read("foo bar"), Command::Nothing);
        assert_eq!(read("eval go"), Command::Evaluation);
        let game = PositionText { moves: "e2e4".into(), ..PositionText::default() };
        assert_eq!(read("position foo startpos bar moves e2e4"), Command::Position(game));
        assert_eq!(read("positon startpos moves e2e4"), Command::Nothing);
    }

    #[test]
    fn set_option_keeps_the_case_and_the_blanks_of_values() {
        let set = |line: &str| match read(&format!("setoption {line}"), &mut Vec::new()) {
            Command::SetOption(name, value) => Some((name, value)),
            _ => None,
        };
        assert_eq!(set("name Clear  Hash"), Some(("Clear Hash".into(), "".into())));
        let path = set(r"name Nalimov Path value  d:\tb;c\My  Files ");
        assert_eq!(path, Some(("Nalimov Path".into(), r"d:\tb;c\My  Files".into())));
        assert_eq!(set("name X value"), Some(("X".into(), "".into())));
        for nameless in ["", "value 3", "name", "name value 3"] {
            assert_eq!(set(nameless), None, "{nameless}");
        }
    }

    /// Positions with 32, 14 and 3 pieces.
    fn positions() -> [Position; 3] {
        [Position::START_FEN, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "8/8/8/4k3/8/8/8/K6Q w - - 0 1"]
            .map(|fen| Position::from_fen(fen).unwrap())
    }

    /// The models of those positions, and of positions of xiangqi with 32, 15 and 3 pieces.
    fn models() -> impl Iterator<Item = WinModel> {
        let xiangqi = [
            xiangqi::Position::START_FEN,
            "4k4/4a4/2n1b4/p3p3p/9/9/P3P4/4C4/4A4/2BAK1R2 w - - 0 1",
            "4k4/9/9/9/9/9/9/9/3R5/3K5 w - - 0 1",
        ]
        .map(|fen| xiangqi::Position::from_fen(fen).unwrap().win_model());
        positions().map(|pos| pos.win_model()).into_iter().chain(xiangqi)
    }

    #[test]
    fn wdl_probabilities_sum_to_1000() {
        for model in models() {
            for value in [-20_000, -300, -1, 0, 1, 77, 300, 20_000].into_iter().chain([
                score::mate_in(3),
                score::mated_in(4),
                score::tablebase_win_in(5),
            ]) {
                let [win, draw, loss] = wdl_of(model, value);
                assert_eq!(win + draw + loss, 1000, "{value}");
                assert!(win >= 0 && draw >= 0 && loss >= 0, "{value}");
                assert_eq!(wdl_of(model, -value), [loss, draw, win], "{value}");
            }
            for value in [score::mate_in(1), score::forfeit_in(9), score::tablebase_win_in(200)] {
                assert_eq!(wdl_of(model, value), [1000, 0, 0]);
            }
            let [win, draw, _] = wdl_of(model, 0);
            assert!(draw > win, "{model:?}");
            let even = model.even.round() as Value;
            assert!((wdl_of(model, even)[0] - 500).abs() < 20, "{model:?}");
        }
    }

    #[test]
    fn printed_scores_keep_their_order_and_kind() {
        for model in models() {
            let all: Vec<Value> = (-score::MATE..=score::MATE).collect();
            assert!(
                all.windows(2).all(|w| printed_centipawns(model, w[0]) <= printed_centipawns(model, w[1])),
                "{model:?}"
            );
            for value in all {
                let number = printed_centipawns(model, value);
                assert_eq!(score::is_decided(number), score::is_decided(value), "{value}");
                assert_eq!(number.signum() * value.signum(), number.abs().min(1), "{value}");
                assert!(!score::is_decided(value) || number == value, "{value}");
                assert_eq!(printed_centipawns(model, -value), -number, "{value}");
            }
        }
    }

    #[test]
    fn printed_scores_convert_back() {
        for pos in positions() {
            let model = pos.win_model();
            for number in -1_000..=1_000 {
                let back = printed_centipawns(model, model.score(number));
                // One centipawn of the evaluation may be more than one of the printed score.
                let step = (100.0 / model.even).max(1.0);
                assert!(f64::from((back - number).abs()) <= step / 2.0 + 0.5, "{number}: {back}");
                assert!(model.even < 100.0 || back == number, "{number}: {back}");
            }
        }
    }
}
