//! The studio as a page: where files come from and go to in a browser.

use crate::app::{DroppedFiles, StudioApp, StudioStart};
use crate::gamepad::PadSticks;
use crate::home::StudioHome;
use crate::project::ProjectFiles;
use crate::room::StudioRoom;
use eframe::egui;
use std::path::Path;
use std::sync::{Arc, PoisonError};
use wasm_bindgen::{JsCast, JsValue};

/// Opens the studio on the canvas of the page. The part of the address behind `#` names a room.
pub fn start() {
    wasm_bindgen_futures::spawn_local(async {
        if let Err(error) = open().await {
            log::error!("the studio cannot be opened: {error:?}");
            web_sys::console::error_1(&error);
        }
    });
}

async fn open() -> Result<(), JsValue> {
    let window = web_sys::window().ok_or("there is no window")?;
    let document = window.document().ok_or("there is no page")?;
    let canvas = document.get_element_by_id("studio").ok_or("the page has no canvas")?;
    let canvas: web_sys::HtmlCanvasElement = canvas.dyn_into()?;
    let asked = window.location().hash().unwrap_or_default();
    let room = StudioRoom::of_name(asked.trim_start_matches('#'));
    let start = StudioStart { room, home: StudioHome::of_user(), ..StudioStart::default() };
    let options = eframe::WebOptions { depth_buffer: 24, ..eframe::WebOptions::default() };
    let runner = eframe::WebRunner::new();
    let made = runner.start(
        canvas,
        options,
        Box::new(|creation| Ok(Box::new(StudioApp::new(&creation.egui_ctx, start)))),
    );
    made.await?;
    if let Some(waiting) = document.get_element_by_id("waiting") {
        waiting.remove();
    }
    Ok(())
}

/// The address names the room that is open, so that it can be kept and gone back to.
pub fn name_room(room: StudioRoom) {
    let name = room.name().to_lowercase();
    if let Some(Err(error)) = web_sys::window().map(|window| window.location().set_hash(&name)) {
        log::warn!("the address stays: {error:?}");
    }
}

/// Reads a file that was dropped, which takes its time.
pub fn read_dropped(
    context: &egui::Context,
    file: Arc<dyn egui::DroppedFile + Send + Sync>,
    files: DroppedFiles,
) {
    let context = context.clone();
    wasm_bindgen_futures::spawn_local(async move {
        let name = file.path().to_string_lossy().into_owned();
        let bytes = file.bytes_async().await;
        files.lock().unwrap_or_else(PoisonError::into_inner).push((name, bytes));
        context.request_repaint();
    });
}

/// Lets somebody choose files, which are taken as those that are dropped.
pub fn choose(context: &egui::Context, files: DroppedFiles) -> Result<(), JsValue> {
    let document = web_sys::window().and_then(|window| window.document());
    let document = document.ok_or("there is no page")?;
    let input: web_sys::HtmlInputElement = document.create_element("input")?.dyn_into()?;
    input.set_type("file");
    input.set_multiple(true);
    let (chosen, context) = (input.clone(), context.clone());
    let take = move || {
        let Some(list) = chosen.files() else { return };
        for file in (0..list.length()).filter_map(|index| list.get(index)) {
            let (files, context) = (Arc::clone(&files), context.clone());
            wasm_bindgen_futures::spawn_local(async move {
                let read = wasm_bindgen_futures::JsFuture::from(file.array_buffer()).await;
                let bytes = read.map(|bytes| js_sys::Uint8Array::new(&bytes).to_vec());
                let bytes = bytes.map_err(|error| format!("{error:?}"));
                let mut files = files.lock().unwrap_or_else(PoisonError::into_inner);
                files.push((file.name(), bytes));
                context.request_repaint();
            });
        }
    };
    let take = wasm_bindgen::closure::Closure::once_into_js(take);
    input.set_onchange(Some(take.unchecked_ref()));
    input.click();
    Ok(())
}

/// The sticks of the first gamepad that the browser knows.
pub fn sticks() -> Option<PadSticks> {
    let pads = web_sys::window()?.navigator().get_gamepads().ok()?;
    let pad = pads.iter().find_map(|pad| pad.dyn_into::<web_sys::Gamepad>().ok())?;
    let axis = |index: u32| pad.axes().get(index).as_f64().unwrap_or(0.0) as f32;
    let pressed = |index: u32| {
        pad.buttons()
            .get(index)
            .dyn_into::<web_sys::GamepadButton>()
            .is_ok_and(|button| button.pressed())
    };
    Some(PadSticks { ahead: -axis(1), left: -axis(0), run: (0..4).any(pressed) })
}

/// Offers the files of a project to be saved.
pub fn download(folder: &Path, files: &ProjectFiles) -> Result<(), String> {
    let stem = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    files.iter().try_for_each(|(name, text)| offer(&format!("{stem}-{name}"), text.as_bytes()))
}

/// Offers a file to be saved.
pub fn offer(name: &str, bytes: &[u8]) -> Result<(), String> {
    let offered = || -> Result<(), JsValue> {
        let document = web_sys::window().and_then(|window| window.document());
        let document = document.ok_or("there is no page")?;
        let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
        let blob = web_sys::Blob::new_with_u8_array_sequence(&parts)?;
        let address = web_sys::Url::create_object_url_with_blob(&blob)?;
        let link: web_sys::HtmlAnchorElement = document.create_element("a")?.dyn_into()?;
        link.set_href(&address);
        link.set_download(name);
        link.click();
        web_sys::Url::revoke_object_url(&address)
    };
    offered().map_err(|error| format!("{name}: {error:?}"))
}
