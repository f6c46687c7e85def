//! Files that organisers send, together with the fields of their form.

use super::app::AssessApp;
use super::error::AssessError;
use super::form::{FIELD, HEADER, compare, kind, read_whole};
use super::person::{Organiser, Person};
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::{HeaderMap, header};
use memchr::memmem;

/// A form has no more parts than this.
const MOST: usize = 50;
/// What stands before a part is no longer than this.
const LONGEST_HEAD: usize = 8 * 1024;

/// The media type of forms with files.
pub(super) const MULTIPART: &str = "multipart/form-data";

/// A form with files (`enctype="multipart/form-data"`) that an organiser has sent from a page of ours.
///
/// For anybody else the page is not there, and nothing of what they send is read.
#[derive(Clone, Debug)]
pub(crate) struct Upload {
    /// Who.
    pub(crate) person: Person,
    /// The fields that are no files.
    pub(crate) fields: Vec<(String, String)>,
    /// The files that were chosen.
    pub(crate) files: Vec<UploadedFile>,
}

/// A file that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UploadedFile {
    /// The field of the form.
    pub(crate) field: String,
    /// What the file is called where it comes from, without folders. It is told to people, not opened.
    pub(crate) name: String,
    /// What it says.
    pub(crate) bytes: Bytes,
}

impl Upload {
    /// What a field says.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The file of a field.
    pub(crate) fn file(&self, field: &str) -> Option<&UploadedFile> {
        self.files.iter().find(|file| file.field == field)
    }
}

impl FromRequest<AssessApp> for Upload {
    type Rejection = AssessError;

    async fn from_request(request: Request, app: &AssessApp) -> Result<Self, AssessError> {
        let (mut parts, body) = request.into_parts();
        let Organiser(person) = Organiser::from_request_parts(&mut parts, app).await?;
        if kind(&parts.headers) != MULTIPART {
            return Err(AssessError::MediaType("what was sent is not a form with files".to_owned()));
        }
        let broken = || AssessError::BadRequest("the form with files could not be read".to_owned());
        let boundary = boundary(&parts.headers).ok_or_else(broken)?;
        let bytes = read_whole(body, app.config().limits.upload).await?;
        let (fields, files) = read_parts(&bytes, &boundary).ok_or_else(broken)?;
        let upload = Self { person, fields, files };
        let given = parts.headers.get(HEADER).and_then(|token| token.to_str().ok());
        compare(given.or_else(|| upload.field(FIELD)), &upload.person.csrf)?;
        Ok(upload)
    }
}

/// What stands between the parts.
fn boundary(headers: &HeaderMap) -> Option<String> {
    let kind = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    let found = kind.split(';').skip(1).find_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        name.trim().eq_ignore_ascii_case("boundary").then(|| value.trim().trim_matches('"').to_owned())
    })?;
    (1..=70).contains(&found.len()).then_some(found)
}

type Parts = (Vec<(String, String)>, Vec<UploadedFile>);

/// Cuts a form into its parts; nothing if it is not whole.
fn read_parts(bytes: &Bytes, boundary: &str) -> Option<Parts> {
    let delimiter = format!("\r\n--{boundary}");
    let (mut fields, mut files) = (Vec::new(), Vec::new());
    // The first one has no line before it.
    let mut at = bytes.starts_with(&delimiter.as_bytes()[2..]).then_some(delimiter.len() - 2)?;
    for _ in 0..MOST {
        let rest = &bytes[at..];
        if rest.starts_with(b"--") {
            return Some((fields, files));
        }
        let rest = rest.strip_prefix(b"\r\n")?;
        let head_end = memmem::find(&rest[..rest.len().min(LONGEST_HEAD)], b"\r\n\r\n")?;
        let head = std::str::from_utf8(&rest[..head_end]).ok()?;
        let start = at + 2 + head_end + 4;
        let end = start + memmem::find(&bytes[start..], delimiter.as_bytes())?;
        let content = bytes.slice(start..end);
        let (field, file) = names(head)?;
        match file {
            // A field for which no file was chosen.
            Some(name) if name.is_empty() && content.is_empty() => {}
            Some(name) => files.push(UploadedFile { field, name, bytes: content }),
            None => fields.push((field, String::from_utf8(content.to_vec()).ok()?)),
        }
        at = end + delimiter.len();
    }
    None
}

/// The field of a part and, if it is a file, its name.
fn names(head: &str) -> Option<(String, Option<String>)> {
    let line = head.split("\r\n").find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("content-disposition").then_some(value)
    })?;
    let quoted = |name: &str| {
        let from = line.find(&format!("; {name}=\""))? + name.len() + 4;
        // Browsers write quotes inside as %22.
        Some(line[from..].split('"').next()?.replace("%22", "\""))
    };
    let plain = |name: String| {
        let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
        last.chars().filter(|c| !c.is_control()).take(200).collect()
    };
    Some((quoted("name")?, quoted("filename").map(plain)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Parts> {
        read_parts(&Bytes::copy_from_slice(text.replace('\n', "\r\n").as_bytes()), "x-Y")
    }

    #[test]
    fn fields_and_files_are_told_apart() {
        let (fields, files) = read(
            "--x-Y\nContent-Disposition: form-data; name=\"csrf\"\n\nabc\n\
             --x-Y\ncontent-disposition: form-data; name=\"table\"; filename=\"C:\\dir/../a%22b.csv\"\n\
             Content-Type: text/csv\n\na,b\n--x-\n1,2\n\n\
             --x-Y\nContent-Disposition: form-data; name=\"none\"; filename=\"\"\n\n\n--x-Y--\n",
        )
        .unwrap();
        assert_eq!(fields, [("csrf".to_owned(), "abc".to_owned())]);
        assert_eq!(files.len(), 1);
        assert_eq!((files[0].field.as_str(), files[0].name.as_str()), ("table", "a\"b.csv"));
        assert_eq!(files[0].bytes, "a,b\r\n--x-\r\n1,2\r\n");
    }

    #[test]
    fn what_is_not_whole_is_nothing() {
        let whole = "--x-Y\nContent-Disposition: form-data; name=\"a\"\n\nb\n--x-Y--\n";
        assert!(read(whole).is_some());
        for end in 0..whole.len() - 3 {
            assert!(read(&whole[..end]).is_none(), "{:?}", &whole[..end]);
        }
        assert!(read("--x-Y\nContent-Type: text/csv\n\nb\n--x-Y--\n").is_none());
        let many = "--x-Y\nContent-Disposition: form-data; name=\"a\"\n\nb\n".repeat(MOST + 1);
        assert!(read(&format!("{many}--x-Y--\n")).is_none());
    }

    #[test]
    fn boundaries_come_with_and_without_quotes() {
        let of = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::CONTENT_TYPE, text.parse().unwrap());
            boundary(&headers)
        };
        assert_eq!(of("multipart/form-data; boundary=abc").as_deref(), Some("abc"));
        assert_eq!(of("multipart/form-data; charset=x; Boundary=\"a b\"").as_deref(), Some("a b"));
        assert_eq!(of("multipart/form-data"), None);
        assert_eq!(of("multipart/form-data; boundary="), None);
    }
}
