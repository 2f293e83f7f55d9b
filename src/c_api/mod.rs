//! The library for C and for web pages: text in, text out. `tabiya.h` describes the functions.
//!
//! Whatever comes in is answered: null pointers, text that is no UTF-8, and panics become error messages. Text is
//! written as `snprintf` does. These files only convert: the answers come from the games and the doctor.

#![allow(unsafe_code, reason = "pointers of the caller")]

mod picture;

use crate::base::json::{self, Object, list};
use crate::chess;
use crate::doctor::diff::Wrong;
use crate::doctor::faults::Diagnosis;
use crate::doctor::words::{Fitting, faults_of_divide, faults_of_totals, of_divide, of_totals, read_totals};
use crate::game::text::fen::Tolerance;
use crate::game::{MoveText, Position};
use crate::perft::MAX_DEPTH;
use crate::perft::count::Counter;
use crate::perft::run::{Divide, Finished};
use crate::xiangqi;
use picture::picture;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What a function says, or an error message.
type Answer = Result<String, String>;

/// Asked every few milliseconds, with the share of the work that is done, whether to stop; may be null.
type Ask = Option<unsafe extern "C" fn(*mut c_void, f64) -> c_int>;

/// A game with the names of its moves.
trait Named: Diagnosis {
    fn name(position: &Position<Self>, m: Self::Move) -> MoveText;
    /// The name in Chinese characters, which the moves of xiangqi have.
    fn chinese(position: &Position<Self>, m: Self::Move) -> Option<String>;
}

impl Named for chess::Board {
    fn name(position: &chess::Position, m: chess::Move) -> MoveText {
        position.san(m)
    }

    fn chinese(_position: &chess::Position, _m: chess::Move) -> Option<String> {
        None
    }
}

impl Named for xiangqi::Board {
    fn name(position: &xiangqi::Position, m: xiangqi::Move) -> MoveText {
        position.wxf(m)
    }

    fn chinese(position: &xiangqi::Position, m: xiangqi::Move) -> Option<String> {
        Some(position.chinese(m))
    }
}

/// The position of a FEN, and what of the FEN was changed or ignored.
struct Root<B: Named> {
    position: Position<B>,
    warning: Option<String>,
}

impl<B: Named> Root<B> {
    fn of(fen: &str, chess960: bool) -> Result<Self, String> {
        let mut tolerance = Tolerance::lenient().for_chess960(chess960);
        let fen = if fen.trim() == "startpos" { B::START_FEN } else { fen };
        let position = Position::<B>::read_fen(fen, &mut tolerance).map_err(|error| error.to_string())?;
        Ok(Root { position, warning: tolerance.warning() })
    }

    /// An answer, with the warning if there is one.
    fn answer(&self, answer: Object) -> String {
        match &self.warning {
            Some(warning) => answer.string("warning", warning).to_string(),
            None => answer.to_string(),
        }
    }
}

/// The root of either game.
enum AnyRoot {
    Chess(Root<chess::Board>),
    Xiangqi(Root<xiangqi::Board>),
}

impl AnyRoot {
    fn of(game: c_int, fen: &str) -> Result<Self, String> {
        match game {
            0 => Root::of(fen, false).map(AnyRoot::Chess),
            1 => {
                let mut root = Root::<chess::Board>::of(fen, true)?;
                root.position = root.position.with_chess960(true);
                Ok(AnyRoot::Chess(root))
            }
            2 => Root::of(fen, false).map(AnyRoot::Xiangqi),
            game => Err(format!("game: {game}, expected 0 (chess), 1 (Chess960) or 2 (xiangqi)")),
        }
    }
}

fn describe<B: Named>(root: &Root<B>, moves: &str) -> Answer {
    let mut pos = root.position;
    for (number, text) in (1..).zip(moves.split_whitespace()) {
        pos.make(pos.parse_move(text).map_err(|error| format!("move {number}: {}", error.reason))?);
    }
    let text = |m| {
        let names = Object::new().string("move", pos.move_text(m).as_str()).string("name", B::name(&pos, m).as_str());
        match B::chinese(&pos, m) {
            Some(chinese) => names.string("chinese", &chinese),
            None => names,
        }
    };
    let answer = Object::new()
        .string("fen", &pos.to_fen())
        .raw("check", pos.in_check())
        .string("outcome", &pos.outcome().map_or(String::new(), |outcome| outcome.to_string()))
        .raw("moves", list(pos.legal_moves().into_iter().map(text)));
    Ok(root.answer(answer))
}

fn draw<B: Named>(root: &Root<B>, mv: &str, said: &str) -> Answer {
    Ok(picture(&root.position, mv, said))
}

fn explain<B: Named>(root: &Root<B>, text: &str) -> Answer {
    let why = B::explain(&root.position, text, &[]).map_err(|error| error.to_string())?;
    let (rule, sentence) = (why.rule.to_string(), &why.sentence);
    Ok(root.answer(Object::new().raw("legal", why.legal).string("rule", &rule).string("sentence", sentence)))
}

/// A function of the caller with its context, which is asked on the caller's thread alone.
struct Caller {
    ask: Ask,
    context: *mut c_void,
    stopped: AtomicBool,
}

// SAFETY: everything here counts on one thread, the caller's.
unsafe impl Sync for Caller {}

impl Caller {
    fn tell(&self, share: f64) -> bool {
        debug_assert!((0.0..=1.0).contains(&share));
        // SAFETY: the caller of the library has passed both, and they belong together.
        if self.ask.is_some_and(|ask| unsafe { ask(self.context, share) } != 0) {
            self.stopped.store(true, Relaxed);
        }
        self.stopped.load(Relaxed)
    }
}

fn divide_of<B: Named>(pos: &Position<B>, depth: u32, caller: &Caller) -> Result<Divide<B::Move>, String> {
    if depth > MAX_DEPTH {
        return Err(format!("depth: {depth}, expected at most {MAX_DEPTH}"));
    }
    let counter = Counter { threads: 1, hash_megabytes: 0, seed: 0, kernel: B::kernels()[0] };
    let poll = |Finished { units, of, .. }| caller.tell(units as f64 / of.max(units).max(1) as f64);
    counter.divide_plainly(pos, depth, &poll).map_err(|error| error.to_string())
}

fn perft<B: Named>(Root { position: pos, .. }: &Root<B>, depth: u32, caller: &Caller) -> Answer {
    Ok(divide_of(pos, depth, caller)?.total.to_string())
}

fn divide<B: Named>(Root { position: pos, .. }: &Root<B>, depth: u32, caller: &Caller) -> Answer {
    let Divide { moves, total } = divide_of(pos, depth, caller)?;
    let mut lines = Vec::from_iter(moves.iter().map(|&(m, count)| format!("{}: {count}\n", pos.move_text(m))));
    lines.sort();
    Ok(format!("{}\nNodes searched: {total}\n", lines.concat()))
}

fn compare<B: Named>(root: &Root<B>, depth: u32, theirs: &str, caller: &Caller) -> Answer {
    let pos = &root.position;
    let depth = depth.max(1);
    let found = of_divide(pos, depth, theirs, &mut |depth| divide_of(pos, depth, caller))?;
    let items = found.wrong.iter().map(|(wrong, text)| {
        let item = Object::new().string("kind", wrong.kind()).string("move", text);
        match wrong {
            Wrong::Miscounted(_, theirs) => item.string("theirs", &theirs.to_string()),
            _ => item,
        }
    });
    let answer = Object::new().raw("right", found.is_right).raw("wrong", list(items));
    let mut lines = Vec::from_iter(found.remark);
    lines.extend(found.lines);
    // The faults of a generator, if one is to blame.
    let counts = Some(&found.counts).filter(|counts| !counts.is_empty());
    let faults =
        counts.map_or(Vec::new(), |counts| faults_of_divide(pos, depth, counts, &|_| caller.stopped.load(Relaxed)));
    Ok(root.answer(told(answer, lines, faults, caller)))
}

fn expect<B: Named>(root: &Root<B>, depth: u32, totals: &str, caller: &Caller) -> Answer {
    let pos = &root.position;
    let totals = read_totals(totals).map_err(|reason| format!("totals: {reason}"))?;
    let found = of_totals(depth, &totals, &mut |depth| Ok(divide_of(pos, depth, caller)?.total))?;
    let answer = Object::new().raw("right", found.is_right);
    if found.expected.is_empty() {
        return Ok(root.answer(told::<B>(answer, found.lines, Vec::new(), caller)));
    }
    let stop = |[done, all]: [usize; 2]| caller.tell(done as f64 / all as f64);
    let why = faults_of_totals(pos, &found.expected, 1, &stop);
    Ok(root.answer(told(answer, [found.lines, vec![why.before]].concat(), why.faults, caller)))
}

/// Adds what is said, and the faults with positions that show them.
fn told<B: Named>(answer: Object, before: Vec<String>, faults: Vec<Fitting<B>>, caller: &Caller) -> Object {
    let words = |lines: Vec<String>| list(lines.into_iter().map(|line| json::escape(&line)));
    let faults = faults.into_iter().map(|fault| {
        let mut shown = Vec::new();
        if let Some((spot, wrongs)) = &fault.shown {
            let fen = spot.end().map_or(String::new(), |end| end.to_fen());
            for (wrong, text) in wrongs {
                let object = Object::new().string("fen", &fen).string("path", &spot.moves.join(" "));
                let sentence = wrong.sentence(text, spot.explain(text).as_ref());
                shown.push(object.string("move", text).string("sentence", &sentence));
            }
        }
        Object::new().string("line", &fault.line).raw("shown", list(shown))
    });
    let answer = answer.raw("before", words(before)).raw("faults", list(faults));
    answer.raw("stopped", caller.stopped.load(Relaxed))
}

/// The text of an argument.
///
/// # Safety
/// `text` is null or ends with a zero byte.
unsafe fn text<'a>(text: *const c_char, name: &str) -> Result<&'a str, String> {
    if text.is_null() {
        return Err(format!("{name}: this is a null pointer"));
    }
    debug_assert!(!text.is_null());
    // SAFETY: not null, and the caller's text ends with a zero byte.
    unsafe { CStr::from_ptr(text) }.to_str().map_err(|_| format!("{name}: this is not UTF-8"))
}

/// Writes what `say` returns, as `snprintf` does; the length, or -1 less the length of an error message.
///
/// # Safety
/// `out` is null or has `size` bytes.
unsafe fn answer(out: *mut c_char, size: usize, say: impl FnOnce() -> Answer) -> isize {
    let said = catch_unwind(AssertUnwindSafe(say)).unwrap_or_else(|_| Err("internal error".into()));
    let (Ok(words) | Err(words)) = &said;
    if size > 0 && !out.is_null() {
        let most = words.len().min(size - 1);
        let length = (0..=most).rev().find(|&at| words.is_char_boundary(at)).unwrap_or_default();
        debug_assert!(length < size);
        // SAFETY: `out` has `size` bytes, more than `length`.
        unsafe {
            words.as_ptr().copy_to_nonoverlapping(out.cast(), length);
            *out.add(length) = 0;
        }
    }
    let length = words.len() as isize;
    if said.is_ok() { length } else { -1 - length }
}

/// Defines the functions of `tabiya.h`: the texts after `fen`, each with its name in `tabiya.h`, and the numbers and
/// functions after them.
macro_rules! exported {
    ($($name:ident => $call:ident($($text:ident $shown:literal),*; $($number:ident: $type:ty),*; $($caller:ident)?);)*) => {$(
        /// See `tabiya.h`.
        ///
        /// # Safety
        /// Texts end with a zero byte, and `out` has `size` bytes.
        // SAFETY: nothing else has a name that begins with `tabiya_`.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            game: c_int,
            fen: *const c_char,
            $($number: $type,)*
            $($text: *const c_char,)*
            $($caller: Ask, context: *mut c_void,)?
            out: *mut c_char,
            size: usize,
        ) -> isize {
            // SAFETY: the contract is that of this function.
            let say = || unsafe {
                $(let $caller = &Caller { ask: $caller, context, stopped: AtomicBool::new(false) };)?
                match AnyRoot::of(game, text(fen, "fen")?)? {
                    AnyRoot::Chess(root) => $call(&root, $($number,)* $(text($text, $shown)?,)* $($caller)?),
                    AnyRoot::Xiangqi(root) => $call(&root, $($number,)* $(text($text, $shown)?,)* $($caller)?),
                }
            };
            // SAFETY: as above.
            unsafe { answer(out, size, say) }
        }
    )*};
}

exported! {
    tabiya_position => describe(moves "moves";;);
    tabiya_explain => explain(mv "move";;);
    tabiya_picture => draw(mv "move", said "said";;);
    tabiya_perft => perft(; depth: u32; ask);
    tabiya_divide => divide(; depth: u32; ask);
    tabiya_compare => compare(theirs "theirs"; depth: u32; ask);
    tabiya_expect => expect(totals "totals"; depth: u32; ask);
}

/// See `tabiya.h`.
///
/// # Safety
/// `out` has `size` bytes.
// SAFETY: nothing else has a name that begins with `tabiya_`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tabiya_chess960(number: u32, out: *mut c_char, size: usize) -> isize {
    let start = || chess::Position::chess960_start(number).map(|position| position.to_fen());
    // SAFETY: the contract is that of this function.
    unsafe { answer(out, size, || start().ok_or_else(|| format!("number: {number}, expected 0 to 959"))) }
}

/// The version, such as `0.1.0`.
// SAFETY: nothing else has a name that begins with `tabiya_`.
#[unsafe(no_mangle)]
pub extern "C" fn tabiya_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Memory for the texts of a web page, which keeps it.
#[cfg(target_arch = "wasm32")]
// SAFETY: nothing else has a name that begins with `tabiya_`.
#[unsafe(no_mangle)]
pub extern "C" fn tabiya_memory(size: usize) -> *mut u8 {
    Vec::leak(vec![0; size]).as_mut_ptr()
}
