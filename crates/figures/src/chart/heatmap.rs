//! Systems by strata or topics, values as colours.

use super::axis::{Axis, Range};
use super::canvas::{Anchor, Canvas, LABEL, MARGIN, SMALL};
use super::colour::{Colour, diverging, sequential};
use super::metrics::text_width;
use super::{drawable, left_out};
use crate::number::typeset;

/// A field of coloured cells with a key; values are printed where cells are
/// large enough, and stand in tooltips everywhere.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Heatmap {
    /// What the chart shows.
    pub title: String,
    /// The systems, top to bottom.
    pub rows: Vec<String>,
    /// The strata or topics, left to right.
    pub columns: Vec<String>,
    /// The values, one list for each row. Missing ones are gaps.
    pub values: Vec<Vec<f64>>,
    /// What the values are: the label of the key.
    pub measure: String,
    /// Which colours.
    pub scale: Scale,
    /// From where to where the colours go.
    pub range: Range,
    /// How many decimals are printed.
    pub decimals: usize,
    /// Lines under the chart.
    pub notes: Vec<String>,
}

/// Which colours stand for values.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Scale {
    /// From light to dark.
    #[default]
    Sequential,
    /// From orange through near-white to blue, equally far on both sides.
    Diverging {
        /// The value that is neither.
        centre: f64,
    },
}

const COLUMN_ROOM: f64 = 120.0;
const KEY: f64 = 200.0;

impl Heatmap {
    /// The chart as SVG text.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let layout = Layout::of(self);
        let mut canvas = Canvas::default();
        let mut missing = Vec::new();
        let head = canvas.head(&self.title, &[], layout.width);
        let top = head + layout.heads;
        let left = MARGIN + layout.names + 8.0;
        self.draw_column_names(&mut canvas, &layout, (left, top));
        let key = Axis::snug(self.range_values(), self.range, (0.0, 1.0), 4);
        for (row, name) in self.rows.iter().enumerate() {
            let y = top + row as f64 * layout.cell.1;
            let at = (left - 8.0, y + layout.cell.1 / 2.0 + layout.size * 0.35);
            canvas.text_within("ink", at, Anchor::End, layout.size, name, layout.names);
            for (column, stratum) in self.columns.iter().enumerate() {
                let x = left + column as f64 * layout.cell.0;
                let value = self.value(row, column);
                if drawable(value) {
                    let tip = format!("{name}, {stratum}: {}", typeset(value, self.decimals));
                    let colour = self.colour(key.at(value));
                    canvas.tile(&colour.hex(), (x, y), layout.tile(), &tip);
                    if layout.prints {
                        let at = (x + layout.tile().0 / 2.0, y + layout.tile().1 / 2.0 + SMALL * 0.35);
                        let text = typeset(value, self.decimals);
                        canvas.text(colour.text_class(), at, Anchor::Middle, SMALL, &text);
                    }
                } else {
                    missing.push(format!("{name} ({stratum})"));
                    let (wide, high) = layout.tile();
                    canvas.open(&format!("{name}, {stratum}: no value"));
                    canvas.rect("gap", (x + 0.5, y + 0.5), (wide - 1.0, high - 1.0));
                    canvas.line("gap", (x + 0.5, y + high - 0.5), (x + wide - 0.5, y + 0.5));
                    canvas.close();
                }
            }
        }
        let y = top + self.rows.len() as f64 * layout.cell.1 + 14.0;
        let y = self.draw_key(&mut canvas, y, layout.width);
        let note = left_out(&missing);
        let height = canvas.notes(self.notes.iter().chain(&note), y, layout.width);
        let (rows, columns) = (self.rows.len(), self.columns.len());
        let description = format!("{} of {rows} rows in {columns} columns.", self.measure);
        canvas.finish((layout.width, height), &self.title, &description)
    }

    fn value(&self, row: usize, column: usize) -> f64 {
        self.values.get(row).and_then(|values| values.get(column)).copied().unwrap_or(f64::NAN)
    }

    /// All values that are drawn and, on a diverging scale, their mirror images.
    fn range_values(&self) -> Vec<f64> {
        let cells =
            (0..self.rows.len()).flat_map(|row| (0..self.columns.len()).map(move |column| (row, column)));
        let mut values: Vec<f64> =
            cells.map(|(row, column)| self.value(row, column)).filter(|&value| drawable(value)).collect();
        if let Scale::Diverging { centre } = self.scale
            && drawable(centre)
        {
            if let Range::AtLeast { low, high } = self.range {
                values.extend([low, high].into_iter().filter(|&value| drawable(value)));
            }
            let reach = values.iter().map(|value| (value - centre).abs()).fold(0.0, f64::max);
            values.extend([centre - reach, centre + reach]);
        }
        values
    }

    fn colour(&self, share: f64) -> Colour {
        match self.scale {
            Scale::Sequential => sequential(share),
            Scale::Diverging { .. } => diverging(share),
        }
    }

    fn draw_column_names(&self, canvas: &mut Canvas, layout: &Layout, (left, top): (f64, f64)) {
        for (column, name) in self.columns.iter().enumerate().step_by(layout.every) {
            let x = left + (column as f64 + 0.5) * layout.cell.0;
            if layout.degrees == 0 {
                let room = layout.cell.0 - 4.0;
                canvas.text_within("soft", (x, top - 7.0), Anchor::Middle, SMALL, name, room);
            } else {
                let lean = if layout.degrees == -90 { SMALL * 0.35 } else { 0.0 };
                let (at, degrees) = ((x + lean, top - 7.0), layout.degrees);
                canvas.turned_text_within("soft", at, Anchor::Start, SMALL, degrees, name, COLUMN_ROOM);
            }
        }
    }

    /// The colours with their values, and what the values are.
    fn draw_key(&self, canvas: &mut Canvas, y: f64, width: f64) -> f64 {
        const STEPS: usize = 50;
        canvas.text_within(
            "ink",
            (MARGIN, y + LABEL),
            Anchor::Start,
            LABEL,
            &self.measure,
            width - 2.0 * MARGIN,
        );
        let (left, top) = (MARGIN + 16.0, y + LABEL + 8.0);
        let step = KEY / STEPS as f64;
        for index in 0..STEPS {
            let colour = self.colour((index as f64 + 0.5) / STEPS as f64);
            // Tiles reach under the next one, so that no seam shows.
            let wide = if index + 1 < STEPS { step + 0.5 } else { step };
            canvas.tile(&colour.hex(), (left + index as f64 * step, top), (wide, 12.0), "");
        }
        let axis = Axis::snug(self.range_values(), self.range, (left, left + KEY), 4);
        for tick in axis.ticks_along(SMALL) {
            canvas.line("zero", (tick.at, top + 12.0), (tick.at, top + 16.0));
            canvas.text("soft", (tick.at, top + 17.0 + SMALL), Anchor::Middle, SMALL, &tick.label);
        }
        top + 17.0 + SMALL + 6.0
    }
}

/// The sizes that follow from the names and values.
struct Layout {
    names: f64,
    heads: f64,
    cell: (f64, f64),
    prints: bool,
    degrees: i32,
    every: usize,
    size: f64,
    width: f64,
}

impl Layout {
    fn of(chart: &Heatmap) -> Self {
        let columns = chart.columns.len().max(1) as f64;
        let (row, size) = match chart.rows.len() {
            0..=20 => (24.0, LABEL),
            21..=40 => (19.0, LABEL),
            _ => (16.0, SMALL),
        };
        let widest = |texts: &mut dyn Iterator<Item = f64>| texts.fold(0.0, f64::max);
        let names = widest(&mut chart.rows.iter().map(|name| text_width(name, size))).clamp(20.0, 220.0);
        let printed = widest(&mut chart.values.iter().flatten().map(|&value| {
            let value = if drawable(value) { value } else { f64::NAN };
            text_width(&typeset(value, chart.decimals), SMALL)
        }));
        let head = widest(&mut chart.columns.iter().map(|name| text_width(name, SMALL)));

        // Cells are as wide as their numbers if the page can take it, else as narrow as need be.
        let prints = columns * (printed + 10.0) <= 800.0;
        let wide = if prints { (printed + 10.0).max(30.0) } else { (800.0 / columns).clamp(7.0, 24.0) };
        let level = (head + 8.0).max(wide);
        let (wide, degrees) = if prints && columns * level <= 620.0 {
            (level, 0)
        } else if wide >= 22.0 {
            (wide, -45)
        } else {
            (wide, -90)
        };
        let every = if degrees == -90 { (13.0 / wide).ceil().max(1.0) as usize } else { 1 };
        let head = head.min(COLUMN_ROOM);
        let (heads, over) = match degrees {
            0 => (SMALL + 8.0, 0.0),
            -45 => ((head + SMALL) * 0.71 + 10.0, ((head + SMALL) * 0.71 - wide / 2.0).max(0.0)),
            _ => (head + 10.0, SMALL * 0.4),
        };
        let width = MARGIN + names + 8.0 + columns * wide + over + MARGIN;
        let width = width.max(KEY + 2.0 * MARGIN + 66.0).ceil();
        Self { names, heads, cell: (wide, row), prints, degrees, every, size, width }
    }

    /// A cell without the gap to the next one.
    fn tile(&self) -> (f64, f64) {
        let gap = if self.cell.0 >= 14.0 { 1.0 } else { 0.5 };
        (self.cell.0 - gap, self.cell.1 - gap)
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{check, has_text, name};
    use super::*;

    fn chart(rows: usize, columns: usize) -> Heatmap {
        Heatmap {
            title: "nDCG' by kind of question".into(),
            rows: (0..rows).map(name).collect(),
            columns: (0..columns).map(|i| if i % 3 == 0 { format!("A.{i}") } else { name(i) }).collect(),
            values: (0..rows)
                .map(|row| (0..columns).map(|column| ((row * 7 + column * 13) % 50) as f64 / 50.0).collect())
                .collect(),
            measure: "nDCG'".into(),
            decimals: 2,
            ..Heatmap::default()
        }
    }

    #[test]
    fn any_number_of_rows_and_columns() {
        for rows in [0, 1, 3, 30, 60] {
            for columns in [0, 1, 4, 15, 40, 78, 200] {
                let svg = chart(rows, columns).to_svg();
                check(&svg);
                (0..rows).for_each(|i| assert!(has_text(&svg, &name(i))));
            }
        }
    }

    #[test]
    fn missing_cells_are_gaps_and_named() {
        let mut chart = chart(3, 3);
        chart.scale = Scale::Diverging { centre: 0.0 };
        chart.values[1][1] = f64::INFINITY;
        chart.values.truncate(2);
        let svg = chart.to_svg();
        check(&svg);
        assert_eq!(svg.matches("no value").count(), 4);
        assert!(svg.contains("Not drawn, as not a finite number"));
        chart.values = vec![vec![f64::NAN; 3]; 3];
        check(&chart.to_svg());
    }
}
