//! What is this formula, what does it look like, and how alike are two?
