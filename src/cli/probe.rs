//! `tabiya probe`: tablebase results of positions and of their moves.
//!
//! Reads arguments and prints; `chess::tablebase` does the probing. The tables ignore the half-move clock; the results
//! printed here take it into account.

use super::args::{self, Flag, on, text};
use super::failure::{Outcome, warn};
use super::games;
use crate::base::json::{Object, escape, list};
use crate::base::text::counted;
use crate::chess::Position;
use crate::chess::tablebase::{Judged, PATIENT, Refusal, Tablebases};
use crate::game::EndgameTables as _;
use crate::game::text::notation::FenReader;
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
    Flag("--json", |o, _| on(&mut o.json), "print one JSON object per position"),
];

/// Runs `tabiya probe` with the arguments after `probe`.
pub(super) fn run(arguments: &[String], out: &mut Stdout) -> Outcome {
    let mut options = ProbeOptions::default();
    let (_, words) = args::read("probe", FLAGS.iter(), arguments, &mut options)?;
    let (tables, faults) = Tablebases::open(&options.folder);
    if tables.counts() == (0, 0)
        && let Some(fault) = faults.first()
    {
        return Err(format!("--syzygy: {fault}").into());
    }
    faults.iter().for_each(|fault| warn(&fault.to_string()));
    let json = options.json;
    let hint = "give the folder of the tables with --syzygy FOLDER";
    let no_folder = options.folder.is_empty();
    match words.as_slice() {
        [] => Err("FEN is missing: tabiya probe FEN [--syzygy FOLDER]".into()),
        [word] if word == "-" => {
            if no_folder {
                warn(&format!("no tablebases; {hint}"));
            }
            each_line(&tables, json, out)
        }
        words => {
            let fen = words.join(" ");
            let pos = read(&fen, "")?;
            let answer = Probe::of(&tables, &pos);
            tables.take_faults().iter().for_each(|fault| warn(fault));
            match (answer.wdl, json) {
                (Err(refusal), _) => {
                    let no_folder = no_folder && refusal == Refusal::NoTable;
                    let hint = if no_folder { format!("; {hint}") } else { String::new() };
                    Err(format!("{}: {refusal}{hint}", pos.to_fen()).into())
                }
                (_, true) => Ok(writeln!(out, "{}", answer.json(&pos))?),
                (_, false) => Ok(out.write_all(answer.text(&pos).as_bytes())?),
            }
        }
    }
}

/// Probes the positions on standard input, one FEN per line, and prints one line for each. Lines that cannot be read
/// are reported on stderr and do not end the run.
fn each_line(tables: &Tablebases, json: bool, out: &mut Stdout) -> Outcome {
    let mut out = io::BufWriter::new(out);
    let mut failed = 0;
    for (number, line) in (1..).zip(io::stdin().lock().split(b'\n')) {
        let line = line.map_err(|error| format!("cannot read stdin: {error}"))?;
        let line = String::from_utf8_lossy(&line);
        if line.trim().is_empty() {
            continue;
        }
        let answer = match read(&line, &format!("line {number}: ")) {
            Ok(pos) if json => Probe::of(tables, &pos).json(&pos),
            Ok(pos) => Probe::of(tables, &pos).line(&pos),
            Err(reason) => {
                failed += 1;
                warn(&format!("line {number}: {reason}"));
                let error = || Object::new().string("error", &reason).to_string();
                if json { error() } else { "- - -".into() }
            }
        };
        writeln!(out, "{answer}")?;
        tables.take_faults().iter().for_each(|fault| warn(fault));
    }
    out.flush()?;
    match failed {
        0 => Ok(()),
        count => Err(format!("{} could not be read", counted(count, "line")).into()),
    }
}

/// Reads a FEN or the name of a standard position; `place` is put before a warning.
fn read(text: &str, place: &str) -> Result<Position, String> {
    let mut reader = FenReader::lenient();
    let pos = games::position(text.trim().trim_start_matches('\u{feff}'), &mut reader)?;
    if let Some(warning) = reader.warning() {
        warn(&format!("{place}{warning}"));
    }
    Ok(pos)
}

/// The tablebase results of a position.
struct Probe {
    wdl: Result<i8, Refusal>,
    dtz: Option<i32>,
    moves: Vec<Judged>,
}

impl Probe {
    fn of(tables: &Tablebases, pos: &Position) -> Probe {
        let wdl = tables.wdl(pos, PATIENT);
        let dtz = wdl.ok().and_then(|_| tables.dtz(pos, PATIENT).ok());
        let moves = wdl.ok().and_then(|_| tables.judge_moves(pos, PATIENT).ok());
        let mut moves = moves.unwrap_or_default();
        let clock = i32::from(pos.halfmove_clock());
        for judged in &mut moves {
            judged.wdl = at_clock(judged.wdl, judged.dtz, clock);
        }
        Probe { wdl: wdl.map(|wdl| at_clock(wdl, dtz, clock)), dtz, moves }
    }

    /// The best moves: those with the same result and distance as the first.
    fn best(&self) -> &[Judged] {
        let Some(first) = self.moves.first() else { return &[] };
        let alike = |judged: &&Judged| (judged.wdl, judged.dtz) == (first.wdl, first.dtz);
        &self.moves[..self.moves.iter().take_while(alike).count()]
    }

    /// The result as a word.
    fn result(&self) -> &'static str {
        self.wdl.map_or("unknown", word)
    }

    fn json(&self, pos: &Position) -> String {
        let moves = self.moves.iter().map(|judged| {
            Object::new()
                .string("move", &pos.move_text(judged.m).to_string())
                .raw("wdl", judged.wdl)
                .raw("dtz", number(judged.dtz, "null"))
        });
        let best = self.best().iter().map(|judged| escape(pos.move_text(judged.m).as_str()));
        let object = Object::new()
            .string("fen", &pos.to_fen())
            .string("result", self.result())
            .raw("wdl", number(self.wdl.ok(), "null"))
            .raw("dtz", number(self.dtz, "null"))
            .raw("best", list(best))
            .raw("moves", list(moves));
        match self.wdl {
            Ok(_) => object.to_string(),
            Err(refusal) => object.string("reason", &refusal.to_string()).to_string(),
        }
    }

    /// Result, distance and best move, separated by blanks.
    fn line(&self, pos: &Position) -> String {
        let best = self.best().first().map_or("-".into(), |j| pos.move_text(j.m).to_string());
        format!("{} {} {best}", number(self.wdl.ok(), "-"), number(self.dtz, "-"))
    }

    fn text(&self, pos: &Position) -> String {
        let (wdl, dtz) = (number(self.wdl.ok(), "-"), number(self.dtz, "-"));
        let mut text = format!("{}\nwdl {wdl}\ndtz {dtz}\n", self.result());
        for judged in &self.moves {
            let m = pos.move_text(judged.m).to_string();
            text += &format!("{m:<5} {:<12} {}\n", word(judged.wdl), number(judged.dtz, "-"));
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
