//! Where a command records its take, and the files that are made from it alone.

use crate::context::CliContext;
use crate::failure::Failure;
use andante_draw::{Page, PageSettings, take_report};
use andante_formats::{
    Asset, Format, ResultFolder, gltf, refuse_foreign, refused, unguarded, unwritten, write_file,
};
use andante_play::archive::ArchiveError;
use andante_play::measure::MotionMetrics;
use andante_skeleton::{SkinnedMesh, parallel};
use andante_take::{
    ExportError, ExportSettings, TakeFile, TakeFileError, TakeHead, TakeRecorder, TakeSource,
    TrackMetrics, bvh, measure, write_csv, write_glb,
};
use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;

/// The output of a command: a folder of results, which appears when all of them are complete, a take, a motion file, or
/// nothing but pictures.
pub struct TakeOutput {
    aside: Aside,
    target: Option<PathBuf>,
    stem: &'static str,
    files: Vec<String>,
    /// Says when nothing of it is wanted any more.
    stop: Arc<AtomicBool>,
}

/// How files end that are no motions and no folders.
const PICTURES: [&str; 7] = ["svg", "png", "gif", "html", "csv", "json", "toml"];

enum Aside {
    Results(ResultFolder),
    Temporary(TempDir),
}

impl TakeOutput {
    /// Begins it where it is asked for; names of files in a folder begin with the stem.
    pub fn new(target: Option<&Path>, stem: &'static str) -> Result<Self, Failure> {
        if let Some(path) = target
            && !is_take(path)
            && Format::written(path).is_none()
        {
            return Self::of_folder(path, stem);
        }
        let folder = tempfile::tempdir();
        let failed = |error| Failure::write(&std::env::temp_dir(), &error);
        let aside = Aside::Temporary(folder.map_err(failed)?);
        let (target, stop) = (target.map(Path::to_path_buf), Arc::default());
        Ok(Self { aside, target, stem, files: Vec::new(), stop })
    }

    /// Begins a folder of results.
    pub fn of_folder(path: &Path, stem: &'static str) -> Result<Self, Failure> {
        check_folder(path)?;
        for name in ["take", "glb", "bvh"].map(|end| format!("{stem}.{end}")) {
            let (path, page) = (path.join(name), path.join("report.html"));
            let fail = |error| Failure::write(&path, &error);
            refuse_foreign(&path).and_then(|()| refuse_foreign(&page)).map_err(fail)?;
        }
        let folder = ResultFolder::new(path);
        let mut folder = folder.map_err(|error| Failure::write(path, &error))?;
        // What was exported of the take that is there belongs to it, whoever was in it.
        let earlier = path.join(format!("{stem}.take"));
        if let Ok(earlier) = unguarded(|| TakeFile::open(&earlier)) {
            folder.outdate(motion_files(stem, &earlier));
        }
        let (target, stop) = (Some(path.to_path_buf()), Arc::default());
        Ok(Self { aside: Aside::Results(folder), target, stem, files: Vec::new(), stop })
    }

    /// Takes a file away that earlier results may have left in the folder and these have not.
    pub fn outdate(&mut self, name: &str) {
        if let Aside::Results(folder) = &mut self.aside {
            folder.outdate([name.to_owned()]);
        }
    }

    /// Ends in the middle of a file when somebody has had enough.
    pub fn stopped_by(mut self, context: &CliContext) -> Self {
        self.stop = context.stop_flag();
        self
    }

    /// The path of the take while it is recorded.
    pub fn take_path(&self) -> PathBuf {
        match &self.target {
            Some(path) if is_take(path) && matches!(self.aside, Aside::Temporary(_)) => {
                path.clone()
            }
            _ => self.folder().join(format!("{}.take", self.stem)),
        }
    }

    /// Begins a take of its own.
    pub fn recorder(&self, head: TakeHead) -> Result<TakeRecorder, Failure> {
        TakeRecorder::to_file(head, &self.take_path()).map_err(|error| self.fail(error))
    }

    fn folder(&self) -> &Path {
        match &self.aside {
            Aside::Results(folder) => folder.path(),
            Aside::Temporary(folder) => folder.path(),
        }
    }

    fn fail(&self, error: impl Into<ExportError>) -> Failure {
        let target = self.target.clone().unwrap_or_default();
        Failure::export(&target, &error.into())
    }

    /// Adds a file to the folder, as it is written.
    pub fn add(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut BufWriter<WantedFile>) -> Result<(), ExportError>,
    ) -> Result<(), Failure> {
        self.write(name, write)?;
        self.files.push(name.into());
        Ok(())
    }

    fn write(
        &self,
        name: &str,
        write: impl FnOnce(&mut BufWriter<WantedFile>) -> Result<(), ExportError>,
    ) -> Result<(), Failure> {
        let whole = || {
            let file = File::create(self.folder().join(name))?;
            let mut out = BufWriter::new(WantedFile { file, stop: &self.stop });
            write(&mut out)?;
            Ok(out.flush()?)
        };
        whole().map_err(|error: ExportError| match self.stop.load(Ordering::Relaxed) {
            true => Failure::stopped(),
            false => self.fail(error),
        })
    }

    /// Adds a file of some text.
    pub fn add_text(&mut self, name: &str, text: &str) -> Result<(), Failure> {
        self.add(name, |out| Ok(out.write_all(text.as_bytes())?))
    }

    /// Adds the files other programs read, one track after the other.
    pub fn export(&mut self, take: &(dyn TakeSource + Sync)) -> Result<(), Failure> {
        let stem = self.stem;
        let (scene, motions) = (format!("{stem}.glb"), motion_files(stem, take));
        let glb = || self.write(&scene, |out| write_glb(take, &ExportSettings::default(), out));
        let others = || {
            for (index, name) in motions.iter().enumerate() {
                self.write(name, |out| Ok(out.write_all(bvh(&*take.track(index)?).as_bytes())?))?;
            }
            self.write("curves.csv", |out| write_csv(take, out))
        };
        let (glb, others) = at_once(take, glb, others);
        glb.and(others)?;
        self.files.extend([format!("{stem}.take"), scene]);
        self.files.extend(motions);
        self.files.push("curves.csv".into());
        Ok(())
    }

    /// Adds the report, with `more` at its end.
    pub fn report(
        &mut self,
        take: &dyn TakeSource,
        metrics: &[TrackMetrics],
        more: impl FnOnce(&mut Page),
    ) -> Result<(), Failure> {
        let page = take_report(take, metrics, &PageSettings::default());
        let mut page = page.map_err(|error| self.fail(error))?;
        more(&mut page);
        self.add("report.html", |out| Ok(page.write(out)?))?;
        // It is named first.
        self.files.rotate_right(1);
        Ok(())
    }

    /// Everything that is made of every take, where it is asked for; says what was written.
    pub fn publish(
        mut self,
        take: &TakeFile,
        more: impl FnOnce(&mut Page),
    ) -> Result<Vec<PathBuf>, Failure> {
        if let Aside::Temporary(_) = self.aside {
            return match &self.target {
                Some(path) if !is_take(path) => motion_file(take, path),
                _ => Ok(self.target.into_iter().collect()),
            };
        }
        let track = take.part(0, 0..1).map_err(|error| self.fail(error))?;
        let metrics = match track.character.rig.feet.is_empty() {
            true => Vec::new(),
            false => measure(take).map_err(|error| self.fail(error))?,
        };
        self.export(take)?;
        self.report(take, &metrics, more)?;
        self.commit()
    }

    /// Takes away what [`TakeOutput::publish`] has once made in a folder, and the folder if nothing else is in it. The
    /// take says what that was, so it goes last. Says why everything stays where there is a take that cannot be read; files
    /// of others stay in silence.
    pub fn withdraw(folder: &Path, stem: &str) -> Result<Option<String>, Failure> {
        let take = format!("{stem}.take");
        let path = folder.join(&take);
        let earlier = match TakeFile::open(&path) {
            Ok(earlier) => earlier,
            Err(TakeFileError::Disk(_) | TakeFileError::File(ArchiveError::Foreign(_))) => {
                return Ok(None);
            }
            Err(error) => {
                let path = path.display();
                return Ok(Some(format!("{path} is of an earlier result, and stays: {error}")));
            }
        };
        let mut names = motion_files(stem, &earlier);
        drop(earlier);
        names.extend([format!("{stem}.glb"), "curves.csv".into(), "report.html".into(), take]);
        for path in names.iter().map(|name| folder.join(name)) {
            if refuse_foreign(&path).is_err() {
                continue;
            }
            match std::fs::remove_file(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(Failure::write(folder, &error));
                }
                _ => {}
            }
        }
        match std::fs::remove_dir(folder) {
            Err(error)
                if !matches!(
                    error.kind(),
                    ErrorKind::DirectoryNotEmpty | ErrorKind::NotADirectory
                ) =>
            {
                Err(Failure::write(folder, &error))
            }
            _ => Ok(None),
        }
    }

    /// Lets the folder appear; says what is in it.
    pub fn commit(self) -> Result<Vec<PathBuf>, Failure> {
        let target = self.target.unwrap_or_default();
        if let Aside::Results(folder) = self.aside {
            folder.commit().map_err(|error| Failure::write(&target, &error))?;
        }
        Ok(self.files.iter().map(|name| target.join(name)).collect())
    }
}

/// Refuses a folder that is to be called as a file is and is not there: that file was wanted.
pub fn check_folder(path: &Path) -> Result<(), Failure> {
    let known = Format::of(path).is_some() && Format::written(path).is_none();
    if !path.is_dir() && (known || refused(path).is_some()) {
        return Err(Failure::of_file(path, unwritten(path)));
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_file = is_take(path)
        || Format::of(path).is_some()
        || extension.is_some_and(|own| PICTURES.contains(&own));
    if !is_file || path.is_dir() {
        return Ok(());
    }
    let problem = format!("{}: several files are written, into a folder", path.display());
    let hint = format!("name one, for example -o {}", path.with_extension("").display());
    Err(Failure::new(problem).hint(hint))
}

/// A file that cannot be written any more once nobody wants it.
pub struct WantedFile<'a> {
    file: File,
    stop: &'a AtomicBool,
}

impl Write for WantedFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(std::io::Error::other("stopped"));
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

/// Does two things with a take: at once, or one after the other with a long one, so that memory holds no more of it.
pub fn at_once<A: Send, B: Send>(
    take: &dyn TakeSource,
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    if take.frames() * take.names().len() < 20_000 { parallel::join(a, b) } else { (a(), b()) }
}

/// What the motion files of a take's tracks are called.
fn motion_files(stem: &str, take: &dyn TakeSource) -> Vec<String> {
    match &take.file_names()[..] {
        [_] => vec![format!("{stem}.bvh")],
        names => names.iter().map(|name| format!("{stem}-{name}.bvh")).collect(),
    }
}

fn is_take(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "take")
}

/// The first track as a motion file; in glTF with the ground around its way.
fn motion_file(take: &TakeFile, path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let track = take.track(0).map_err(|error| Failure::export(path, &error.into()))?.into_owned();
    let mesh: Option<SkinnedMesh> = track.mesh.as_deref().cloned();
    let settings = ExportSettings::default();
    let ground = andante_world::SceneGround::new(&take.head().ground);
    let ground = ground.mesh(settings.ground_cell_m).ok();
    let options = gltf::GltfWriteOptions {
        extra: ground.iter().map(|mesh| mesh.to_static("ground", settings.ground_color)).collect(),
        ..Default::default()
    };
    let clip = track.clip.renamed(&take.head().name);
    let asset = Asset { mesh, ..Asset::new(track.character.skeleton, vec![clip]) };
    Ok(write_file(path, &asset, &options)?)
}

/// The metrics of the motion of the first track; none if nothing is known of its feet.
pub fn motion_metrics(take: &TakeFile) -> Result<Option<MotionMetrics>, Failure> {
    let fail =
        |error: andante_take::TakeFileError| Failure::export(Path::new("take"), &error.into());
    if take.part(0, 0..1).map_err(fail)?.character.rig.feet.is_empty() {
        return Ok(None);
    }
    Ok(measure(take).map_err(fail)?.first().map(|track| track.motion))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_that_cannot_be_read_stays_and_is_told_of_and_files_of_others_stay_in_silence() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("held.take");
        let film: &[u8] = include_bytes!("../../andante-take/tests/data/version_4.take");
        assert_eq!(TakeOutput::withdraw(folder.path(), "held").unwrap(), None);
        for (bytes, is_film) in [
            (&film[..film.len() - 9], true),
            (&b"ANDTAKE\n\x01\0 of the first version"[..], true),
            (&b"minutes of a meeting"[..], false),
        ] {
            std::fs::write(&path, bytes).unwrap();
            let told = TakeOutput::withdraw(folder.path(), "held").unwrap();
            assert!(path.exists());
            assert_eq!(told.is_some_and(|told| told.contains("held.take")), is_film);
        }
        std::fs::write(&path, film).unwrap();
        assert_eq!(TakeOutput::withdraw(folder.path(), "held").unwrap(), None);
        assert!(!path.exists());
    }
}
