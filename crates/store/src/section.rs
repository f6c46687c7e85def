//! The sections of a collection file.
//!
//! `docs/collections.md` draws it byte by byte.

use frame::Format;

/// What a collection file begins and ends with, and the version that is written and read.
pub(crate) const FORMAT: Format = Format { head: *b"hypatiaC", foot: *b"Caitapyh", version: 1 };

macro_rules! sections {
    ($($section:ident $name:literal)*) => {
        /// A part of a collection file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Section { $($section),* }

        impl Section {
            pub(crate) const ALL: &'static [Self] = &[$(Self::$section),*];

            pub(crate) fn name(self) -> &'static str {
                match self { $(Self::$section => $name),* }
            }
        }
    };
}

sections! {
    About "about"
    PostIds "post.ids"
    PostIdEnds "post.ids.ends"
    PostsById "post.by-id"
    PostKinds "post.kind"
    PostParents "post.parent"
    PostAccepted "post.accepted"
    PostScores "post.score"
    PostDates "post.date"
    PostFormulas "post.formulas"
    PostTexts "post.text"
    PostTextBlocks "post.text.blocks"
    AnswerEnds "post.answers.ends"
    Answers "post.answers"
    CommentIds "comment.ids"
    CommentIdEnds "comment.ids.ends"
    CommentsById "comment.by-id"
    CommentPosts "comment.post"
    CommentScores "comment.score"
    CommentDates "comment.date"
    CommentFormulas "comment.formulas"
    CommentTexts "comment.text"
    CommentTextBlocks "comment.text.blocks"
    PostCommentEnds "post.comments.ends"
    PostComments "post.comments"
    Links "link"
    LinkBlocks "link.blocks"
    PostLinkEnds "post.links.ends"
    PostLinks "post.links"
    Users "user"
    UserBlocks "user.blocks"
    UsersById "user.by-id"
    FormulaIds "formula.ids"
    FormulaIdEnds "formula.ids.ends"
    FormulasById "formula.by-id"
    FormulaForms "formula.form"
    FormulaMarks "formula.marks"
    StrayFormulas "stray.formula"
    StrayPlaces "stray.place"
    StrayPlaceBlocks "stray.place.blocks"
    FormVisuals "form.visual"
    FormOldVisuals "form.old-visual"
    FormMarks "form.marks"
    FormKeys "form.key"
    FormLatex "form.latex"
    FormLatexBlocks "form.latex.blocks"
    FormPresentation "form.presentation"
    FormPresentationBlocks "form.presentation.blocks"
    FormContent "form.content"
    FormContentBlocks "form.content.blocks"
    FormFormulaEnds "form.formulas.ends"
    FormFormulas "form.formulas"
    VisualIds "visual.ids"
    VisualsById "visual.by-id"
    VisualFormEnds "visual.forms.ends"
    VisualForms "visual.forms"
}
