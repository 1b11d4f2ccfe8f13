//! Pictures hold what the recording shows.

use std::fs::File;

use super::*;
use crate::replay::export::{ExportError, Manner, Target, export};

const MANNER: Manner = Manner { steps: 0..usize::MAX, scale: 2, speed: 5 };

/// Rows of the caption, in pixels, at a scale of 2.
const CAPTION: usize = 7;

fn make(target: &Target, manner: &Manner) -> Result<usize, ExportError> {
    let (_folder, path) = recorded(12);
    let mut steps = 0;
    export(&mut read(&path), target, manner, &mut || steps += 1).map(|()| steps)
}

/// Width, height and palette indices of a PNG.
fn read_png(path: &Path) -> (usize, usize, Vec<u8>) {
    let decoder = png::Decoder::new(std::io::BufReader::new(File::open(path).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let about = reader.next_frame(&mut pixels).unwrap();
    (about.width as usize, about.height as usize, pixels)
}

#[test]
fn a_png_shows_every_cell_of_a_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("step.png");
    make(&Target::Png(path.clone(), 3), &MANNER).unwrap();
    let (width, height, pixels) = read_png(&path);
    assert_eq!((width, height), (128, 128 + CAPTION));
    let grid = &observation(3, 99).layers[0];
    for point in grid.points() {
        let at = (usize::from(point.y()) * 2 * width) + usize::from(point.x()) * 2;
        assert_eq!(usize::from(pixels[at]), grid[point].index(), "{point}");
    }
}

#[test]
fn a_sheet_has_a_tile_for_the_start_of_each_level() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sheet.png");
    // Levels begin at steps 0, 5 and 10.
    assert_eq!(make(&Target::Sheet(path.clone()), &MANNER).unwrap(), 3);
    let (width, height, pixels) = read_png(&path);
    assert_eq!((width, height), (2 * 130 + 2, 2 * (128 + CAPTION + 2) + 2));
    let row = 40;
    assert_eq!((pixels[row * width + 40], pixels[row * width + 170]), (0, 5));
}

#[test]
fn a_folder_has_a_picture_a_step() {
    let folder = tempfile::tempdir().unwrap();
    let manner = Manner { steps: 5..8, ..MANNER };
    assert_eq!(make(&Target::Folder(folder.path().join("out")), &manner).unwrap(), 3);
    let mut names: Vec<_> =
        fs::read_dir(folder.path().join("out")).unwrap().map(|file| file.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["000005.png", "000006.png", "000007.png"]);
    let lost = read_png(&folder.path().join("out/000006.png"));
    assert_eq!(lost.2[40 * lost.0 + 40], 5, "a lost answer shows what was there before");
}

#[test]
fn a_gif_plays_every_layer_of_every_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("play.gif");
    make(&Target::Gif(path.clone()), &MANNER).unwrap();
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(File::open(&path).unwrap()).unwrap();
    assert_eq!((decoder.width(), decoder.height()), (128, 128 + CAPTION as u16));
    let mut screen = vec![0u8; 128 * (128 + CAPTION)];
    let mut shown = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let (width, left, top) = (usize::from(frame.width), usize::from(frame.left), usize::from(frame.top));
        for (y, row) in frame.buffer.chunks(width).enumerate() {
            screen[(top + y) * 128 + left..][..width].copy_from_slice(row);
        }
        shown.push((screen[40 * 128 + 40], frame.delay));
    }
    // Step 6 is lost and adds nothing.
    let expected: Vec<(u8, u16)> = [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11].map(|color| (color, 20)).into();
    assert_eq!(shown, expected);
}

#[test]
fn a_range_that_shows_nothing_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let manner = Manner { steps: 50..60, ..MANNER };
    let error = make(&Target::Gif(folder.path().join("x.gif")), &manner).unwrap_err();
    assert!(error.to_string().contains("show nothing, it has 12 steps"), "{error}");
    let error = make(&Target::Png(folder.path().join("x.png"), 12), &MANNER).unwrap_err();
    assert_eq!(error.to_string(), "there is no step 12, expected 0 to 11");
    let nowhere = folder.path().join("no/such/x.png");
    let error = make(&Target::Png(nowhere.clone(), 1), &MANNER).unwrap_err();
    assert!(error.to_string().contains(&nowhere.display().to_string()), "{error}");
}
