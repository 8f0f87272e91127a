//! The studio's window, or its page.

#[cfg(target_arch = "wasm32")]
fn main() {
    andante_studio::start_page();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    window::main()
}

#[cfg(not(target_arch = "wasm32"))]
mod window;
