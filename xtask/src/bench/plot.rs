//! Plots as SVG text: a bar chart and a line chart, enough for results that span magnitudes.
//!
//! Same data, same bytes. No dependency: a plotting library would cost more to build than all of
//! xtask. The value axis is linear or logarithmic; a logarithmic one shows values of zero or less
//! at its lower end.

use std::fmt::Write as _;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
/// What a logarithmic axis shows at most; smaller values stand at its lower end.
const LARGEST_SPAN: f64 = 1e12;
/// Tells series apart also for the colour-blind (Okabe and Ito's palette).
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    Linear,
    Logarithmic,
}

/// What is written around a plot.
pub struct Labels<'a> {
    pub title: &'a str,
    pub x: &'a str,
    pub y: &'a str,
}

/// One line of a line chart.
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// One bar for each (name, value).
pub fn bars(labels: &Labels, scale: Scale, values: &[(String, f64)]) -> String {
    let mut svg = opening(labels);
    let axis = Axis::over(scale, values.iter().map(|(_, value)| *value), HEIGHT - BOTTOM, TOP);
    value_axis(&mut svg, &axis);
    let slot = (WIDTH - LEFT - RIGHT) / values.len().max(1) as f64;
    for (index, (name, value)) in values.iter().enumerate() {
        let left = LEFT + slot * (index as f64 + 0.15);
        let middle = LEFT + slot * (index as f64 + 0.5);
        let (top, bottom) = (axis.place(*value), HEIGHT - BOTTOM);
        let (width, height) = (slot * 0.7, bottom - top);
        let colour = COLOURS[0];
        let _ = writeln!(
            svg,
            r#"<rect x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}" fill="{colour}"/>"#
        );
        text(&mut svg, middle, bottom + 16.0, "middle", name);
        text(&mut svg, middle, top - 4.0, "middle", &number(*value));
    }
    svg + "</svg>\n"
}

/// One line for each series, with a legend.
pub fn lines(labels: &Labels, scale: Scale, series: &[Series]) -> String {
    let mut svg = opening(labels);
    let all = || series.iter().flat_map(|it| &it.points);
    let x_axis = Axis::over(Scale::Linear, all().map(|it| it.0), LEFT, WIDTH - RIGHT);
    let y_axis = Axis::over(scale, all().map(|it| it.1), HEIGHT - BOTTOM, TOP);
    value_axis(&mut svg, &y_axis);
    for tick in x_axis.ticks() {
        text(&mut svg, x_axis.place(tick), HEIGHT - BOTTOM + 16.0, "middle", &number(tick));
    }
    for (index, series) in series.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let place = |(x, y): &(f64, f64)| format!("{:.1},{:.1}", x_axis.place(*x), y_axis.place(*y));
        let points: Vec<String> = series.points.iter().map(place).collect();
        let points = points.join(" ");
        let _ = writeln!(svg, r#"<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>"#);
        let y = TOP + 12.0 + 16.0 * index as f64;
        let _ =
            writeln!(svg, r#"<rect x="{:.1}" y="{:.1}" width="12" height="3" fill="{colour}"/>"#, LEFT + 10.0, y - 5.0);
        text(&mut svg, LEFT + 28.0, y, "start", &series.name);
    }
    svg + "</svg>\n"
}

fn opening(labels: &Labels) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    text(&mut svg, WIDTH / 2.0, 18.0, "middle", labels.title);
    text(&mut svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 10.0, "middle", labels.x);
    text(&mut svg, 8.0, TOP - 12.0, "start", labels.y);
    svg
}

fn value_axis(svg: &mut String, axis: &Axis) {
    for tick in axis.ticks() {
        let y = axis.place(tick);
        let right = WIDTH - RIGHT;
        let _ = writeln!(svg, r##"<line x1="{LEFT}" y1="{y:.1}" x2="{right}" y2="{y:.1}" stroke="#ddd"/>"##);
        text(svg, LEFT - 6.0, y + 4.0, "end", &number(tick));
    }
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let _ = writeln!(svg, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{words}</text>"#);
}

/// Short, without an exponent or needless zeros.
fn number(value: f64) -> String {
    let text = match value.abs() {
        it if it >= 100.0 || it == 0.0 => format!("{value:.0}"),
        it if it >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    };
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// Maps values from `low..=high` to the places from `start` to `end`.
struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    start: f64,
    end: f64,
}

impl Axis {
    /// An axis that shows all the values: from zero if linear, in whole decades if logarithmic.
    fn over(scale: Scale, values: impl Iterator<Item = f64>, start: f64, end: f64) -> Axis {
        let values: Vec<f64> = values.filter(|it| it.is_finite()).collect();
        let largest = values.iter().copied().fold(0.0, f64::max);
        let largest = if largest > 0.0 { largest } else { 1.0 };
        let (low, high) = match scale {
            Scale::Linear => (values.iter().copied().fold(0.0, f64::min), round_up(largest)),
            Scale::Logarithmic => {
                let positive = values.iter().copied().filter(|it| *it > 0.0);
                let smallest = positive.fold(largest, f64::min).max(largest / LARGEST_SPAN);
                let low = decade_at_most(smallest);
                (low, decade_at_least(largest).max(low * 10.0))
            }
        };
        Axis { scale, low, high, start, end }
    }

    fn place(&self, value: f64) -> f64 {
        let share = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Logarithmic => (value.max(self.low) / self.low).log10() / self.decades(),
        };
        self.start + share.clamp(0.0, 1.0) * (self.end - self.start)
    }

    fn ticks(&self) -> Vec<f64> {
        match self.scale {
            Scale::Linear => (0..=5).map(|it| self.low + (self.high - self.low) * f64::from(it) / 5.0).collect(),
            Scale::Logarithmic => {
                let count = self.decades().round() as i32;
                (0..=count).map(|it| self.low * 10f64.powi(it)).collect()
            }
        }
    }

    fn decades(&self) -> f64 {
        (self.high / self.low).log10()
    }
}

fn decade_at_most(value: f64) -> f64 {
    10f64.powi(value.log10().floor() as i32)
}

fn decade_at_least(value: f64) -> f64 {
    10f64.powi(value.log10().ceil() as i32)
}

/// The next 1, 2 or 5 followed by zeros.
fn round_up(value: f64) -> f64 {
    let decade = decade_at_most(value);
    let steps = [1.0, 2.0, 5.0, 10.0].map(|it| it * decade);
    steps.into_iter().find(|it| *it >= value).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABELS: Labels = Labels { title: "a < b", x: "x", y: "y" };

    #[test]
    fn bars_reach_their_values() {
        let svg = bars(&LABELS, Scale::Linear, &[("a".into(), 10.0), ("b".into(), 5.0)]);
        assert!(svg.contains("a &lt; b"));
        assert!(svg.contains(r#"y="40.0" width="220.5" height="310.0""#), "{svg}");
        assert!(svg.contains(r#"y="195.0" width="220.5" height="155.0""#), "{svg}");
    }

    #[test]
    fn lines_on_a_logarithmic_axis() {
        let points = vec![(0.0, 0.01), (5.0, 0.1), (10.0, 1.0)];
        let svg = lines(&LABELS, Scale::Logarithmic, &[Series { name: "s".into(), points }]);
        assert!(svg.contains(r#"points="70.0,350.0 385.0,195.0 700.0,40.0""#), "{svg}");
    }

    #[test]
    fn odd_data_makes_no_odd_svg() {
        for values in [vec![], vec![0.0], vec![-1.0, f64::NAN], vec![1e-300, 1e200]] {
            for scale in [Scale::Linear, Scale::Logarithmic] {
                let named: Vec<(String, f64)> = values.iter().map(|it| ("v".into(), *it)).collect();
                let points = values.iter().map(|it| (*it, *it)).collect();
                bars(&LABELS, scale, &named);
                let svg = lines(&LABELS, scale, &[Series { name: "s".into(), points }]);
                assert!(!svg.contains("inf"), "{svg}");
            }
        }
    }

    #[test]
    fn numbers_are_short() {
        let short = [1000.0, 2.50, 0.1, 0.0, 100.0].map(number);
        assert_eq!(short, ["1000", "2.5", "0.1", "0", "100"]);
    }
}
