//! Files that the program is given: their names may have any bytes ([`path_of`]), only what is safe to read is opened,
//! a file that a run continues belongs to one run at a time, no more is read than expected, and [`reason`] says in
//! words of our own why a file cannot be read.
//!
//! XBoard takes the system's words, such as "No such file" and "Permission denied", in any line of an engine for the
//! sign that the engine could not be started, and ends the game.

use std::fs::{File, TryLockError, metadata};
use std::io::{Error, ErrorKind, Read, Result as IoResult};
use std::path::{Path, PathBuf};

/// What is said of a folder, a pipe or a device.
const NOT_REGULAR: &str = "this is not a regular file";

/// The error as the end of a sentence about a file or folder.
pub fn reason(error: &Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "it does not exist".into(),
        ErrorKind::PermissionDenied => "reading it is not allowed".into(),
        _ => error.to_string(),
    }
}

/// Says why a file cannot be read.
pub fn unreadable(error: Error) -> String {
    format!("the file cannot be read: {}", reason(&error))
}

/// The byte 0 of the characters U+10FF80 to U+10FFFF, which stand for the bytes of a text that are not UTF-8. They have
/// no meaning of their own.
const BYTES: u32 = 0x10_ff00;

/// Whether a character stands for a byte in a text by [`text_of`].
pub fn is_byte(c: char) -> bool {
    u32::from(c) >= BYTES + 0x80
}

/// Text for bytes of which some may not be UTF-8, as in the names of files. [`path_of`] is the inverse.
pub fn text_of(bytes: &[u8]) -> String {
    // The first byte of the characters that stand for bytes.
    if let Ok(text) = std::str::from_utf8(bytes)
        && !bytes.contains(&0xf4)
    {
        return text.into();
    }
    let byte = |&b: &u8| char::from_u32(BYTES + u32::from(b)).unwrap_or(char::REPLACEMENT_CHARACTER);
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if is_byte(c) {
                text.extend(c.encode_utf8(&mut [0; 4]).as_bytes().iter().map(byte));
            } else {
                text.push(c);
            }
        }
        text.extend(chunk.invalid().iter().map(byte));
    }
    text
}

/// The file that a text by [`text_of`] names.
pub fn path_of(text: &str) -> PathBuf {
    #[cfg(unix)]
    if text.contains(is_byte) {
        use std::os::unix::ffi::OsStringExt as _;
        let mut bytes = Vec::with_capacity(text.len());
        for c in text.chars() {
            if is_byte(c) {
                bytes.push((u32::from(c) - BYTES) as u8);
            } else {
                bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        return std::ffi::OsString::from_vec(bytes).into();
    }
    text.into()
}

/// Opens a regular file to read it. Returns its size too.
///
/// # Errors
/// If it cannot be read, in one line without the file name.
pub fn open(path: &Path) -> Result<(File, u64), String> {
    // Checked before opening, because opening a pipe would block until it has a writer.
    let about = metadata(path).map_err(unreadable)?;
    if !about.is_file() {
        return Err(NOT_REGULAR.into());
    }
    Ok((File::open(path).map_err(unreadable)?, about.len()))
}

/// Opens the regular file at `path` to read and to continue it, or makes an empty one. No other process can open it in
/// this way until it is closed.
///
/// # Errors
/// If that is impossible, in one line without the file name.
pub fn open_to_continue(path: &Path) -> Result<File, String> {
    match metadata(path) {
        Ok(about) if !about.is_file() => return Err(NOT_REGULAR.into()),
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.to_string()),
        _ => {}
    }
    let mut mode = File::options();
    mode.read(true).write(true).create(true).truncate(false);
    let file = mode.open(path).map_err(|error| error.to_string())?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err("another process is using this file".into()),
        // Some file systems have no locks; go on without one.
        _ => Ok(file),
    }
}

/// Reads a file or a stream to its end, but not more than `most` bytes.
///
/// # Errors
/// Those of the system, and if there are more bytes.
pub fn read_all(source: impl Read, most: u64) -> IoResult<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(Error::other(format!("it has more than {most} bytes")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::{NOT_REGULAR, open, open_to_continue, read_all};
    use std::io::{Read, Write, repeat};
    use std::path::Path;

    #[cfg(unix)]
    #[test]
    fn names_of_any_bytes_are_text_and_names_again() {
        use super::{path_of, text_of};
        use std::os::unix::ffi::OsStrExt;
        let all = Vec::from_iter(0..=255u8);
        for bytes in [&all[..], b"caf\xe9.epd", "café \u{10ffff}\u{10ff80}\u{10ff7f}♚".as_bytes(), b"\xf4\x8f\xbf", b""]
        {
            assert_eq!(path_of(&text_of(bytes)).as_os_str().as_bytes(), bytes);
        }
        assert_eq!(text_of("café ♚".as_bytes()), "café ♚");
    }

    #[test]
    fn reading_ends_after_the_most_bytes() {
        assert_eq!(read_all(&b"four"[..], 4).unwrap(), b"four");
        for (source, most) in [(Box::new(&b"four"[..]) as Box<dyn Read>, 3), (Box::new(repeat(0)), 1 << 20)] {
            let error = read_all(source, most).unwrap_err();
            assert_eq!(error.to_string(), format!("it has more than {most} bytes"));
        }
    }

    #[test]
    fn a_file_has_one_user_at_a_time() {
        let path = std::env::temp_dir().join(format!("tabiya-{}-used", std::process::id()));
        let mut file = open_to_continue(&path).unwrap();
        assert_eq!(open_to_continue(&path).unwrap_err(), "another process is using this file");
        file.write_all(b"kept").unwrap();
        drop(file);
        let mut text = String::new();
        open_to_continue(&path).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!((text.as_str(), open(&path).unwrap().1), ("kept", 4));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn what_is_no_regular_file_is_not_opened() {
        let devices = ["/dev/zero", "/dev/full", "/dev/null"].map(Path::new);
        let folder = std::env::temp_dir();
        for path in devices.into_iter().filter(|path| path.exists()).chain([folder.as_path()]) {
            assert_eq!(open(path).unwrap_err(), NOT_REGULAR, "{path:?}");
            assert_eq!(open_to_continue(path).unwrap_err(), NOT_REGULAR, "{path:?}");
        }
    }
}
