//! Content MathML, read from LaTeXML's dialect and written.
