//! Operator trees as LaTeXML and Tangent-S would build them.
