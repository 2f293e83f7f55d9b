//! What the input thread, the session and the search share: the phase, the queue's length, the output.
//!
//! Lines are numbered when they are read. A search or task has the number of its line, and a `stop` is a number:
//! it means all that was asked for up to there. So it does not matter who comes first, the input thread with the
//! `stop` or the session with the search.
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

/// A line of input that is not blank, without its end.
#[derive(Debug)]
pub struct Line {
    /// Lines are counted when they are read.
    pub number: u64,
    /// What it says.
    pub text: String,
}

/// What the input thread hands to the session.
#[derive(Debug)]
pub enum Message {
    /// A line.
    Line(Line),
    /// A line of so many bytes, more than `input::MAX_LINE`, was left out.
    TooLong(usize),
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
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Phase {
    /// Waiting for commands.
    #[default]
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
#[derive(Default)]
struct State {
    phase: Phase,
    /// The line that asked for the search or task in progress.
    asked: u64,
    /// Of the search that runs.
    course: Course,
    /// The search that runs has been told to end.
    stopping: bool,
    /// The last `stop`: what was asked for up to this line is to be ended.
    stopped: u64,
    /// The last `stop` that has found something to be ended.
    heard: u64,
    /// The last ponder hit: searches asked for up to this line have their limits.
    hit: u64,
    /// The last one that offered a draw.
    draw: u64,
    /// Lines that were queued and are neither done nor held until the search has answered.
    ahead: usize,
    /// The memory that all lines take which are not done, about.
    bytes: usize,
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

    /// Ends what is in progress if a `stop` means it, or if it needs a command and none can come any more.
    fn end_if_due(&mut self) {
        let means_it = self.asked <= self.stopped;
        match self.phase {
            Phase::Thinking if means_it && !self.course.deaf => {
                self.heard = self.stopped;
                self.stop_search();
            }
            Phase::Thinking if self.finishing && self.is_endless() => self.stop_search(),
            Phase::Task(_) if means_it => {
                self.heard = self.stopped;
                self.abort = true;
            }
            _ => {}
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
        Console {
            state: Mutex::default(),
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

    /// Writes one line or several if `is_due`, unless `text` is empty.
    fn write_if(&self, is_due: impl FnOnce(&mut State) -> bool, text: &str) {
        let mut out = lock(&self.out);
        if is_due(&mut lock(&self.state)) && !text.is_empty() && out.write(text) {
            drop(out);
            self.hang_up();
        }
    }

    /// Writes one line or several.
    pub fn say(&self, text: &str) {
        self.write_if(|_| true, text);
    }

    /// Writes a line of a search; nothing once its answer is out.
    pub fn say_thinking(&self, text: &str) {
        self.write_if(|state| state.phase == Phase::Thinking, text);
    }

    /// Writes the one answer of a search and is idle from then on. Does nothing if nothing is owed.
    pub fn answer(&self, text: &str) {
        // Idle before the line is out: what the reader sends next must not be found misplaced.
        let finish = |state: &mut State| {
            let is_owed = state.phase == Phase::Thinking;
            if is_owed {
                state.phase = Phase::Idle;
                self.changed.notify_all();
            }
            is_owed
        };
        self.write_if(finish, text);
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

    /// Enters the task that line `number` asked for; for the session only.
    pub fn enter_task(&self, number: u64) {
        let mut state = lock(&self.state);
        state.phase = Phase::Task(Instant::now());
        state.asked = number;
        state.abort = false;
        state.end_if_due();
    }

    /// The task is over; for the session only.
    pub fn leave_task(&self) {
        lock(&self.state).phase = Phase::Idle;
    }

    /// Enters the search that line `number` asked for; for the session only.
    pub fn enter_search(&self, number: u64, course: Course) {
        let mut state = lock(&self.state);
        state.phase = Phase::Thinking;
        state.asked = number;
        state.course = course;
        state.stopping = false;
    }

    /// The engine has begun that search, and hears what was read about it before; for the session only.
    pub fn search_begun(&self) {
        lock(&self.state).end_if_due();
    }

    /// Line `number` is a `stop`: ends what was asked for before it, now or when it begins, unless it hears no
    /// commands. False if there was nothing to be ended so far. Called when the line is read, and by the session
    /// when it comes to it.
    pub fn stop(&self, number: u64) -> bool {
        let mut state = lock(&self.state);
        state.stopped = state.stopped.max(number);
        state.end_if_due();
        state.heard >= number
    }

    /// Line `number` is a ponder hit, with or without the offer of a draw: what was asked for before it has its
    /// limits from now on, or when it begins. For the session only.
    pub fn ponder_hit(&self, number: u64, draw: bool) {
        let mut state = lock(&self.state);
        state.hit = number;
        if draw {
            state.draw = number;
        }
        if state.phase == Phase::Thinking && !state.stopping {
            state.course.pondering = false;
            if let Some(stop) = &state.stop {
                stop.ponder_hit();
            }
        }
    }

    /// Whether there was a ponder hit for the search that line `number` asked for, and if so, whether a draw was
    /// offered with it.
    pub fn ponder_hit_for(&self, number: u64) -> Option<bool> {
        let state = lock(&self.state);
        (number <= state.hit).then_some(number <= state.draw)
    }

    /// Whether a search runs that has been told to end.
    pub fn is_stopping(&self) -> bool {
        let state = lock(&self.state);
        state.phase == Phase::Thinking && state.stopping
    }

    /// The session keeps a line until the search has answered.
    pub fn hold(&self) {
        lock(&self.state).ahead -= 1;
        self.changed.notify_all();
    }

    /// The session takes up a line that it kept.
    pub fn release(&self) {
        lock(&self.state).ahead += 1;
    }

    /// The session has come to the end of the input: a search that only a command would end is ended, this one
    /// and those to come.
    pub fn finish(&self) {
        let mut state = lock(&self.state);
        state.finishing = true;
        state.end_if_due();
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
    pub fn enqueue(&self, line: Line) {
        let mut state = lock(&self.state);
        while state.bytes > Self::MAX_QUEUED {
            if state.is_endless() && !state.stopping && state.ahead == 0 {
                state.stop_search();
                let _ = self.queue.send(Message::Full);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.ahead += 1;
        state.bytes += line.text.len() + Self::PER_LINE;
        drop(state);
        let _ = self.queue.send(Message::Line(line));
    }

    /// Lets the session say that a line of so many bytes was left out.
    pub fn report_too_long(&self, length: usize) {
        let _ = self.queue.send(Message::TooLong(length));
    }

    /// The session is done with a line.
    pub fn done(&self, line: &Line) {
        let mut state = lock(&self.state);
        state.ahead -= 1;
        state.bytes -= line.text.len() + Self::PER_LINE;
        state.done += 1;
        drop(state);
        self.changed.notify_all();
    }

    /// Answers "ready" if a search runs and the session has seen all earlier lines: a search, and what waits
    /// for its answer, are nothing to wait for.
    pub fn ready_now(&self, answer: &str) -> bool {
        {
            let state = lock(&self.state);
            if state.ahead > 0 || state.phase != Phase::Thinking || state.is_deaf() {
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

    const ENDLESS: Course = Course { deaf: false, endless: true, pondering: false };

    #[derive(Clone, Copy, PartialEq, Debug)]
    enum Asked {
        Search,
        Task,
        Stop,
    }

    /// Random lines, and the steps of the two threads in random order.
    #[test]
    fn a_stop_ends_what_was_asked_for_before_it_and_nothing_else() {
        let mut rng = SplitMix64::new(1);
        for _ in 0..20_000 {
            let kinds = [Asked::Search, Asked::Search, Asked::Task, Asked::Stop, Asked::Stop];
            let lines: Vec<_> = (0..1 + rng.below(6)).map(|_| kinds[rng.below(5)]).collect();
            let (console, _queue) = console();
            // Lines that were read; the line that the session is at, and how far it is with it.
            let (mut read, mut at, mut step) = (0, 0, 0);
            let mut finds = [false; 6];
            while at < lines.len() {
                if read == at || read < lines.len() && rng.below(3) == 0 {
                    if lines[read] == Asked::Stop {
                        finds[read] = lines[at..read].iter().any(|&asked| asked != Asked::Stop);
                        console.stop(read as u64 + 1);
                    }
                    read += 1;
                    continue;
                }
                let number = at as u64 + 1;
                let ends = lines[at..read].contains(&Asked::Stop);
                let is_done = match (lines[at], step) {
                    (Asked::Search, 0) => {
                        console.enter_search(number, ENDLESS);
                        false
                    }
                    (Asked::Search, 1) => {
                        console.search_begun();
                        false
                    }
                    (Asked::Search, _) => {
                        assert_eq!(console.is_stopping(), ends, "{lines:?} at {at}");
                        console.answer("bestmove x");
                        true
                    }
                    (Asked::Task, 0) => {
                        console.enter_task(number);
                        false
                    }
                    (Asked::Task, _) => {
                        assert_eq!(console.aborted(), ends, "{lines:?} at {at}");
                        console.leave_task();
                        true
                    }
                    (Asked::Stop, _) => {
                        assert_eq!(console.stop(number), finds[at], "{lines:?} at {at}");
                        true
                    }
                };
                (at, step) = if is_done { (at + 1, 0) } else { (at, step + 1) };
            }
        }
    }

    #[test]
    fn no_stop_is_lost_between_two_threads() {
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
                    assert!(console.stop(line.number), "it has found the search");
                }
                console.done(&line);
                done += 1;
            }
        });
    }

    #[test]
    fn what_hears_no_commands_is_not_stopped() {
        let (console, _queue) = console();
        console.enter_search(1, Course { deaf: true, ..Course::default() });
        console.search_begun();
        assert!(!console.stop(3) && !console.is_stopping());
        console.answer("bestmove x");
        // The next one does hear them, and was asked for before the `stop`.
        console.enter_search(2, Course::default());
        console.search_begun();
        assert!(console.is_stopping() && console.stop(3));
    }

    #[test]
    fn the_end_of_the_input_ends_what_needs_a_command_only() {
        let (console, _queue) = console();
        let pondering = Course { pondering: true, ..Course::default() };
        console.enter_search(1, pondering);
        console.search_begun();
        console.finish();
        assert!(console.is_stopping() && !console.is_finished());
        console.answer("bestmove x");
        assert!(console.is_finished());
        for (course, ends) in [(ENDLESS, true), (pondering, true), (Course::default(), false)] {
            console.enter_search(2, course);
            console.search_begun();
            assert_eq!(console.is_stopping(), ends, "{course:?}");
            console.answer("bestmove x");
        }
    }

    #[test]
    fn a_ponder_hit_means_the_searches_in_front_of_it() {
        let (console, _queue) = console();
        console.enter_search(1, Course { pondering: true, ..Course::default() });
        console.search_begun();
        console.ponder_hit(3, true);
        console.ponder_hit(5, false);
        let hits: Vec<_> = (2..=6).map(|number| console.ponder_hit_for(number)).collect();
        assert_eq!(hits, [Some(true), Some(true), Some(false), Some(false), None]);
        console.finish();
        assert!(!console.is_stopping(), "it has limits now");
    }

    #[test]
    fn ready_is_said_beside_a_search_when_all_lines_were_seen() {
        let (console, _queue) = console();
        assert!(!console.ready_now("readyok"), "idle");
        console.enqueue(line(1));
        console.enter_search(1, ENDLESS);
        assert!(!console.ready_now("readyok"), "the search is about to begin");
        console.done(&line(1));
        assert!(console.ready_now("readyok"));
        console.enqueue(line(2));
        assert!(!console.ready_now("readyok"), "a line was not seen");
        console.hold();
        assert!(console.ready_now("readyok"), "it waits for the answer");
        console.release();
        assert!(!console.ready_now("readyok"), "it has its turn");
    }
}
