//! `hypatia formula gallery`: the page in `docs` is the one the program writes.

use crate::util::Dir;

#[test]
fn the_page_in_docs_is_up_to_date() {
    let dir = Dir::new("gallery");
    let written = dir.run(&["formula", "gallery"]);
    assert_eq!((written.code, written.stderr.as_str()), (0, ""));
    let kept = std::fs::read_to_string(testkit::workspace_root().join("docs/gallery.html")).unwrap();
    assert!(kept == written.stdout, "run `hypatia formula gallery -o docs/gallery.html`");
    assert!(written.stdout.matches("<math").count() >= 60);
    // To a file, nothing is printed.
    dir.run(&["formula", "gallery", "-o", "page.html"]).prints("");
    assert_eq!(std::fs::read_to_string(dir.path().join("page.html")).unwrap(), written.stdout);
}
