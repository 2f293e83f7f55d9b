//! What the input thread, the session and the search share: the phase, the queue's length, the output.
//!
//! Two locks, always taken in the order output, state. The output lock makes lines whole; the state lock
//! is held for a few instructions only, so that the input thread never waits for a search or a writer
//! when it stops one.

use crate::base::lock::lock;
use crate::engine::StopHandle;
use std::io::Write;
use std::sync::mpsc::Sender;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A task that has run this long when the program is told to quit was not piped in together with the
/// `quit`: somebody is waiting for the program to leave, so the task is given up.
const PIPED: Duration = Duration::from_millis(300);

/// What the input thread hands to the session.
#[derive(Debug)]
pub enum Message {
    /// A line that is not blank, without its end.
    Line(String),
    /// A line of so many bytes, more than `input::MAX_LINE`, was left out.
    TooLong(usize),
    /// A `stop` that has ended what was in progress and means the lines in front of it as well.
    Stop,
    /// The search in progress was ended, as what waits for its answer takes too much memory.
    Full,
    /// The search in progress has answered.
    Answered,
    /// The input has ended: what was asked for is finished, then the program leaves.
    End,
    /// `quit`, or nobody to read the output: leave now.
    Quit,
}

/// What the program is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Waiting for commands.
    Idle,
    /// A search runs and owes an answer.
    Thinking,
    /// A command that runs in the session itself since this instant: perft, bench.
    Task(Instant),
}

/// What can end a search besides its limits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Course {
    /// Nothing: it hears no commands until it has answered.
    pub deaf: bool,
    /// It has no limits: only `stop` ends it.
    pub endless: bool,
    /// Its limits count from `ponderhit` on.
    pub pondering: bool,
}

impl Course {
    /// Whether the search goes on until there is a command.
    fn needs_command(self) -> bool {
        self.endless || self.pondering
    }
}

/// State behind the short lock.
struct State {
    phase: Phase,
    /// Of the search that runs.
    course: Course,
    /// The search that runs has been told to end.
    stopping: bool,
    /// Lines that were queued and are not done yet, the one in progress included.
    queued: usize,
    /// Those of them that the session has seen and keeps until the search has answered.
    held: usize,
    /// The memory that all of them take, about.
    bytes: usize,
    /// How many times `stop` is among them.
    stops: usize,
    /// How many [`Message::Stop`] the session has not seen yet.
    passed_on: usize,
    /// Lines that are done.
    done: u64,
    /// The task in progress shall end.
    abort: bool,
    /// Nobody reads the output: every task shall end.
    unread: bool,
    /// The session has come to the end of the input: no command ends a search any more.
    finishing: bool,
    /// Ends the present search; there is none before the first session.
    stop: Option<StopHandle>,
}

impl State {
    /// Whether a search runs that hears no commands.
    fn is_deaf(&self) -> bool {
        self.course.deaf && self.phase == Phase::Thinking
    }

    /// Whether a search runs that only a command would end.
    fn is_endless(&self) -> bool {
        self.course.needs_command() && self.phase == Phase::Thinking
    }

    /// Tells the search in progress to end.
    fn stop_search(&mut self) {
        self.stopping = true;
        if let Some(stop) = &self.stop {
            stop.stop();
        }
    }
}

/// The shared desk of one program run.
pub struct Console {
    state: Mutex<State>,
    changed: Condvar,
    out: Mutex<Output>,
    queue: Sender<Message>,
}

struct Output {
    sink: Box<dyn Write + Send>,
    broken: bool,
}

impl Output {
    /// Writes whole lines and flushes; says whether the reader has just gone away.
    fn write(&mut self, text: &str) -> bool {
        if self.broken {
            return false;
        }
        let mut lines = String::with_capacity(text.len() + 1);
        lines.push_str(text);
        lines.push('\n');
        let done = self.sink.write_all(lines.as_bytes()).and_then(|()| self.sink.flush());
        self.broken = done.is_err();
        self.broken
    }
}

impl Console {
    /// Most bytes of input that wait for the session; beyond them the input is left in the pipe.
    const MAX_QUEUED: usize = 16 << 20;
    /// What a waiting line costs besides its text.
    const PER_LINE: usize = 64;

    /// A console that writes to `sink` and reports a broken output to `queue`.
    pub fn new(sink: Box<dyn Write + Send>, queue: Sender<Message>) -> Self {
        let state = State {
            phase: Phase::Idle,
            course: Course::default(),
            stopping: false,
            queued: 0,
            held: 0,
            bytes: 0,
            stops: 0,
            passed_on: 0,
            done: 0,
            abort: false,
            unread: false,
            finishing: false,
            stop: None,
        };
        Console {
            state: Mutex::new(state),
            changed: Condvar::new(),
            out: Mutex::new(Output { sink, broken: false }),
            queue,
        }
    }

    /// Lets `stop` end the searches of a new session at once.
    pub fn set_stop(&self, stop: StopHandle) {
        lock(&self.state).stop = Some(stop);
    }

    // --- output -------------------------------------------------------------------------------------

    /// Writes one line or several; nothing if `text` is empty.
    pub fn say(&self, text: &str) {
        if text.is_empty() {
            return;
        }
        let gone = lock(&self.out).write(text);
        if gone {
            self.hang_up();
        }
    }

    /// Writes a line of a search; nothing once its answer is out.
    pub fn say_thinking(&self, text: &str) {
        if text.is_empty() {
            return;
        }
        let mut out = lock(&self.out);
        if lock(&self.state).phase == Phase::Thinking && out.write(text) {
            drop(out);
            self.hang_up();
        }
    }

    /// Writes the one answer of a search and is idle from then on. Does nothing if nothing is owed.
    pub fn answer(&self, text: &str) {
        let mut out = lock(&self.out);
        {
            let mut state = lock(&self.state);
            if state.phase != Phase::Thinking {
                return;
            }
            // Idle before the line is out: what the reader sends next must not be found misplaced.
            state.phase = Phase::Idle;
            state.stopping = false;
        }
        self.changed.notify_all();
        if out.write(text) {
            drop(out);
            self.hang_up();
        }
        // What was held back has its turn. Fails only if the session is gone already.
        let _ = self.queue.send(Message::Answered);
    }

    /// Nobody reads any more: give up the task and leave.
    pub fn hang_up(&self) {
        lock(&self.state).unread = true;
        self.changed.notify_all();
        // Fails only if the session is gone already.
        let _ = self.queue.send(Message::Quit);
    }

    // --- phases -------------------------------------------------------------------------------------

    /// What the program is doing.
    pub fn phase(&self) -> Phase {
        lock(&self.state).phase
    }

    /// Enters a phase other than that of a search; for the session only.
    pub fn enter(&self, phase: Phase) {
        let mut state = lock(&self.state);
        state.phase = phase;
        state.stopping = false;
        state.abort = false;
    }

    /// Enters the phase of a search; for the session only.
    pub fn enter_search(&self, course: Course) {
        let mut state = lock(&self.state);
        state.phase = Phase::Thinking;
        state.course = course;
        state.stopping = false;
        state.abort = false;
        drop(state);
        self.changed.notify_all();
    }

    /// The search in progress, if it ponders, has its limits from now on. For the session only.
    pub fn ponder_hit(&self) {
        lock(&self.state).course.pondering = false;
    }

    /// Whether the search that begins is to be ended at once: the input thread has read a `stop`, not yet seen
    /// by the session, that means it, or no command can come any more and it needs one. For the session only.
    pub fn has_stop_for_search(&self) -> bool {
        let state = lock(&self.state);
        state.passed_on > 0 || state.finishing && state.is_endless()
    }

    /// The same for a task, which keeps the session from seeing it.
    pub fn has_stop_for_task(&self) -> bool {
        let state = lock(&self.state);
        state.passed_on + state.stops > 0
    }

    /// The session has come to a [`Message::Stop`].
    pub fn stop_seen(&self) {
        let mut state = lock(&self.state);
        state.passed_on = state.passed_on.saturating_sub(1);
    }

    /// The session has come to a line that says `stop`.
    pub fn stop_line_seen(&self) {
        let mut state = lock(&self.state);
        state.stops = state.stops.saturating_sub(1);
    }

    /// Tells the search or task in progress to end, unless it hears no commands. For the session only.
    pub fn stop(&self) {
        let mut state = lock(&self.state);
        match state.phase {
            Phase::Idle => {}
            Phase::Thinking if state.course.deaf => {}
            Phase::Thinking => state.stop_search(),
            Phase::Task(_) => state.abort = true,
        }
    }

    /// Whether a search runs that has been told to end.
    pub fn is_stopping(&self) -> bool {
        let state = lock(&self.state);
        state.phase == Phase::Thinking && state.stopping
    }

    /// The session is going to keep a line until the search has answered, or `behind` others. False if the search
    /// has answered by now and there are no others: then there is nothing to wait for.
    pub fn hold(&self, behind: bool) -> bool {
        let mut state = lock(&self.state);
        if state.phase != Phase::Thinking && !behind {
            return false;
        }
        state.held += 1;
        drop(state);
        self.changed.notify_all();
        true
    }

    /// The session takes up a line that it kept.
    pub fn release(&self) {
        let mut state = lock(&self.state);
        state.held = state.held.saturating_sub(1);
    }

    /// The session has come to the end of the input: a search that only a command would end is ended, this one
    /// and those to come.
    pub fn finish(&self) {
        let mut state = lock(&self.state);
        state.finishing = true;
        if state.is_endless() {
            state.stop_search();
        }
    }

    /// Whether the input has ended and no search owes an answer. For the session only.
    pub fn is_finished(&self) -> bool {
        let state = lock(&self.state);
        state.finishing && state.phase == Phase::Idle
    }

    /// Waits for the answer of a search that hears no commands, or until nobody reads it any more.
    pub fn wait_if_deaf(&self) {
        let waits = |state: &mut State| state.is_deaf() && !state.unread;
        let waited = self.changed.wait_while(lock(&self.state), waits);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Whether a line could not be written because nobody reads any more.
    pub fn is_unread(&self) -> bool {
        lock(&self.state).unread
    }

    /// Whether the task in progress shall end.
    pub fn aborted(&self) -> bool {
        let state = lock(&self.state);
        state.abort || state.unread
    }

    /// Waits until no answer is owed, at most `patience`; says whether that is so.
    pub fn wait_idle(&self, patience: Duration) -> bool {
        let owed = |state: &mut State| state.phase == Phase::Thinking;
        let waited = self.changed.wait_timeout_while(lock(&self.state), patience, owed);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    // --- the input thread ---------------------------------------------------------------------------

    /// Hands a line to the session, in order. Where there is no more room because all lines wait for the
    /// answer of a search that only a command would end, that search is ended: the command may be what there is
    /// no room to read. Other searches end by themselves.
    pub fn enqueue(&self, line: String) {
        let mut state = lock(&self.state);
        while state.bytes > Self::MAX_QUEUED {
            if state.is_endless() && !state.stopping && state.queued == state.held {
                state.stop_search();
                let _ = self.queue.send(Message::Full);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.queued += 1;
        state.bytes += line.len() + Self::PER_LINE;
        drop(state);
        let _ = self.queue.send(Message::Line(line));
    }

    /// Lets the session say that a line of so many bytes was left out.
    pub fn report_too_long(&self, length: usize) {
        let _ = self.queue.send(Message::TooLong(length));
    }

    /// The session is done with a line of so many bytes.
    pub fn done(&self, bytes: usize) {
        let mut state = lock(&self.state);
        state.queued = state.queued.saturating_sub(1);
        state.bytes = state.bytes.saturating_sub(bytes + Self::PER_LINE);
        state.done += 1;
        drop(state);
        self.changed.notify_all();
    }

    /// Stops the search or task in progress, whatever waits behind it; says whether that settles the `stop`.
    /// If earlier lines are still to be obeyed it means the searches among them too, and has to take its place
    /// behind them.
    ///
    /// A `stop` can never hit a later search: only the caller could read the `go` that starts it.
    pub fn stop_now(&self) -> bool {
        let mut state = lock(&self.state);
        let own = match state.phase {
            Phase::Thinking if !state.course.deaf => {
                state.stop_search();
                0
            }
            Phase::Task(_) => {
                state.abort = true;
                1
            }
            _ => {
                state.stops += 1;
                return false;
            }
        };
        if state.queued > own {
            state.passed_on += 1;
            let _ = self.queue.send(Message::Stop);
        }
        true
    }

    /// Answers "ready" if a search runs and the session has seen all earlier lines: a search, and what waits
    /// for its answer, are nothing to wait for.
    pub fn ready_now(&self, answer: &str) -> bool {
        {
            let state = lock(&self.state);
            if state.queued > state.held || state.phase != Phase::Thinking || state.is_deaf() {
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

    /// The input said `quit`. A search is stopped when the session comes to it; a task that
    /// was running for a while is given up, one that came together with the `quit` is finished first, so
    /// that `printf 'go perft 6\nquit\n' | tabiya` shows its result.
    pub fn quit(&self) {
        let mut state = lock(&self.state);
        state.abort |= matches!(state.phase, Phase::Task(since) if since.elapsed() > PIPED);
        drop(state);
        let _ = self.queue.send(Message::Quit);
    }

    /// How many lines are done, to see whether the session gets on with what was piped in; `None` while a
    /// task runs that may take its time.
    pub fn progress(&self) -> Option<u64> {
        let state = lock(&self.state);
        let task = matches!(state.phase, Phase::Task(_)) && !state.abort;
        let busy = (task || state.is_deaf()) && !state.unread;
        (!busy).then_some(state.done)
    }
}
