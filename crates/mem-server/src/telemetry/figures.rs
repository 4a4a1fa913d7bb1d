//! The figures of `/metrics` as OTLP has them, read from the text that `/metrics` answers with: whatever is registered
//! there is sent, under the same name.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::trace::nanos;
use super::{attribute, resource, scope};

/// Counted from the start of the process on.
const CUMULATIVE: u8 = 2;

/// Name and value of each label, without the bound of a class.
type Labels = BTreeMap<String, String>;

/// The classes of one histogram.
#[derive(Default)]
struct HistogramPoint {
    sum: f64,
    count: u64,
    /// Upper bounds, and how many are at or below each.
    classes: Vec<(f64, u64)>,
}

/// One line of the text.
struct Sample<'t> {
    name: &'t str,
    labels: Labels,
    value: f64,
}

/// The body of `/v1/metrics`, from the text of `/metrics`.
pub(super) fn to_json(text: &str, since: Timestamp, now: Timestamp) -> Value {
    let mut metrics = Vec::new();
    let (mut help, mut lines) = ("", text.lines().peekable());
    while let Some(line) = lines.next() {
        if let Some((_, said)) = line
            .strip_prefix("# HELP ")
            .and_then(|rest| rest.split_once(' '))
        {
            help = said;
        }
        let Some((name, kind)) = line
            .strip_prefix("# TYPE ")
            .and_then(|rest| rest.split_once(' '))
        else {
            continue;
        };
        let mut samples = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with('#')) {
            samples.extend(read_sample(line));
        }
        let data = match kind {
            "histogram" => histogram_points(name, &samples, since, now),
            "counter" => json!({ "sum": {
                "aggregationTemporality": CUMULATIVE,
                "isMonotonic": true,
                "dataPoints": number_points(&samples, Some(since), now),
            } }),
            _ => json!({ "gauge": { "dataPoints": number_points(&samples, None, now) } }),
        };
        let mut metric = json!({ "name": name, "description": help });
        if let (Some(metric), Value::Object(data)) = (metric.as_object_mut(), data) {
            metric.extend(data);
        }
        metrics.push(metric);
    }
    json!({ "resourceMetrics": [{
        "resource": resource(),
        "scopeMetrics": [{ "scope": scope(), "metrics": metrics }],
    }] })
}

fn read_attributes(labels: &Labels) -> Vec<Value> {
    let labels = labels.iter();
    labels
        .map(|(name, value)| attribute(name, &json!(value)))
        .collect()
}

fn number_points(samples: &[Sample<'_>], since: Option<Timestamp>, now: Timestamp) -> Vec<Value> {
    let point = |sample: &Sample<'_>| {
        let mut point = json!({
            "attributes": read_attributes(&sample.labels),
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

fn histogram_points(name: &str, samples: &[Sample<'_>], since: Timestamp, now: Timestamp) -> Value {
    let mut all: BTreeMap<Labels, HistogramPoint> = BTreeMap::new();
    for sample in samples {
        let mut labels = sample.labels.clone();
        let bound = labels.remove("le");
        let point = all.entry(labels).or_default();
        match (sample.name.strip_prefix(name), bound) {
            (Some("_sum"), _) => point.sum = sample.value,
            (Some("_count"), _) => point.count = sample.value as u64,
            (Some("_bucket"), Some(bound)) => {
                let bound = bound.parse().unwrap_or(f64::INFINITY);
                point.classes.push((bound, sample.value as u64));
            }
            _ => {}
        }
    }
    let point = |(labels, point): (&Labels, &HistogramPoint)| {
        // Prometheus adds the classes up, OTLP does not.
        let mut below = 0;
        let counts = point.classes.iter().map(|(_, count)| {
            let own = count.saturating_sub(below);
            below = *count;
            own.to_string()
        });
        let counts: Vec<String> = counts.collect();
        let bounds = point.classes.iter().map(|(bound, _)| *bound);
        let bounds: Vec<f64> = bounds.filter(|bound| bound.is_finite()).collect();
        json!({
            "attributes": read_attributes(labels),
            "startTimeUnixNano": nanos(since),
            "timeUnixNano": nanos(now),
            "count": point.count.to_string(),
            "sum": point.sum,
            "bucketCounts": counts,
            "explicitBounds": bounds,
        })
    };
    let points: Vec<Value> = all.iter().map(point).collect();
    json!({ "histogram": { "aggregationTemporality": CUMULATIVE, "dataPoints": points } })
}

/// `name{label="value",…} value`.
fn read_sample(line: &str) -> Option<Sample<'_>> {
    let end = line.find(['{', ' '])?;
    let (name, mut rest) = line.split_at(end);
    let mut labels = Labels::new();
    if let Some(within) = rest.strip_prefix('{') {
        rest = within;
        while !rest.starts_with('}') {
            let (label, after) = rest.split_once("=\"")?;
            let (value, after) = read_quoted(after)?;
            labels.insert(label.to_owned(), value);
            rest = after.strip_prefix(',').unwrap_or(after);
        }
        rest = &rest[1..];
    }
    let value = rest.split_whitespace().next()?.parse().ok()?;
    Some(Sample {
        name,
        labels,
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
