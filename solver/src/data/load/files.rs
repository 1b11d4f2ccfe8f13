//! Files, wherever they lie: in folders, in zip files, compressed.

use std::{
    borrow::Cow,
    fmt,
    fs::{self, File},
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
};

use flate2::bufread::MultiGzDecoder;
use walkdir::WalkDir;
use zip::ZipArchive;

use super::{Faults, LoadError};

/// A file on disk or in a zip file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DataFile {
    path: PathBuf,
    /// Its name in the zip file at `path`.
    entry: Option<String>,
}

/// As an error names it.
impl fmt::Display for DataFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.entry {
            None => write!(f, "{}", self.path.display()),
            Some(entry) => write!(f, "{}, {entry}", self.path.display()),
        }
    }
}

impl From<&Path> for DataFile {
    fn from(path: &Path) -> DataFile {
        DataFile { path: path.to_owned(), entry: None }
    }
}

impl DataFile {
    /// Its absolute path, the zip file taken for a folder.
    pub(super) fn full_path(&self) -> PathBuf {
        let path = std::path::absolute(&self.path).unwrap_or_else(|_| self.path.clone());
        self.entry.iter().fold(path, |path, entry| path.join(entry))
    }

    /// Its name up to the first dot.
    pub(super) fn stem(&self) -> String {
        let path = self.full_path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.split('.').next().unwrap_or_default().to_owned()
    }

    /// The file beside it whose name differs in one part, if it has that part.
    pub(super) fn beside(&self, part: &str, other: &str) -> Option<DataFile> {
        let renamed = |name: &Path| Some(name.with_file_name(name.file_name()?.to_str()?.replace(part, other)));
        let mut file = self.clone();
        match &mut file.entry {
            Some(entry) => renamed(Path::new(entry))?.to_str()?.clone_into(entry),
            None => file.path = renamed(&file.path)?,
        }
        (file != *self).then_some(file)
    }

    pub(super) fn exists(&self) -> bool {
        match &self.entry {
            None => self.path.exists(),
            Some(entry) => archive(&self.path).is_ok_and(|archive| archive.index_for_name(entry).is_some()),
        }
    }

    /// All of it.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, LoadError> {
        self.open(|reader| {
            let mut bytes = Vec::new();
            reader.read_to_end(&mut bytes).map(|_| bytes).map_err(|error| self.error(error))
        })
    }

    /// Lends a reader of its text.
    pub(super) fn open<T>(&self, read: impl FnOnce(&mut dyn BufRead) -> Result<T, LoadError>) -> Result<T, LoadError> {
        match &self.entry {
            None => {
                let file = File::open(&self.path).map_err(|error| self.error(error))?;
                read(&mut *self.unpacked(BufReader::new(file)))
            }
            Some(entry) => {
                let mut archive = archive(&self.path).map_err(|error| self.error(error))?;
                let file = archive.by_name(entry).map_err(|error| self.error(error.into()))?;
                read(&mut *self.unpacked(BufReader::new(file)))
            }
        }
    }

    fn unpacked<'a>(&self, reader: impl BufRead + 'a) -> Box<dyn BufRead + 'a> {
        if self.full_path().extension().is_some_and(|extension| extension == "gz") {
            Box::new(BufReader::new(MultiGzDecoder::new(reader)))
        } else {
            Box::new(reader)
        }
    }

    pub(super) fn error(&self, error: io::Error) -> LoadError {
        LoadError::Io { place: self.to_string(), error }
    }
}

fn archive(path: &Path) -> io::Result<ZipArchive<BufReader<File>>> {
    Ok(ZipArchive::new(BufReader::new(File::open(path)?))?)
}

/// All files of a folder and of the folders and zip files in it, or of a zip file, or the file itself.
pub(super) fn under(root: &Path, faults: &mut Faults) -> Result<Vec<DataFile>, LoadError> {
    fs::metadata(root).map_err(|error| DataFile::from(root).error(error))?;
    let mut files = Vec::new();
    for entry in WalkDir::new(root).follow_links(true) {
        let entry = entry.map_err(|error| {
            let place = error.path().unwrap_or(root).display().to_string();
            LoadError::Io { place, error: error.into() }
        });
        match faults.pass(entry)? {
            Some(entry) if entry.file_type().is_file() => {
                let opened = opened(entry.path());
                files.extend(faults.pass(opened)?.unwrap_or_default());
            }
            _ => {}
        }
    }
    Ok(files)
}

/// The files of a zip file; any other file as it is.
fn opened(path: &Path) -> Result<Vec<DataFile>, LoadError> {
    let file = DataFile::from(path);
    if path.extension().is_none_or(|extension| extension != "zip") {
        return Ok(vec![file]);
    }
    let archive = archive(path).map_err(|error| file.error(error))?;
    let names = archive.file_names().map(|name| name.map(Cow::into_owned));
    let names: Vec<String> = names.collect::<Result<_, _>>().map_err(|error| file.error(error.into()))?;
    let names = names.into_iter().filter(|name| !name.ends_with('/'));
    Ok(names.map(|entry| DataFile { path: path.to_owned(), entry: Some(entry) }).collect())
}

/// The `.json` files of a folder in the order of their names, or the file itself.
pub(super) fn json_in(path: &Path) -> Result<Vec<DataFile>, LoadError> {
    if !path.is_dir() {
        return Ok(vec![path.into()]);
    }
    let error = |error| DataFile::from(path).error(error);
    let entries = fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(error)?;
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|it| it == "json"));
    files.sort();
    if files.is_empty() {
        return Err(LoadError::Empty(path.to_owned()));
    }
    Ok(files.iter().map(|file| file.as_path().into()).collect())
}
