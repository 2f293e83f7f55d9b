//! Reads numbers from the header of a file.
//!
//! A truncated header is an error, never a panic.

/// Reads the header from the start, never past its end.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Cursor { bytes, at: 0 }
    }

    pub fn bytes(&mut self, len: usize) -> Result<&'a [u8], &'static str> {
        let end = self.at.checked_add(len).ok_or("it ends too early")?;
        let bytes = self.bytes.get(self.at..end).ok_or("it ends too early")?;
        self.at = end;
        Ok(bytes)
    }

    pub fn u8(&mut self) -> Result<u8, &'static str> {
        Ok(self.bytes(1)?[0])
    }

    pub fn u16(&mut self) -> Result<u16, &'static str> {
        let b = self.bytes(2)?;
        Ok(u16::from_le_bytes([b[0], b[1]]))
    }

    pub fn u32(&mut self) -> Result<u32, &'static str> {
        let b = self.bytes(4)?;
        Ok(u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    }

    pub fn even(&mut self) {
        self.at += self.at % 2;
    }

    /// The offset of the next read.
    pub fn place(&self) -> u64 {
        self.at as u64
    }
}
