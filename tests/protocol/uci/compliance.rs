//! The forty steps of fastchess `--compliance`, in its order and with its checks, as one dialogue.

use super::*;

/// The runner's checks of an answer. `Pipe` checks every line in the end: fields and integers are in their form.
fn think(pipe: &mut Pipe, go: &str, step: &str) {
    let lines = pipe.go(go);
    let text = best(&lines);
    assert!(matches!(text.len(), 4 | 5) && text.is_ascii(), "step {step}: {text}");
    assert!(analysis(&lines).iter().any(|line| line.contains(" score ")), "step {step}: a score");
}

#[test]
fn the_forty_steps() {
    let mut pipe = Pipe::start();
    let lines = pipe.ask("uci", "uciok"); // 1
    pipe.sync(); // 2
    assert!(lines.iter().any(|l| l.len() > 8 && l.starts_with("id name ")), "step 3");
    assert!(lines.iter().any(|l| l.len() > 10 && l.starts_with("id author ")), "step 4");
    pipe.says("ucinewgame"); // 5
    pipe.send("position startpos"); // 6
    pipe.sync(); // 7
    pipe.send("position fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27"); // 8
    pipe.sync(); // 9
    think(&mut pipe, "go wtime 100", "10 to 14");
    pipe.send("position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"); // 15
    think(&mut pipe, "go btime 100", "16 to 20");
    think(&mut pipe, "go wtime 100 winc 100 btime 100 binc 100", "21 to 25");
    think(&mut pipe, "go btime 100 binc 100 wtime 100 winc 100", "26 to 31");
    pipe.send("ucinewgame"); // 32
    pipe.sync();
    pipe.send("position startpos"); // 33
    think(&mut pipe, "go wtime 100 btime 100", "34 to 36");
    pipe.send("position startpos moves e2e4 e7e5"); // 37
    think(&mut pipe, "go wtime 100 btime 100", "38 to 40");
}
