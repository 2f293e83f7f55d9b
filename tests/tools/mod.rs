//! Tools that make and prove the data of the tests. `README.md` in this folder lists the files and their tools.
//!
//! Short checks run with all other tests. Checks that take minutes are ignored, and run by their command. The Python
//! scripts in this folder describe their own usage.

mod diagnosis;
mod mates;
mod patterns;
mod repetitions;

/// A script that nothing runs would break unnoticed when the code that it uses changes.
#[test]
fn every_script_is_run_by_ci_or_by_a_test() {
    use std::fs;
    use std::path::PathBuf;
    let files = |folder: &str, ending: &str| -> Vec<PathBuf> {
        let entries = fs::read_dir(crate::common::root().join(folder)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        paths.filter(|path| path.extension().is_some_and(|x| x == ending)).collect()
    };
    let scripts: Vec<PathBuf> =
        ["tests", "tests/tools", "tests/cluster"].iter().flat_map(|folder| files(folder, "py")).collect();
    assert!(scripts.len() >= 10, "{scripts:?}");
    let read = |path: &PathBuf| fs::read_to_string(path).unwrap();
    let ci = [".ci/run", ".ci/nightly"].map(|path| read(&crate::common::root().join(path)));
    let tests: Vec<String> = files("tests/program", "rs").iter().map(read).collect();
    let imports: Vec<String> = scripts.iter().map(read).collect();
    for script in &scripts {
        let name = script.file_name().unwrap().to_str().unwrap();
        let import = format!("from {} import", name.trim_end_matches(".py"));
        let is_run = ci.iter().chain(&tests).any(|text| text.contains(name));
        assert!(is_run || imports.iter().any(|text| text.contains(&import)), "nothing runs {name}");
    }
}
