//! What holds for every chart: it is well-formed, nothing leaves it, no text
//! runs into another, and every number in it is finite.

use std::collections::HashMap;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::metrics::styled_width;

/// A made-up run name, some of them long.
pub(super) fn name(index: usize) -> String {
    match index % 4 {
        0 => format!("BM25-{index}"),
        1 => format!("Approach0_a{index}-rerank"),
        2 => format!("MathDowsers-task1-Auto_L8_A018_with_a_very_long_name_{index}"),
        _ => format!("Übung & <Söhne> {index}"),
    }
}

/// Does the text stand somewhere in the chart, in sight or in a tooltip?
pub(super) fn has_text(svg: &str, text: &str) -> bool {
    svg.contains(&crate::escape::markup(text))
}

/// A text as written.
struct Written {
    text: String,
    at: (f64, f64),
    class: String,
    /// The share of the text that stands before its place.
    anchor: f64,
    size: f64,
    degrees: f64,
}

/// The box around a text.
#[derive(Debug)]
struct Shown {
    text: String,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    degrees: f64,
}

/// Panics if the chart breaks a rule.
#[track_caller]
pub(super) fn check(svg: &str) {
    for word in ["NaN", "inf\"", "inf ", "inf,", "inf<"] {
        assert!(!svg.contains(word), "{word} in {svg}");
    }
    let (mut width, mut height) = (0.0, 0.0);
    let mut texts: Vec<Written> = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut reader = Reader::from_str(svg);
    loop {
        let event = reader.read_event().expect("well-formed");
        let empty = matches!(event, Event::Empty(_));
        match event {
            Event::Start(tag) | Event::Empty(tag) => {
                let element = tag.name().as_ref().to_owned();
                let attributes: HashMap<String, String> = tag
                    .attributes()
                    .map(|attribute| {
                        let attribute = attribute.expect("well-formed attribute");
                        let key = attribute.key.as_ref().to_owned();
                        (key, attribute.value.into_owned())
                    })
                    .collect();
                let number = |key: &str| -> f64 {
                    attributes.get(key).map_or(0.0, |text| text.parse().expect("a number"))
                };
                let inside = |x: f64, y: f64| {
                    assert!((0.0..=width).contains(&x), "{element} {attributes:?} leaves {width}");
                    assert!((0.0..=height).contains(&y), "{element} {attributes:?} leaves {height}");
                };
                match element.as_str() {
                    "svg" => {
                        (width, height) = (number("width"), number("height"));
                        assert!(width > 0.0 && height > 0.0);
                    }
                    "line" => {
                        inside(number("x1"), number("y1"));
                        inside(number("x2"), number("y2"));
                    }
                    "rect" => {
                        inside(number("x"), number("y"));
                        inside(number("x") + number("width"), number("y") + number("height"));
                    }
                    "circle" => {
                        inside(number("cx") - number("r"), number("cy") - number("r"));
                        inside(number("cx") + number("r"), number("cy") + number("r"));
                    }
                    "polyline" | "polygon" => {
                        for point in attributes["points"].split(' ') {
                            let (x, y) = point.split_once(',').expect("a point");
                            inside(x.parse().unwrap(), y.parse().unwrap());
                        }
                    }
                    "text" => texts.push(written(&attributes)),
                    _ => {}
                }
                if !empty {
                    open.push(element);
                }
            }
            Event::End(_) => {
                open.pop();
            }
            Event::Text(text) if open.last().is_some_and(|last| last == "text") => {
                texts.last_mut().unwrap().text.push_str(text.as_ref());
            }
            Event::GeneralRef(reference) if open.last().is_some_and(|last| last == "text") => {
                let letter = match reference.as_ref() {
                    "amp" => '&',
                    "lt" => '<',
                    "gt" => '>',
                    _ => '"',
                };
                texts.last_mut().unwrap().text.push(letter);
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert!(open.is_empty(), "not closed: {open:?}");
    let texts: Vec<Shown> = texts.into_iter().map(measured).collect();
    for (index, one) in texts.iter().enumerate() {
        assert!(one.left >= 0.0 && one.right <= width, "{one:?} leaves the width {width}");
        assert!(one.top >= 0.0 && one.bottom <= height, "{one:?} leaves the height {height}");
        for other in texts[..index].iter().filter(|other| other.degrees == 0.0 && one.degrees == 0.0) {
            let across = one.right.min(other.right) - one.left.max(other.left);
            let down = one.bottom.min(other.bottom) - one.top.max(other.top);
            assert!(across < 0.5 || down < 0.5, "{:?} runs into {:?}", one.text, other.text);
        }
    }
}

fn written(attributes: &HashMap<String, String>) -> Written {
    let number = |key: &str| -> f64 { attributes[key].parse().expect("a number") };
    let degrees = attributes.get("transform").map_or(0.0, |text| {
        let inner = text.trim_start_matches("rotate(");
        inner.split(' ').next().unwrap().parse().expect("degrees")
    });
    let anchor = match attributes["text-anchor"].as_str() {
        "start" => 0.0,
        "middle" => 0.5,
        _ => 1.0,
    };
    Written {
        text: String::new(),
        class: attributes["class"].clone(),
        at: (number("x"), number("y")),
        anchor,
        size: number("font-size"),
        degrees,
    }
}

fn measured(written: Written) -> Shown {
    let Written { text, class, at: (x, y), anchor, size, degrees } = written;
    let width = styled_width(&class, &text, size);
    let (sin, cos) = degrees.to_radians().sin_cos();
    let corner = |along: f64, down: f64| (x + along * cos - down * sin, y + along * sin + down * cos);
    let (from, to) = (-anchor * width, (1.0 - anchor) * width);
    let (above, below) = (-size * 0.76, size * 0.2);
    let corners = [corner(from, above), corner(to, above), corner(from, below), corner(to, below)];
    let fold = |pick: fn(&(f64, f64)) -> f64, best: fn(f64, f64) -> f64| {
        corners.iter().map(pick).reduce(best).unwrap_or(0.0)
    };
    Shown {
        text,
        left: fold(|p| p.0, f64::min),
        right: fold(|p| p.0, f64::max),
        top: fold(|p| p.1, f64::min),
        bottom: fold(|p| p.1, f64::max),
        degrees,
    }
}

fn svg(inside: &str) -> String {
    format!("<svg width=\"100\" height=\"50\">{inside}</svg>")
}

fn text(x: u32, text: &str) -> String {
    format!("<text class=\"ink\" x=\"{x}\" y=\"30\" text-anchor=\"start\" font-size=\"10\">{text}</text>")
}

#[test]
fn good_charts_pass() {
    check(&svg(&format!("{}{}", text(1, "abc"), text(40, "abc"))));
}

#[test]
#[should_panic(expected = "runs into")]
fn overlaps_are_found() {
    check(&svg(&format!("{}{}", text(1, "abc"), text(10, "abc"))));
}

#[test]
#[should_panic(expected = "leaves the width")]
fn cut_text_is_found() {
    check(&svg(&text(90, "abc")));
}

#[test]
#[should_panic(expected = "leaves")]
fn cut_shapes_are_found() {
    check(&svg("<circle class=\"plain\" cx=\"99\" cy=\"5\" r=\"4\"/>"));
}
