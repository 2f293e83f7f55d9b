//! `tabiya probe`: tablebase results of positions and of their moves.
//!
//! Reads arguments and prints; `chess::tablebase` does the probing. The tables ignore the half-move clock; the results
//! printed here take it into account.

use super::args::{self, Flag, on, text};
use super::failure::{CommandResult, warn};
use super::positions;
use crate::base::json::{Object, escape, list};
use crate::base::text::counted;
use crate::chess::tablebase::{Judged, PATIENT, Refusal, Tablebases};
use crate::chess::{Move, Position};
use crate::game::EndgameTables as _;
use crate::game::text::fen::Tolerance;
use std::io::{self, BufRead, Stdout, Write};

/// The parsed options.
#[derive(Default)]
pub(super) struct ProbeOptions {
    json: bool,
    folder: String,
}

/// The options.
#[rustfmt::skip]
pub(super) const FLAGS: &[Flag<ProbeOptions>] = &[
    Flag("--syzygy FOLDER", |o, v| text(&mut o.folder, v), "folder of the tables; separate several as in PATH"),
    Flag("--json", |o, _| on(&mut o.json), "print a JSON object, as for FENs from stdin (-)"),
];

/// Runs `tabiya probe` with the arguments after `probe`.
pub(super) fn run(arguments: &[String], out: &mut Stdout) -> CommandResult {
    let mut options = ProbeOptions::default();
    let (_, words) = args::read("probe", FLAGS.iter(), arguments, &mut options)?;
    let (tables, faults) = Tablebases::open(&options.folder);
    if tables.counts() == (0, 0)
        && let Some(fault) = faults.first()
    {
        return Err(format!("--syzygy: {fault}").into());
    }
    for fault in &faults {
        warn(&fault.to_string());
    }
    let hint = "give the folder of the tables with --syzygy FOLDER";
    let no_folder = options.folder.is_empty();
    match words.as_slice() {
        [] => Err("FEN is missing: tabiya probe FEN [--syzygy FOLDER]".into()),
        [word] if word == "-" => {
            if no_folder {
                warn(&format!("no tablebases; {hint}"));
            }
            each_line(&tables, out)
        }
        words => {
            let fen = words.join(" ");
            let pos = read(&fen, "")?;
            let answer = Probe::of(&tables, &pos);
            for fault in tables.take_faults() {
                warn(&fault);
            }
            if let Err(refusal) = answer.wdl {
                let no_folder = no_folder && matches!(refusal, Refusal::NoTable(..));
                let hint = if no_folder { format!("; {hint}") } else { String::new() };
                return Err(format!("{}: {refusal}{hint}", pos.to_fen()).into());
            }
            let text = if options.json { answer.json(&pos) + "\n" } else { answer.text(&pos) };
            Ok(out.write_all(text.as_bytes())?)
        }
    }
}

/// Probes the positions on standard input, one FEN per line, and prints a JSON object for each. Lines that cannot be
/// read are reported on stderr and do not end the run.
fn each_line(tables: &Tablebases, out: &mut Stdout) -> CommandResult {
    let mut out = io::BufWriter::new(out);
    let mut failed = 0;
    for (number, line) in (1..).zip(io::stdin().lock().split(b'\n')) {
        let line = line.map_err(|error| format!("cannot read stdin: {error}"))?;
        let line = String::from_utf8_lossy(&line);
        if line.trim().is_empty() {
            continue;
        }
        let answer = match read(&line, &format!("line {number}: ")) {
            Ok(pos) => Probe::of(tables, &pos).json(&pos),
            Err(reason) => {
                failed += 1;
                warn(&format!("line {number}: {reason}"));
                Object::new().string("error", &reason).to_string()
            }
        };
        writeln!(out, "{answer}")?;
        for fault in tables.take_faults() {
            warn(&fault);
        }
    }
    out.flush()?;
    if failed > 0 {
        return Err(format!("{} could not be read", counted(failed, "line")).into());
    }
    Ok(())
}

/// Reads a FEN or the name of a standard position; `place` is put before a warning.
fn read(text: &str, place: &str) -> Result<Position, String> {
    let mut tolerance = Tolerance::lenient();
    let pos = positions::position(text.trim().trim_start_matches('\u{feff}'), &mut tolerance)?;
    if let Some(warning) = tolerance.warning() {
        warn(&format!("{place}{warning}"));
    }
    Ok(pos)
}

/// The tablebase results of a position.
struct Probe {
    wdl: Result<i8, Refusal>,
    dtz: Option<i32>,
    /// The moves that have a result, best first.
    moves: Vec<Judged>,
    /// How many of them are best.
    best: usize,
    /// The moves without a result.
    unknown: Vec<(Move, Refusal)>,
}

impl Probe {
    fn of(tables: &Tablebases, pos: &Position) -> Probe {
        let wdl = tables.wdl(pos, PATIENT);
        let dtz = wdl.ok().and_then(|_| tables.dtz(pos, PATIENT).ok());
        let (mut moves, unknown) = wdl.map_or_else(|_| Default::default(), |_| tables.judge_moves(pos, PATIENT));
        // A move without a result is the best one if no other achieves that of the position.
        let found = moves.first().is_some_and(|first| unknown.is_empty() || Ok(first.wdl) == wdl);
        let clock = i32::from(pos.halfmove_clock());
        for judged in &mut moves {
            judged.wdl = at_clock(judged.wdl, judged.dtz, clock);
        }
        let value = |judged: &Judged| (judged.wdl, judged.dtz);
        let best = moves.iter().take_while(|judged| found && value(judged) == value(&moves[0])).count();
        Probe { wdl: wdl.map(|wdl| at_clock(wdl, dtz, clock)), dtz, moves, best, unknown }
    }

    /// The best moves: those with the same result and distance as the first.
    fn best(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.best].iter().map(|judged| judged.m)
    }

    /// The result as a word.
    fn result(&self) -> &'static str {
        self.wdl.map_or("unknown", word)
    }

    fn json(&self, pos: &Position) -> String {
        let row = |m: Move, wdl: Option<i8>, dtz: Option<i32>| {
            let row = Object::new().string("move", pos.move_text(m).as_str());
            row.raw("wdl", number(wdl, "null")).raw("dtz", number(dtz, "null"))
        };
        let known = self.moves.iter().map(|judged| row(judged.m, Some(judged.wdl), judged.dtz));
        let unknown = self.unknown.iter().map(|&(m, why)| row(m, None, None).string("reason", &why.to_string()));
        let best = self.best().map(|m| escape(pos.move_text(m).as_str()));
        let object = Object::new()
            .string("fen", &pos.to_fen())
            .string("result", self.result())
            .raw("wdl", number(self.wdl.ok(), "null"))
            .raw("dtz", number(self.dtz, "null"))
            .raw("best", list(best))
            .raw("moves", list(known.chain(unknown)));
        match self.wdl {
            Ok(_) => object.to_string(),
            Err(refusal) => object.string("reason", &refusal.to_string()).to_string(),
        }
    }

    fn text(&self, pos: &Position) -> String {
        let (wdl, dtz) = (number(self.wdl.ok(), "-"), number(self.dtz, "-"));
        let mut text = format!("{}\nwdl {wdl}\ndtz {dtz}\n", self.result());
        for judged in &self.moves {
            let m = pos.move_text(judged.m).to_string();
            text += &format!("{m:<5} {:<12} {}\n", word(judged.wdl), number(judged.dtz, "-"));
        }
        for (m, why) in &self.unknown {
            let m = pos.move_text(*m).to_string();
            text += &format!("{m:<5} {:<12} {why}\n", "unknown");
        }
        text
    }
}

/// The result at a half-move clock: a win or loss becomes a draw by the fifty-move rule if the next capture, pawn move
/// or mate comes too late.
fn at_clock(wdl: i8, dtz: Option<i32>, clock: i32) -> i8 {
    let late = dtz.is_some_and(|dtz| dtz.abs() + clock > 100);
    if late { wdl.signum() } else { wdl }
}

/// The number as text, or `none`.
fn number(number: Option<impl ToString>, none: &str) -> String {
    number.map_or(none.into(), |number| number.to_string())
}

const fn word(wdl: i8) -> &'static str {
    match wdl {
        2 => "win",
        1 => "cursed win",
        0 => "draw",
        -1 => "blessed loss",
        _ => "loss",
    }
}
