//! State shared by the input thread, the session and the search: the queue of lines, the phase, and the output.
//!
//! Lines are numbered as they are read. A search or task has the number of its line, and so has a `stop`, which ends
//! all searches and tasks of earlier lines. So the result does not depend on whether the input thread sees the `stop`
//! before the session starts the search.
//!
//! There are two locks, always taken in the order output, state. The output lock keeps lines whole. The state lock is
//! held for a few instructions only, so the input thread can stop a search without waiting for it or for a writer.

use super::input::{Input, Lines, MAX_LINE};
use crate::base::lock::lock;
use crate::engine::StopHandle;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The answer to `isready` in both protocols.
pub const READY: &str = "readyok";

/// Whether a word is a command.
pub type IsCommand = fn(&str) -> bool;

/// The first command in a line.
pub fn command_of(line: &str, is_command: IsCommand) -> Option<&str> {
    line.split_whitespace().find(|word| is_command(word))
}

/// A line of input that is not blank, without its line end.
#[derive(Debug)]
pub struct InputLine {
    /// Number of the line, in the order of reading.
    pub number: u64,
    /// The text.
    pub text: String,
}

/// What the input thread queues for the session.
#[derive(Debug)]
pub enum Message {
    /// A line to execute.
    Line(InputLine),
    /// `isready`, which has not been answered yet.
    IsReady,
    /// `stop` in the line of this number. The input thread has applied it.
    Stop(u64),
    /// What went wrong with the input.
    Fault(String),
}

impl Message {
    /// Approximate memory, in bytes.
    fn bytes(&self) -> usize {
        if let Message::Line(line) = self { Console::PER_LINE + line.text.len() } else { Console::PER_LINE }
    }
}

/// What the program is doing.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Phase {
    /// Idle, waiting for commands.
    #[default]
    Idle,
    /// A search is running and has not answered yet.
    Thinking,
    /// A command, perft or bench, is running in the session's thread.
    Task,
}

/// What can end a search besides its limits, and what its answer depends on besides its result.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SearchMode {
    /// UCCI batch mode: no command is executed until the search has answered.
    pub batch: bool,
    /// There are no limits: only `stop` ends the search.
    pub endless: bool,
    /// The limits apply only after `ponderhit`.
    pub pondering: bool,
    /// The opponent offers a draw.
    pub draw_offered: bool,
}

/// What the session is doing.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Session {
    /// It executes a line.
    #[default]
    Busy,
    /// It waits for a line.
    Listening,
    /// It waits for the answer of the search, before a line that cannot be executed earlier.
    Blocked,
}

/// The state behind the state lock.
#[derive(Default)]
struct State {
    queue: VecDeque<Message>,
    /// Memory of the queue, in bytes.
    queued_bytes: usize,
    /// The `isready` in the queue.
    queued_ready: usize,
    session: Session,
    /// Number of messages that the session has taken.
    taken: u64,
    phase: Phase,
    /// Line number of the current search or task.
    current_line: u64,
    /// Mode of the current search.
    mode: SearchMode,
    /// The current search or task has been told to stop.
    stopping: bool,
    /// Line number of the last `stop`; it ends searches and tasks of lines up to it.
    stop_line: u64,
    /// Line number of the last `stop` that found something to end.
    effective_stop: u64,
    /// The lines whose searches the last ponder hit is for: those before it that no `stop` has ended.
    hit_lines: Range<u64>,
    /// The same for the last ponder hit that offered a draw.
    draw_lines: Range<u64>,
    /// `quit` was read: every task must stop.
    quitting: bool,
    /// The output is closed: every task must stop.
    output_closed: bool,
    /// Why the output could not be written.
    fault: Option<io::Error>,
    /// The end of the input was read: no further command can end a search.
    input_ended: bool,
    /// Stops the current search; `None` before the first session.
    stop: Option<StopHandle>,
    /// The protocol's last line before the program exits; empty before the first session.
    farewell: &'static str,
}

impl State {
    /// Whether a search in batch mode is running.
    fn in_batch_search(&self) -> bool {
        self.mode.batch && self.phase == Phase::Thinking
    }

    /// Whether a search is running that only a command can end.
    fn is_endless(&self) -> bool {
        (self.mode.endless || self.mode.pondering) && self.phase == Phase::Thinking
    }

    /// Whether a task must stop.
    fn aborts(&self) -> bool {
        self.stopping || self.quitting || self.output_closed
    }

    /// Whether a search is running and the session can execute nothing before its answer.
    fn has_to_wait(&self) -> bool {
        let rests = match self.session {
            Session::Busy => false,
            Session::Listening => self.queue.is_empty(),
            Session::Blocked => true,
        };
        rests && self.phase == Phase::Thinking && !self.in_batch_search()
    }

    /// Tells the current search or task to stop.
    fn stop_current(&mut self) {
        self.stopping = true;
        if let Some(stop) = &self.stop {
            stop.stop();
        }
    }

    /// Applies what was read behind the line of the current search or task: a ponder hit, then a `stop`. At the end of
    /// the input also ends a search that only a command could end.
    fn apply_signals(&mut self) {
        let number = self.current_line;
        if self.phase == Phase::Thinking && !self.stopping {
            self.mode.draw_offered |= self.draw_lines.contains(&number);
            if self.hit_lines.contains(&number) {
                self.mode.pondering = false;
                if let Some(stop) = &self.stop {
                    stop.ponder_hit();
                }
            }
        }
        if number <= self.stop_line && self.phase != Phase::Idle && !self.in_batch_search() {
            self.effective_stop = self.stop_line;
            self.stop_current();
        } else if self.input_ended && self.is_endless() {
            self.stop_current();
        }
    }

    /// Queues a message at the end that `push` stands for.
    fn push(&mut self, message: Message, push: fn(&mut VecDeque<Message>, Message)) {
        self.queued_bytes += message.bytes();
        self.queued_ready += usize::from(matches!(message, Message::IsReady));
        push(&mut self.queue, message);
    }

    fn take(&mut self) -> Option<Message> {
        let message = self.queue.pop_front()?;
        self.session = Session::Busy;
        self.taken += 1;
        self.queued_bytes -= message.bytes();
        self.queued_ready -= usize::from(matches!(message, Message::IsReady));
        Some(message)
    }

    /// Takes every `isready` out of the queue; returns their number.
    fn take_ready(&mut self) -> usize {
        let count = std::mem::take(&mut self.queued_ready);
        if count > 0 {
            self.queue.retain(|message| !matches!(message, Message::IsReady));
            self.queued_bytes -= count * Console::PER_LINE;
        }
        count
    }
}

/// The state that the threads of one program run share.
pub struct Console {
    state: Mutex<State>,
    changed: Condvar,
    out: Mutex<Output>,
}

struct Output {
    sink: Box<dyn Write + Send>,
    /// The output is closed, or the last line is written.
    ended: bool,
}

impl Output {
    /// Writes whole lines and flushes; returns why the output has just been closed.
    fn write(&mut self, text: &str) -> Option<io::Error> {
        if self.ended {
            return None;
        }
        let mut lines = String::with_capacity(text.len() + 1);
        lines.push_str(text);
        lines.push('\n');
        let done = self.sink.write_all(lines.as_bytes()).and_then(|()| self.sink.flush());
        self.ended = done.is_err();
        done.err()
    }
}

impl Console {
    /// Most bytes of input queued for the session; beyond that, input stays in the pipe.
    const MAX_QUEUED: usize = 16 << 20;
    /// Memory of a queued line besides its text, in bytes.
    const PER_LINE: usize = 64;

    /// A console that writes to `sink`.
    pub fn new(sink: Box<dyn Write + Send>) -> Self {
        Console { state: Mutex::default(), changed: Condvar::new(), out: Mutex::new(Output { sink, ended: false }) }
    }

    /// Waits for a change of the state.
    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// A new session begins, with this handle to stop its searches and this last line.
    pub fn open_session(&self, stop: StopHandle, farewell: &'static str) {
        let mut state = lock(&self.state);
        (state.stop, state.farewell) = (Some(stop), farewell);
    }

    // --- output -------------------------------------------------------------------------------------

    /// Writes one or more lines if `is_due`, unless `text` is empty.
    fn write_if(&self, is_due: impl FnOnce(&mut State) -> bool, text: &str) {
        let mut out = lock(&self.out);
        if is_due(&mut lock(&self.state))
            && !text.is_empty()
            && let Some(fault) = out.write(text)
        {
            drop(out);
            lock(&self.state).fault = Some(fault);
            self.close_output();
        }
    }

    /// Writes one or more lines.
    pub fn say(&self, text: &str) {
        self.write_if(|_| true, text);
    }

    /// Writes the session's last line, unless that has been done. Nothing is written after it: a task that ends while
    /// the program exits has nothing more to say.
    pub fn say_farewell(&self) {
        let mut out = lock(&self.out);
        let farewell = std::mem::take(&mut lock(&self.state).farewell);
        if !farewell.is_empty()
            && let Some(fault) = out.write(farewell)
        {
            lock(&self.state).fault = Some(fault);
        }
        out.ended = true;
    }

    /// Writes a line of a search, unless the search has already answered.
    pub fn say_thinking(&self, text: &str) {
        self.write_if(|state| state.phase == Phase::Thinking, text);
    }

    /// Why the output could not be written, if that was so. Does not wait for a writer.
    pub fn take_fault(&self) -> Option<io::Error> {
        lock(&self.state).fault.take()
    }

    /// Writes the answer of a search and becomes idle. Does nothing if no answer is due.
    pub fn answer(&self, text: &str) {
        // Become idle before writing: a command sent in reply to this line must find the session idle.
        let finish = |state: &mut State| {
            let is_due = state.phase == Phase::Thinking;
            if is_due {
                state.phase = Phase::Idle;
            }
            is_due
        };
        self.write_if(finish, text);
        // Not before: whom it wakes needs both locks.
        self.changed.notify_all();
    }

    /// The output is closed: aborts the task and tells the session to exit.
    pub fn close_output(&self) {
        lock(&self.state).output_closed = true;
        self.changed.notify_all();
    }

    // --- phases -------------------------------------------------------------------------------------

    /// Does `work`, the task of line `number`, which must stop soon after [`Console::aborted`] is true.
    pub fn do_task(&self, number: u64, work: impl FnOnce()) {
        let mut state = lock(&self.state);
        (state.phase, state.current_line, state.stopping) = (Phase::Task, number, false);
        state.apply_signals();
        drop(state);
        work();
        lock(&self.state).phase = Phase::Idle;
        self.changed.notify_all();
    }

    /// Starts the search of line `number` by `begin`, and applies what was read behind that line before.
    pub fn start_search(&self, number: u64, mode: SearchMode, begin: impl FnOnce()) {
        let mut state = lock(&self.state);
        (state.phase, state.current_line, state.mode, state.stopping) = (Phase::Thinking, number, mode, false);
        drop(state);
        begin();
        lock(&self.state).apply_signals();
    }

    /// Whether a draw is offered during the current search.
    pub fn is_draw_offered(&self) -> bool {
        lock(&self.state).mode.draw_offered
    }

    /// Whether the output is closed.
    pub fn is_output_closed(&self) -> bool {
        lock(&self.state).output_closed
    }

    /// Whether the current task must stop.
    pub fn aborted(&self) -> bool {
        lock(&self.state).aborts()
    }

    /// Waits while the program is in `phase`, at most for `patience`; returns whether it has left it.
    pub fn wait_for_end_of(&self, phase: Phase, patience: Duration) -> bool {
        let is_busy = |state: &mut State| state.phase == phase;
        let waited = self.changed.wait_timeout_while(lock(&self.state), patience, is_busy);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    // --- the session --------------------------------------------------------------------------------

    /// The next message, in the order of the input, once there is one; in batch mode not before the search has
    /// answered. `None` if the program must exit: the output is closed, or all lines before `quit` or the end of the
    /// input are executed, in the second case also answered.
    pub fn take(&self) -> Option<Message> {
        let mut state = lock(&self.state);
        loop {
            if state.output_closed {
                return None;
            }
            if !state.in_batch_search() {
                let was_full = state.queued_bytes > Self::MAX_QUEUED;
                if let Some(message) = state.take() {
                    if was_full {
                        self.changed.notify_all();
                    }
                    return Some(message);
                }
                if state.quitting || state.input_ended && state.phase == Phase::Idle {
                    return None;
                }
                state.session = Session::Listening;
            }
            state = self.wait(state);
        }
    }

    /// Puts a message back that was taken, for the next session.
    pub fn put_back(&self, message: Message) {
        lock(&self.state).push(message, VecDeque::push_front);
    }

    /// Waits until the search has answered, if one is running. Meanwhile every `isready` is answered, also those that
    /// were read behind the line that waits. Returns false if the program must exit instead, and drops all lines.
    pub fn wait_for_answer(&self) -> bool {
        let mut state = lock(&self.state);
        if state.phase != Phase::Thinking {
            return true;
        }
        state.session = Session::Blocked;
        let ready = state.take_ready();
        drop(state);
        (0..ready).for_each(|_| self.say(READY));
        state = lock(&self.state);
        if state.queued_bytes > Self::MAX_QUEUED {
            // The input thread may stop the search for this.
            self.changed.notify_all();
        }
        while state.phase == Phase::Thinking && !state.quitting && !state.output_closed {
            state = self.wait(state);
        }
        state.session = Session::Busy;
        let leaves = state.quitting || state.output_closed;
        if leaves {
            while state.take().is_some() {}
        }
        !leaves
    }

    /// Whether the `stop` of line `number` has found something to end.
    pub fn has_stopped(&self, number: u64) -> bool {
        lock(&self.state).effective_stop >= number
    }

    // --- the input thread ---------------------------------------------------------------------------

    /// The body of the input thread up to `quit` or the end of input; returns whether it was `quit`. On a terminal,
    /// `exit` and the end of input mean `quit`. `is_command` says whether some protocol has a command,
    /// `commands_of` the same for the protocol that the first command selects.
    pub fn listen(
        &self,
        source: impl Read,
        is_command: IsCommand,
        commands_of: fn(&str) -> IsCommand,
        is_terminal: bool,
    ) -> bool {
        let mut lines = Lines::new(source);
        let mut protocol = None;
        for number in 1.. {
            let text = match lines.take() {
                Input::Line(text) => text,
                Input::TooLong(length) => {
                    let fault = format!("skipped a line of {length} bytes; the limit is {MAX_LINE}");
                    self.enqueue(Message::Fault(fault));
                    continue;
                }
                Input::End if is_terminal => break,
                Input::End => {
                    self.end();
                    return false;
                }
            };
            protocol = protocol.or_else(|| command_of(&text, is_command).map(commands_of));
            match command_of(&text, protocol.unwrap_or(is_command)) {
                Some("quit") => break,
                _ if is_terminal && text.trim() == "exit" => break,
                Some("isready") => self.enqueue(Message::IsReady),
                Some("stop") => self.stop(number),
                Some("ponderhit") => self.ponder_hit(number, text.split_whitespace().any(|word| word == "draw")),
                _ => self.enqueue(Message::Line(InputLine { number, text })),
            }
        }
        self.quit();
        true
    }

    /// Queues a message for the session. But `isready` is answered at once if a search is running and the session can
    /// execute nothing before its answer: a search, and lines that wait for it, do not delay `readyok`.
    ///
    /// If the queue is full because all lines wait for a search that only a command would end, stops that search: the
    /// command may be in the input that there is no room to read. Other searches end by themselves.
    fn enqueue(&self, message: Message) {
        let mut state = lock(&self.state);
        while state.queued_bytes > Self::MAX_QUEUED {
            if state.is_endless() && !state.stopping && state.has_to_wait() {
                state.stop_current();
                let text = "too much input is queued; the search is stopped";
                state.push(Message::Fault(text.to_string()), VecDeque::push_front);
            }
            state = self.wait(state);
        }
        if matches!(message, Message::IsReady) && state.has_to_wait() {
            drop(state);
            return self.say(READY);
        }
        state.push(message, VecDeque::push_back);
        let listens = state.session == Session::Listening;
        drop(state);
        if listens {
            self.changed.notify_all();
        }
    }

    /// Line `number` is a `stop`: ends what earlier lines started, now or as soon as it starts, except searches in
    /// batch mode.
    fn stop(&self, number: u64) {
        let mut state = lock(&self.state);
        state.stop_line = number;
        state.apply_signals();
        drop(state);
        self.enqueue(Message::Stop(number));
    }

    /// Line `number` is a ponder hit, with or without a draw offer: the limits of searches of earlier lines that no
    /// `stop` has ended apply from now on, or from their start.
    fn ponder_hit(&self, number: u64, draw: bool) {
        let mut state = lock(&self.state);
        state.hit_lines = state.stop_line + 1..number;
        if draw {
            state.draw_lines = state.hit_lines.clone();
        }
        state.apply_signals();
    }

    /// The input has ended: stops the current and all later searches that only a command would end.
    fn end(&self) {
        let mut state = lock(&self.state);
        state.input_ended = true;
        state.apply_signals();
        self.changed.notify_all();
    }

    /// The input has `quit`: the session stops a search, and tasks that run or are queued are aborted. `printf 'go
    /// perft 6\nquit\n' | tabiya` therefore counts nothing; without the `quit` it does.
    fn quit(&self) {
        lock(&self.state).quitting = true;
        self.changed.notify_all();
    }

    /// Number of messages taken, to see whether the session makes progress; `None` while a task runs, which may take
    /// any time.
    pub fn progress(&self) -> Option<u64> {
        let state = lock(&self.state);
        let task = state.phase == Phase::Task && !state.aborts();
        let busy = (task || state.in_batch_search()) && !state.output_closed;
        (!busy).then_some(state.taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;

    fn console() -> Console {
        Console::new(Box::new(std::io::sink()))
    }

    fn line(number: u64) -> Message {
        Message::Line(InputLine { number, text: "x".to_string() })
    }

    const ENDLESS: SearchMode = SearchMode { batch: false, endless: true, pondering: false, draw_offered: false };
    const PONDERING: SearchMode = SearchMode { endless: false, pondering: true, ..ENDLESS };

    impl Console {
        fn begin(&self, number: u64, mode: SearchMode) {
            self.start_search(number, mode, || {});
        }

        /// Whether a search is running that has been told to stop.
        fn is_stopping(&self) -> bool {
            let state = lock(&self.state);
            state.phase == Phase::Thinking && state.stopping
        }
    }

    #[derive(Clone, Copy, PartialEq, Debug)]
    enum Kind {
        Search,
        Task,
        Stop,
        Hit,
        DrawHit,
    }

    /// Random lines, each read at a random moment between the steps of the session.
    #[test]
    fn stops_and_hits_are_for_earlier_searches_and_tasks_only() {
        use Kind::*;
        let rng = &mut SplitMix64::new(1);
        for _ in 0..20_000 {
            let kinds = [Search, Search, Task, Stop, Stop, Hit, DrawHit];
            let lines: Vec<_> = (0..1 + rng.below(7)).map(|_| kinds[rng.below(7)]).collect();
            let console = &console();
            // Line numbers begin with 1. How many lines are read, and which stops have found something.
            let (mut read, mut found) = (0, [false; 8]);
            let mut read_some = |done: usize, least: usize| {
                while read < lines.len() && (read < least || rng.below(3) == 0) {
                    let number = read + 1;
                    match lines[read] {
                        Stop => {
                            found[number] = lines[done..read].iter().any(|kind| [Search, Task].contains(kind));
                            console.stop(number as u64);
                        }
                        Hit => console.ponder_hit(number as u64, false),
                        DrawHit => console.ponder_hit(number as u64, true),
                        Search | Task => console.enqueue(line(number as u64)),
                    }
                    read = number;
                }
                (read, found)
            };
            for number in 1..=lines.len() {
                read_some(number - 1, number);
                let expected = |read: usize| {
                    let behind = &lines[number..read];
                    let stop = behind.iter().position(|&kind| kind == Stop);
                    let hits = &behind[..stop.unwrap_or(behind.len())];
                    (stop.is_some(), hits.contains(&Hit) || hits.contains(&DrawHit), hits.contains(&DrawHit))
                };
                match lines[number - 1] {
                    Search => {
                        console.start_search(number as u64, PONDERING, || _ = read_some(number - 1, number));
                        let (read, _) = read_some(number - 1, number);
                        let (stops, is_hit, offers_draw) = expected(read);
                        let place = format!("{lines:?} at {number}, {read} read");
                        assert_eq!(console.is_stopping(), stops, "{place}");
                        if !stops {
                            assert_eq!(lock(&console.state).mode.pondering, !is_hit, "{place}");
                            assert_eq!(console.is_draw_offered(), offers_draw, "{place}");
                        }
                        console.answer("bestmove x");
                    }
                    Task => console.do_task(number as u64, || {
                        let (read, _) = read_some(number - 1, number);
                        assert_eq!(console.aborted(), expected(read).0, "{lines:?} at {number}");
                    }),
                    Stop => {
                        let (_, found) = read_some(number - 1, number);
                        assert_eq!(console.has_stopped(number as u64), found[number], "{lines:?} at {number}");
                    }
                    Hit | DrawHit => {}
                }
            }
        }
    }

    #[test]
    fn no_stop_is_lost_between_the_threads() {
        const ROUNDS: u64 = 5_000;
        let console = console();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for number in (1..=2 * ROUNDS).step_by(2) {
                    console.enqueue(line(number));
                    console.stop(number + 1);
                }
                console.end();
            });
            let mut stops = 0;
            while let Some(message) = console.take() {
                match message {
                    Message::Line(line) => {
                        console.begin(line.number, ENDLESS);
                        while !console.is_stopping() {
                            std::hint::spin_loop();
                        }
                        console.answer("bestmove x");
                    }
                    Message::Stop(number) => {
                        assert!(console.has_stopped(number), "it found the search");
                        stops += 1;
                    }
                    other => panic!("{other:?}"),
                }
            }
            assert_eq!(stops, ROUNDS);
        });
    }

    #[test]
    fn a_search_in_batch_mode_is_not_stopped() {
        let console = console();
        console.begin(1, SearchMode { batch: true, ..SearchMode::default() });
        console.stop(3);
        assert!(!console.has_stopped(3) && !console.is_stopping());
        console.answer("bestmove x");
        // The next search is not in batch mode, and its line comes before the `stop`.
        console.begin(2, SearchMode::default());
        assert!(console.is_stopping() && console.has_stopped(3));
    }

    #[test]
    fn the_end_of_input_stops_only_searches_that_need_a_command() {
        let console = console();
        console.begin(1, PONDERING);
        console.end();
        assert!(console.is_stopping());
        console.answer("bestmove x");
        for (mode, ends) in [(ENDLESS, true), (PONDERING, true), (SearchMode::default(), false)] {
            console.begin(2, mode);
            assert_eq!(console.is_stopping(), ends, "{mode:?}");
            console.answer("bestmove x");
        }
        assert!(console.take().is_none(), "every line is executed and answered");
        console.ponder_hit(4, false);
        console.begin(3, PONDERING);
        assert!(!console.is_stopping(), "its limits apply now");
    }

    #[test]
    fn every_readyok_comes_as_early_as_it_may_and_none_is_lost() {
        let (console, ready) = (console(), |console: &Console| lock(&console.state).queued_ready);
        console.enqueue(line(1));
        console.enqueue(Message::IsReady);
        assert_eq!(ready(&console), 1, "idle");
        assert!(matches!(console.take(), Some(Message::Line(_))));
        console.begin(1, ENDLESS);
        assert!(matches!(console.take(), Some(Message::IsReady)), "the session answers it");
        console.enqueue(line(2));
        console.enqueue(Message::IsReady);
        console.enqueue(line(3));
        console.enqueue(Message::IsReady);
        assert!(matches!(console.take(), Some(Message::Line(_))));
        assert_eq!(ready(&console), 2, "the session executes a line");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while lock(&console.state).session != Session::Blocked {
                    std::hint::spin_loop();
                }
                assert_eq!(ready(&console), 0, "line 2 waits for the search");
                console.enqueue(Message::IsReady);
                assert_eq!(ready(&console), 0, "and every other line with it");
                console.answer("bestmove x");
            });
            assert!(console.wait_for_answer());
        });
        assert!(matches!(console.take(), Some(Message::Line(_))), "line 3");
        assert!(lock(&console.state).queue.is_empty() && lock(&console.state).queued_bytes == 0);
    }

    #[test]
    fn quitting_drops_what_waits_for_a_search_but_not_what_comes_before() {
        let console = console();
        (1..=3).for_each(|number| console.enqueue(line(number)));
        console.quit();
        assert!(console.take().is_some() && console.take().is_some());
        console.begin(2, ENDLESS);
        assert!(!console.wait_for_answer());
        assert!(console.take().is_none(), "line 3 is dropped");
    }

    #[test]
    fn commands_are_found_after_unknown_words() {
        let is_command = |word: &str| ["stop", "isready", "quit", "go", "setoption", "d"].contains(&word);
        let command = |line| command_of(line, is_command);
        assert_eq!(command(" \t stop "), Some("stop"));
        assert_eq!(command("foo bar isready"), Some("isready"));
        assert_eq!(command("quit now"), Some("quit"));
        assert_eq!(command("go ponder stop"), Some("go"));
        assert_eq!(command("setoption name X value quit"), Some("setoption"));
        assert_eq!(command("d stop"), Some("d"));
        assert_eq!(command("STOP"), None);
    }
}
