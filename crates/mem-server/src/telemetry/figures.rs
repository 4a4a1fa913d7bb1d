//! The figures of `/metrics` as OTLP has them, read from the text that `/metrics` answers with: whatever is registered
//! there is sent, under the same name.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::trace::nanos;
use super::{attribute, resource, scope};

/// Counted from the start of the process on.
const CUMULATIVE: u8 = 2;

/// One line of the text.
struct Sample<'t> {
    name: &'t str,
    /// The labels as OTLP has them, without the bound of a class.
    labels: Vec<Value>,
    /// The upper bound of the class of a histogram.
    bound: Option<f64>,
    value: f64,
}

/// The body of `/v1/metrics`, from the text of `/metrics`.
pub(super) fn to_json(text: &str, since: Timestamp, now: Timestamp) -> Value {
    let mut metrics = Vec::new();
    let (mut help, mut lines) = ("", text.lines().peekable());
    while let Some(line) = lines.next() {
        let after = |word| line.strip_prefix(word)?.split_once(' ');
        if let Some((_, said)) = after("# HELP ") {
            help = said;
        }
        let Some((name, kind)) = after("# TYPE ") else {
            continue;
        };
        let samples = std::iter::from_fn(|| lines.next_if(|line| !line.starts_with('#')));
        let samples: Vec<Sample<'_>> = samples.filter_map(read_sample).collect();
        let data = match kind {
            "histogram" => {
                let points = histogram_points(name, &samples, since, now);
                let data = json!({ "aggregationTemporality": CUMULATIVE, "dataPoints": points });
                ("histogram", data)
            }
            "counter" => {
                let points = number_points(&samples, Some(since), now);
                let data = json!({
                    "aggregationTemporality": CUMULATIVE,
                    "isMonotonic": true,
                    "dataPoints": points,
                });
                ("sum", data)
            }
            _ => (
                "gauge",
                json!({ "dataPoints": number_points(&samples, None, now) }),
            ),
        };
        let mut metric = json!({ "name": name, "description": help });
        metric[data.0] = data.1;
        metrics.push(metric);
    }
    json!({ "resourceMetrics": [{
        "resource": resource(),
        "scopeMetrics": [{ "scope": scope(), "metrics": metrics }],
    }] })
}

fn number_points(samples: &[Sample<'_>], since: Option<Timestamp>, now: Timestamp) -> Vec<Value> {
    let point = |sample: &Sample<'_>| {
        let mut point = json!({
            "attributes": sample.labels,
            "timeUnixNano": nanos(now),
            "asDouble": sample.value,
        });
        if let Some(since) = since {
            point["startTimeUnixNano"] = json!(nanos(since));
        }
        point
    };
    samples.iter().map(point).collect()
}

/// The samples of one histogram stand together: its sum, its count, its classes in ascending order.
fn histogram_points(
    name: &str,
    samples: &[Sample<'_>],
    since: Timestamp,
    now: Timestamp,
) -> Vec<Value> {
    let point = |samples: &[Sample<'_>]| {
        let value = |suffix: &str| {
            let mut of = samples.iter();
            let found = of.find(|sample| sample.name.strip_prefix(name) == Some(suffix));
            found.map_or(0.0, |sample| sample.value)
        };
        // Prometheus adds the classes up, OTLP does not.
        let mut below = 0;
        let classes = samples
            .iter()
            .filter_map(|sample| Some((sample.bound?, sample.value)));
        let (bounds, counts): (Vec<f64>, Vec<String>) = classes
            .map(|(bound, count)| {
                let own = (count as u64).saturating_sub(below);
                below = count as u64;
                (bound, own.to_string())
            })
            .unzip();
        json!({
            "attributes": samples[0].labels,
            "startTimeUnixNano": nanos(since),
            "timeUnixNano": nanos(now),
            "count": (value("_count") as u64).to_string(),
            "sum": value("_sum"),
            "bucketCounts": counts,
            "explicitBounds": bounds.into_iter().filter(|bound| bound.is_finite()).collect::<Vec<_>>(),
        })
    };
    let each = samples.chunk_by(|one, next| one.labels == next.labels);
    each.map(point).collect()
}

/// `name{label="value",…} value`.
fn read_sample(line: &str) -> Option<Sample<'_>> {
    let end = line.find(['{', ' '])?;
    let (name, mut rest) = line.split_at(end);
    let (mut labels, mut bound) = (Vec::new(), None);
    if let Some(within) = rest.strip_prefix('{') {
        rest = within;
        while !rest.starts_with('}') {
            let (label, after) = rest.split_once("=\"")?;
            let (value, after) = read_quoted(after)?;
            match label {
                "le" => bound = Some(value.parse().unwrap_or(f64::INFINITY)),
                label => labels.push(attribute(label, &json!(value))),
            }
            rest = after.strip_prefix(',').unwrap_or(after);
        }
        rest = &rest[1..];
    }
    let value = rest.split_whitespace().next()?.parse().ok()?;
    Some(Sample {
        name,
        labels,
        bound,
        value,
    })
}

/// The value of a label, whose opening quotation mark is read already, and what follows.
fn read_quoted(text: &str) -> Option<(String, &str)> {
    let (mut value, mut chars) = (String::new(), text.char_indices());
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => match chars.next()?.1 {
                'n' => value.push('\n'),
                other => value.push(other),
            },
            other => value.push(other),
        }
    }
    None
}
