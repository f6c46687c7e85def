//! How does a result look on paper? Tables and charts from plain values.
