fn main() {
    // The migrations are compiled in; cargo must look at the folder, not only at the sources.
    println!("cargo:rerun-if-changed=../../migrations");
}
