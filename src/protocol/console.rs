//! State shared by the input thread, the session and the search: the phase, the size of the queue, and the output.
//!
//! Lines are numbered as they are read. A search or task has the number of its line, and so has a `stop`, which ends
//! all searches and tasks of earlier lines. So the result does not depend on whether the input thread sees the `stop`
//! before the session starts the search.
//!
//! There are two locks, always taken in the order output, state. The output lock keeps lines whole. The state lock is
//! held for a few instructions only, so the input thread can stop a search without waiting for it or for a writer.

use crate::base::lock::lock;
use crate::engine::StopHandle;
use std::io::{self, Write};
use std::sync::mpsc::Sender;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// A line of input that is not blank, without its line end.
#[derive(Debug)]
pub struct Line {
    /// Number of the line, in the order of reading.
    pub number: u64,
    /// The text.
    pub text: String,
}

/// A message from the input thread or the search to the session.
#[derive(Debug)]
pub enum Message {
    /// A line.
    Line(Line),
    /// A line of this many bytes, more than `input::MAX_LINE`, was skipped.
    TooLong(usize),
    /// The current search was stopped because the lines queued behind it take too much memory.
    Full,
    /// The current search has answered.
    Answered,
    /// End of input: finish all commands, then exit.
    End,
    /// `quit`, or the output is closed: exit now.
    Quit,
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

/// What can end a search besides its limits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SearchMode {
    /// UCCI batch mode: no command is read until the search has answered.
    pub batch: bool,
    /// There are no limits: only `stop` ends the search.
    pub endless: bool,
    /// The limits apply only after `ponderhit`.
    pub pondering: bool,
}

/// The state behind the state lock.
#[derive(Default)]
struct State {
    phase: Phase,
    /// Line number of the current search or task.
    current_line: u64,
    /// Mode of the current search.
    mode: SearchMode,
    /// The current search has been told to stop.
    stopping: bool,
    /// Line number of the last `stop`; it ends searches and tasks of lines up to it.
    stop_line: u64,
    /// Line number of the last `stop` that found something to end.
    effective_stop: u64,
    /// Line number of the last ponder hit; searches of lines up to it have their limits.
    hit_line: u64,
    /// Line number of the last ponder hit that offered a draw.
    draw_line: u64,
    /// Queued lines that are neither done nor held back until the search has answered.
    pending: usize,
    /// Approximate memory of all lines that are not done, in bytes.
    queued_bytes: usize,
    /// Number of lines that are done.
    done: u64,
    /// The current task has been told to stop.
    abort: bool,
    /// `quit` was read: every task must stop.
    quitting: bool,
    /// The output is closed: every task must stop.
    output_closed: bool,
    /// Why the output could not be written.
    fault: Option<io::Error>,
    /// The session has reached the end of input: no command can end a search any more.
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
        self.abort || self.quitting || self.output_closed
    }

    /// Tells the current search to stop.
    fn stop_search(&mut self) {
        self.stopping = true;
        if let Some(stop) = &self.stop {
            stop.stop();
        }
    }

    /// Ends the current search or task if a `stop` applies to it, or if only a command could end it and none can come.
    fn end_if_due(&mut self) {
        let applies = self.current_line <= self.stop_line;
        match self.phase {
            Phase::Thinking if applies && !self.mode.batch => {
                self.effective_stop = self.stop_line;
                self.stop_search();
            }
            Phase::Thinking if self.input_ended && self.is_endless() => self.stop_search(),
            Phase::Task if applies => {
                self.effective_stop = self.stop_line;
                self.abort = true;
            }
            _ => {}
        }
    }
}

/// The state that the threads of one program run share.
pub struct Console {
    state: Mutex<State>,
    changed: Condvar,
    out: Mutex<Output>,
    queue: Sender<Message>,
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

    /// A console that writes to `sink` and reports a closed output to `queue`.
    pub fn new(sink: Box<dyn Write + Send>, queue: Sender<Message>) -> Self {
        Console {
            state: Mutex::default(),
            changed: Condvar::new(),
            out: Mutex::new(Output { sink, ended: false }),
            queue,
        }
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
                self.changed.notify_all();
            }
            is_due
        };
        self.write_if(finish, text);
        // Wake the session for the lines held back. Fails only if the session has ended.
        let _ = self.queue.send(Message::Answered);
    }

    /// The output is closed: aborts the task and tells the session to exit.
    pub fn close_output(&self) {
        lock(&self.state).output_closed = true;
        self.changed.notify_all();
        // Fails only if the session has ended.
        let _ = self.queue.send(Message::Quit);
    }

    // --- phases -------------------------------------------------------------------------------------

    /// What the program is doing.
    pub fn phase(&self) -> Phase {
        lock(&self.state).phase
    }

    /// Starts the task of line `number`. For the session only.
    pub fn enter_task(&self, number: u64) {
        let mut state = lock(&self.state);
        state.phase = Phase::Task;
        state.current_line = number;
        state.abort = false;
        state.end_if_due();
    }

    /// Ends the task. For the session only.
    pub fn leave_task(&self) {
        let mut state = lock(&self.state);
        (state.phase, state.abort) = (Phase::Idle, false);
        drop(state);
        self.changed.notify_all();
    }

    /// Starts the search of line `number`. For the session only.
    pub fn enter_search(&self, number: u64, mode: SearchMode) {
        let mut state = lock(&self.state);
        state.phase = Phase::Thinking;
        state.current_line = number;
        state.mode = mode;
        state.stopping = false;
    }

    /// The engine has started the search: applies a `stop` that was read before. For the session only.
    pub fn search_begun(&self) {
        lock(&self.state).end_if_due();
    }

    /// Line `number` is a `stop`: ends what earlier lines started, now or as soon as it starts, except searches in
    /// batch mode. Returns false if there has been nothing to end so far. Called when the line is read, and again by
    /// the session when it executes the line.
    pub fn stop(&self, number: u64) -> bool {
        let mut state = lock(&self.state);
        state.stop_line = state.stop_line.max(number);
        state.end_if_due();
        state.effective_stop >= number
    }

    /// Line `number` is a ponder hit, with or without a draw offer: the limits of searches of earlier lines apply from
    /// now on, or from their start. For the session only.
    pub fn ponder_hit(&self, number: u64, draw: bool) {
        let mut state = lock(&self.state);
        state.hit_line = number;
        if draw {
            state.draw_line = number;
        }
        if state.phase == Phase::Thinking && !state.stopping {
            state.mode.pondering = false;
            if let Some(stop) = &state.stop {
                stop.ponder_hit();
            }
        }
    }

    /// Whether there was a ponder hit for the search of line `number`: `Some(true)` if it offered a draw, `None` if
    /// there was none.
    pub fn ponder_hit_for(&self, number: u64) -> Option<bool> {
        let state = lock(&self.state);
        (number <= state.hit_line).then_some(number <= state.draw_line)
    }

    /// Whether a search is running that has been told to stop.
    pub fn is_stopping(&self) -> bool {
        let state = lock(&self.state);
        state.phase == Phase::Thinking && state.stopping
    }

    /// The session holds a line back until the search has answered.
    pub fn hold(&self) {
        lock(&self.state).pending -= 1;
        self.changed.notify_all();
    }

    /// The session takes a line that it held back.
    pub fn release(&self) {
        lock(&self.state).pending += 1;
    }

    /// The session has reached the end of input: stops the current and all later searches that only a command would
    /// end.
    pub fn finish(&self) {
        let mut state = lock(&self.state);
        state.input_ended = true;
        state.end_if_due();
    }

    /// Whether the input has ended and no answer is due. For the session only.
    pub fn is_finished(&self) -> bool {
        let state = lock(&self.state);
        state.input_ended && state.phase == Phase::Idle
    }

    /// Waits for the answer of a search in batch mode, or until the output is closed.
    pub fn wait_if_batch(&self) {
        let waits = |state: &mut State| state.in_batch_search() && !state.output_closed;
        let waited = self.changed.wait_while(lock(&self.state), waits);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
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

    // --- the input thread ---------------------------------------------------------------------------

    /// Queues a line for the session. If the queue is full because all lines wait for a search that only a command
    /// would end, stops that search: the command may be in the input that there is no room to read. Other searches end
    /// by themselves.
    pub fn enqueue(&self, line: Line) {
        let mut state = lock(&self.state);
        while state.queued_bytes > Self::MAX_QUEUED {
            if state.is_endless() && !state.stopping && state.pending == 0 {
                state.stop_search();
                let _ = self.queue.send(Message::Full);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.pending += 1;
        state.queued_bytes += line.text.len() + Self::PER_LINE;
        drop(state);
        let _ = self.queue.send(Message::Line(line));
    }

    /// Makes the session report that a line of this many bytes was skipped.
    pub fn report_too_long(&self, length: usize) {
        let _ = self.queue.send(Message::TooLong(length));
    }

    /// The session has executed a line.
    pub fn done(&self, line: &Line) {
        let mut state = lock(&self.state);
        state.pending -= 1;
        state.queued_bytes -= line.text.len() + Self::PER_LINE;
        state.done += 1;
        drop(state);
        self.changed.notify_all();
    }

    /// Answers `isready` at once if a search is running and the session has seen all earlier lines; returns whether it
    /// did. A search, and lines held back until its answer, do not delay `readyok`.
    pub fn answer_ready(&self, answer: &str) -> bool {
        {
            let state = lock(&self.state);
            if state.pending > 0 || state.phase != Phase::Thinking || state.in_batch_search() {
                return false;
            }
        }
        self.say(answer);
        true
    }

    /// The input has ended.
    pub fn end(&self) {
        let _ = self.queue.send(Message::End);
    }

    /// The input has `quit`: the session stops a search, and tasks that run or are queued are aborted. `printf 'go
    /// perft 6\nquit\n' | tabiya` therefore counts nothing; without the `quit` it does.
    pub fn quit(&self) {
        lock(&self.state).quitting = true;
        let _ = self.queue.send(Message::Quit);
    }

    /// Number of lines done, to see whether the session makes progress; `None` while a task runs, which may take any
    /// time.
    pub fn progress(&self) -> Option<u64> {
        let state = lock(&self.state);
        let task = state.phase == Phase::Task && !state.aborts();
        let busy = (task || state.in_batch_search()) && !state.output_closed;
        (!busy).then_some(state.done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;
    use std::sync::mpsc::{Receiver, channel};

    fn console() -> (Console, Receiver<Message>) {
        let (sender, queue) = channel();
        (Console::new(Box::new(std::io::sink()), sender), queue)
    }

    fn line(number: u64) -> Line {
        Line { number, text: "x".to_string() }
    }

    const ENDLESS: SearchMode = SearchMode { batch: false, endless: true, pondering: false };

    #[derive(Clone, Copy, PartialEq, Debug)]
    enum Kind {
        Search,
        Task,
        Stop,
    }

    /// Random lines, with the steps of the two threads interleaved at random.
    #[test]
    fn a_stop_ends_earlier_searches_and_tasks_only() {
        let mut rng = SplitMix64::new(1);
        for _ in 0..20_000 {
            let kinds = [Kind::Search, Kind::Search, Kind::Task, Kind::Stop, Kind::Stop];
            let lines: Vec<_> = (0..1 + rng.below(6)).map(|_| kinds[rng.below(5)]).collect();
            let (console, _queue) = console();
            // Number of lines read; the session's current line, and its step in it.
            let (mut read, mut at, mut step) = (0, 0, 0);
            let mut found = [false; 6];
            while at < lines.len() {
                if read == at || read < lines.len() && rng.below(3) == 0 {
                    if lines[read] == Kind::Stop {
                        found[read] = lines[at..read].iter().any(|&kind| kind != Kind::Stop);
                        console.stop(read as u64 + 1);
                    }
                    read += 1;
                    continue;
                }
                let number = at as u64 + 1;
                let ends = lines[at..read].contains(&Kind::Stop);
                let is_done = match (lines[at], step) {
                    (Kind::Search, 0) => {
                        console.enter_search(number, ENDLESS);
                        false
                    }
                    (Kind::Search, 1) => {
                        console.search_begun();
                        false
                    }
                    (Kind::Search, _) => {
                        assert_eq!(console.is_stopping(), ends, "{lines:?} at {at}");
                        console.answer("bestmove x");
                        true
                    }
                    (Kind::Task, 0) => {
                        console.enter_task(number);
                        false
                    }
                    (Kind::Task, _) => {
                        assert_eq!(console.aborted(), ends, "{lines:?} at {at}");
                        console.leave_task();
                        true
                    }
                    (Kind::Stop, _) => {
                        assert_eq!(console.stop(number), found[at], "{lines:?} at {at}");
                        true
                    }
                };
                (at, step) = if is_done { (at + 1, 0) } else { (at, step + 1) };
            }
        }
    }

    #[test]
    fn no_stop_is_lost_between_the_threads() {
        const ROUNDS: u64 = 5_000;
        let (console, queue) = console();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for number in (1..=2 * ROUNDS).step_by(2) {
                    console.enqueue(line(number));
                    console.stop(number + 1);
                    console.enqueue(line(number + 1));
                }
            });
            let mut done = 0;
            while done < 2 * ROUNDS {
                let Ok(Message::Line(line)) = queue.recv() else { continue };
                if line.number % 2 == 1 {
                    console.enter_search(line.number, ENDLESS);
                    console.search_begun();
                    while !console.is_stopping() {
                        std::hint::spin_loop();
                    }
                    console.answer("bestmove x");
                } else {
                    assert!(console.stop(line.number), "it found the search");
                }
                console.done(&line);
                done += 1;
            }
        });
    }

    #[test]
    fn a_search_in_batch_mode_is_not_stopped() {
        let (console, _queue) = console();
        console.enter_search(1, SearchMode { batch: true, ..SearchMode::default() });
        console.search_begun();
        assert!(!console.stop(3) && !console.is_stopping());
        console.answer("bestmove x");
        // The next search is not in batch mode, and its line comes before the `stop`.
        console.enter_search(2, SearchMode::default());
        console.search_begun();
        assert!(console.is_stopping() && console.stop(3));
    }

    #[test]
    fn the_end_of_input_stops_only_searches_that_need_a_command() {
        let (console, _queue) = console();
        let pondering = SearchMode { pondering: true, ..SearchMode::default() };
        console.enter_search(1, pondering);
        console.search_begun();
        console.finish();
        assert!(console.is_stopping() && !console.is_finished());
        console.answer("bestmove x");
        assert!(console.is_finished());
        for (mode, ends) in [(ENDLESS, true), (pondering, true), (SearchMode::default(), false)] {
            console.enter_search(2, mode);
            console.search_begun();
            assert_eq!(console.is_stopping(), ends, "{mode:?}");
            console.answer("bestmove x");
        }
    }

    #[test]
    fn a_ponder_hit_applies_to_earlier_searches() {
        let (console, _queue) = console();
        console.enter_search(1, SearchMode { pondering: true, ..SearchMode::default() });
        console.search_begun();
        console.ponder_hit(3, true);
        console.ponder_hit(5, false);
        let hits: Vec<_> = (2..=6).map(|number| console.ponder_hit_for(number)).collect();
        assert_eq!(hits, [Some(true), Some(true), Some(false), Some(false), None]);
        console.finish();
        assert!(!console.is_stopping(), "its limits apply now");
    }

    #[test]
    fn readyok_is_immediate_during_a_search_if_all_lines_were_seen() {
        let (console, _queue) = console();
        assert!(!console.answer_ready("readyok"), "idle");
        console.enqueue(line(1));
        console.enter_search(1, ENDLESS);
        assert!(!console.answer_ready("readyok"), "the search is about to start");
        console.done(&line(1));
        assert!(console.answer_ready("readyok"));
        console.enqueue(line(2));
        assert!(!console.answer_ready("readyok"), "the session has not seen a line");
        console.hold();
        assert!(console.answer_ready("readyok"), "the line is held back");
        console.release();
        assert!(!console.answer_ready("readyok"), "the line is about to run");
    }
}
