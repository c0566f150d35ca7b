//! Several documents as one: parts with a bookmark each, and one below it for every document.

use std::collections::HashSet;

use lopdf::{Bookmark, Dictionary, Document, Object, ObjectId};

use crate::PaperError;

/// What a page may have from the nodes above it.
const INHERITED: [&[u8]; 4] = [b"MediaBox", b"CropBox", b"Resources", b"Rotate"];
/// What a page may do by itself, or belongs to the document that it came from.
const LEFT_BEHIND: [&[u8]; 3] = [b"AA", b"B", b"StructParents"];
const PLAIN: [f32; 3] = [0.0; 3];

/// A document that takes others in: their pages and nothing that belongs to a document as a whole.
#[derive(Debug)]
pub struct Binder {
    document: Document,
    pages: ObjectId,
    kids: Vec<Object>,
    /// The part that was begun: its title until it has a page, then its bookmark.
    part: Option<Result<u32, String>>,
}

impl Default for Binder {
    fn default() -> Self {
        let mut document = Document::with_version("1.7");
        let pages = document.new_object_id();
        Self { document, pages, kids: Vec::new(), part: None }
    }
}

impl Binder {
    /// Begins a part; what is added from now on stands below it.
    pub fn part(&mut self, title: impl Into<String>) -> &mut Self {
        self.part = Some(Err(title.into()));
        self
    }

    /// Adds the pages of a document. False for what is no document, has no page, or is locked by a password; nothing is added then.
    pub fn add(&mut self, title: &str, bytes: &[u8]) -> bool {
        let Ok(mut other) = Document::load_mem(bytes) else { return false };
        if other.is_encrypted() {
            return false;
        }
        let ids: Vec<ObjectId> = other.get_pages().into_values().collect();
        for id in ids {
            let Some(page) = whole(&other, id) else { return false };
            other.objects.insert(id, Object::Dictionary(page));
        }
        other.renumber_objects_with(self.document.max_id.saturating_add(1));
        let ids: Vec<ObjectId> = other.get_pages().into_values().collect();
        let Some(first) = ids.first().copied() else { return false };
        self.document.max_id = self.document.max_id.max(other.max_id);
        self.document.objects.append(&mut other.objects);
        for id in ids {
            let Ok(page) = self.document.get_dictionary_mut(id) else { continue };
            page.set("Parent", Object::Reference(self.pages));
            self.kids.push(Object::Reference(id));
        }
        let above = match self.part.take() {
            Some(Err(part)) => Some(self.document.add_bookmark(Bookmark::new(part, PLAIN, 0, first), None)),
            Some(Ok(part)) => Some(part),
            None => None,
        };
        self.document.add_bookmark(Bookmark::new(title.to_owned(), PLAIN, 0, first), above);
        self.part = above.map(Ok);
        true
    }

    /// The PDF.
    ///
    /// # Errors
    /// Without a single page, and those of the library that writes it.
    pub fn finish(mut self) -> Result<Vec<u8>, PaperError> {
        if self.kids.is_empty() {
            return Err(PaperError("no page".to_owned()));
        }
        let mut pages = Dictionary::new();
        pages.set("Type", name("Pages"));
        pages.set("Count", Object::Integer(i64::try_from(self.kids.len()).unwrap_or(i64::MAX)));
        pages.set("Kids", Object::Array(self.kids));
        self.document.objects.insert(self.pages, Object::Dictionary(pages));
        let mut catalog = Dictionary::new();
        catalog.set("Type", name("Catalog"));
        catalog.set("Pages", Object::Reference(self.pages));
        catalog.set("PageMode", name("UseOutlines"));
        if let Some(outlines) = self.document.build_outline() {
            catalog.set("Outlines", Object::Reference(outlines));
        }
        let root = self.document.add_object(Object::Dictionary(catalog));
        self.document.trailer.set("Root", Object::Reference(root));
        self.document.prune_objects();
        let mut bytes = Vec::new();
        self.document.save_to(&mut bytes).map_err(|error| PaperError(error.to_string()))?;
        Ok(bytes)
    }
}

/// How many pages a document has; none of what is no document, or is locked by a password.
pub fn pages(bytes: &[u8]) -> Option<usize> {
    let document = Document::load_mem(bytes).ok()?;
    (!document.is_encrypted()).then(|| document.get_pages().len())
}

fn name(word: &str) -> Object {
    Object::Name(word.as_bytes().to_vec())
}

/// A page with what it has from above, so that it can stand elsewhere.
fn whole(document: &Document, page: ObjectId) -> Option<Dictionary> {
    let mut whole = document.get_dictionary(page).ok()?.clone();
    for key in INHERITED {
        if let Some(value) = inherited(document, page, key) {
            whole.set(key, value);
        }
    }
    for key in LEFT_BEHIND {
        whole.remove(key);
    }
    Some(whole)
}

fn inherited(document: &Document, page: ObjectId, key: &[u8]) -> Option<Object> {
    let (mut node, mut seen) = (page, HashSet::new());
    while seen.insert(node) {
        let dictionary = document.get_dictionary(node).ok()?;
        match dictionary.get(key).map(|value| (value, document.dereference(value))) {
            Ok((_, Ok((_, Object::Null)) | Err(_))) | Err(_) => {}
            Ok((value, Ok(_))) => return Some(value.clone()),
        }
        node = dictionary.get(b"Parent").and_then(Object::as_reference).ok()?;
    }
    None
}
