//! The moving picture of the README: scenes of `mem tour` as an SVG that CSS alone animates.
//!
//! Every scene lies on the ones before it and is hidden until its time, and so is each of its parts. Where nothing is
//! animated (`prefers-reduced-motion`, a viewer without CSS), the last scene is what one sees. The file has no script, so
//! that it works as an image.
//!
//! Ids and times of a tour differ from one to the next; `steady` replaces them.

use std::fmt::Write as _;

/// Which commands of which act are shown: how its heading begins, and how they do. No command means all of them.
const SCENES: [(&str, &[&str]); 6] = [
    ("A memory is a Markdown file", &[]),
    ("A prompt brings the memory", &[]),
    ("Where none clearly helps", &[]),
    (
        "A memory is removed by mistake",
        &["shop $ mem remove", "shop $ mem undo"],
    ),
    ("A hook scans exactly", &[]),
    (
        "A team shares what its agents learnt",
        &[
            "shop $ mem team setup",
            "shop $ mem save",
            "shop $ mem team sync",
            "colleague $ mem team sync",
            "colleague $ mem list",
        ],
    ),
];
/// What stands below the last scene.
const CLOSING: &str = "That was it.";

/// What ids and dates are replaced by.
const IDS: &str = "4be1a07d92c63f58";
const DATE: &str = "2026-01-01";

const COLUMNS: usize = 92;
/// Sizes in pixels.
const CHARACTER: f64 = 7.8;
const LINE: f64 = 19.0;
const MARGIN: f64 = 22.0;
/// Paces in seconds: a character that is typed, a line that is read, and what comes between two commands.
const TYPED: f64 = 0.012;
const READ: f64 = 0.32;
const PAUSE: f64 = 0.7;
/// How long a scene stays after its last line.
const STAY: f64 = 1.6;

const STYLE: &str = "\
svg{--b:#fff;--t:#24292f;--d:#57606a;--p:#0550ae;--e:#b3261e;--r:#d0d7de}\
@media(prefers-color-scheme:dark){svg{--b:#0d1117;--t:#e6edf3;--d:#9aa4af;--p:#79c0ff;--e:#ff8a80;--r:#30363d}}\
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:var(--t);white-space:pre}\
.a{fill:var(--d)}.p{fill:var(--p);font-weight:600}.e{fill:var(--e)}rect{fill:var(--b);stroke:var(--r)}\
.h{animation:h 1s}.p{animation:p .5s steps(40) backwards}\
@keyframes h{from,to{visibility:hidden}}@keyframes p{from{clip-path:inset(0 100% 0 0)}to{clip-path:inset(0)}}\
@media(prefers-reduced-motion:reduce){*{animation:none!important}}";

/// The lines of a command of the tour and of what it printed, or a heading alone.
type Block = Vec<String>;

/// The picture of a tour's output.
///
/// # Errors
/// The act or the command that the tour does not show.
pub fn render(tour: &str) -> Result<String, String> {
    let acts = read_acts(tour);
    let mut scenes = Vec::new();
    for (heading, commands) in SCENES {
        let act = find_act(&acts, heading)?;
        let mut shown = vec![&act[0]];
        for command in commands {
            let blocks = act.iter().skip(1);
            let block = blocks.clone().find(|b| b[0].starts_with(command));
            shown.push(block.ok_or_else(|| format!("the tour has no `{command}`"))?);
        }
        if commands.is_empty() {
            shown.extend(&act[1..]);
        }
        scenes.push(shown);
    }
    let closing = find_act(&acts, CLOSING)?;
    if let Some(last) = scenes.last_mut() {
        last.push(&closing[0]);
    }
    Ok(draw(&scenes))
}

fn find_act<'a>(acts: &'a [Vec<Block>], heading: &str) -> Result<&'a [Block], String> {
    let start = format!("# {heading}");
    let found = acts.iter().find(|act| act[0][0].starts_with(&start));
    let found = found.map(Vec::as_slice);
    found.ok_or_else(|| format!("the tour has no act `{heading}`"))
}

/// Each act: its heading, and then each command with its output.
fn read_acts(tour: &str) -> Vec<Vec<Block>> {
    let mut acts: Vec<Vec<Block>> = Vec::new();
    for line in tour.lines() {
        let is_heading = line.starts_with("# ");
        let is_command = line
            .split_once(" $ ")
            .is_some_and(|(folder, _)| !folder.contains(' '));
        if is_heading {
            acts.push(Vec::new());
        }
        let Some(act) = acts.last_mut() else {
            continue;
        };
        if is_heading || is_command {
            act.push(Block::new());
        }
        if let Some(block) = act.last_mut() {
            block.push(steady(line));
        }
    }
    // Between two acts is an empty line.
    for block in acts.iter_mut().flatten() {
        while block.last().is_some_and(String::is_empty) {
            block.pop();
        }
    }
    acts
}

/// A line without what differs from one tour to the next.
fn steady(line: &str) -> String {
    // A daemon may be faster than the command.
    let line = line.replace(" by the daemon", "");
    let mut words: Vec<String> = line.split(' ').map(steady_word).collect();
    for at in 2..words.len() {
        // The id of a change stands before its date, two spaces apart.
        if words[at] == DATE && words[at - 2].len() == 8 {
            words[at - 2] = "k3v9q2xw".to_owned();
        }
    }
    words.join(" ")
}

fn steady_word(word: &str) -> String {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    match (word.len(), digits) {
        (10, 8) if word.contains('-') => return DATE.to_owned(),
        (9, 6) if word.contains(':') => return "12:00:00Z".to_owned(),
        _ => {}
    }
    let is_sign = |c: char| !c.is_ascii_alphanumeric();
    let mut steady = String::new();
    for run in word.split_inclusive(is_sign) {
        let id = run.trim_end_matches(is_sign);
        let is_id = matches!(id.len(), 10 | 16) && id.bytes().all(|c| c.is_ascii_hexdigit());
        steady += if is_id { &IDS[..id.len()] } else { id };
        steady += &run[id.len()..];
    }
    steady
}

/// A line in pieces that fit, those behind the first indented.
fn wrap(line: &str) -> Vec<String> {
    let (mut pieces, mut piece) = (Vec::new(), String::new());
    for word in line.split_inclusive(' ') {
        let length = piece.chars().count() + word.trim_end().chars().count();
        if length > COLUMNS && !piece.trim().is_empty() {
            pieces.push(std::mem::replace(&mut piece, "    ".to_owned()));
        }
        piece += word;
    }
    pieces.push(piece);
    pieces
}

fn draw(scenes: &[Vec<&Block>]) -> String {
    let mut body = String::new();
    let (mut now, mut rows) = (0.0, 0);
    let size = "width=\"100%\" height=\"100%\" rx=\"8\"";
    for scene in scenes {
        let _ = write!(body, "<g class=\"h\"{}><rect {size}/>", hidden_until(now));
        let mut row = 0;
        for block in scene {
            now += PAUSE;
            let mut output = String::new();
            let mut is_command = block[0].contains(" $ ");
            for (number, line) in block.iter().enumerate() {
                // A command goes on to its last quote.
                is_command &= number == 0 || quotes(&block[..number]) % 2 == 1;
                for piece in wrap(line) {
                    row += 1;
                    let at = (MARGIN, MARGIN + LINE * f64::from(row));
                    if is_command {
                        let typed = typed_from(now, &piece);
                        body += &text("p", &typed, at, &piece);
                        now += TYPED * piece.chars().count() as f64;
                    } else if number == 0 {
                        body += &text("a h", &hidden_until(now), at, &piece);
                        now += READ;
                    } else {
                        let class = if piece.starts_with("error:") { "e" } else { "" };
                        output += &text(class, "", at, &piece);
                    }
                }
            }
            if !output.is_empty() {
                now += PAUSE / 2.0;
                let _ = write!(body, "<g class=\"h\"{}>{output}</g>", hidden_until(now));
                now += READ * output.matches("<text").count() as f64;
            }
            row += 1;
        }
        rows = rows.max(row);
        now += STAY;
        body += "</g>\n";
    }
    let (width, height) = (
        2.0 * MARGIN + COLUMNS as f64 * CHARACTER,
        2.0 * MARGIN + LINE * f64::from(rows - 1),
    );
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\"><title>Scenes of mem tour</title><style>{STYLE}</style>\n{body}</svg>\n"
    )
}

fn quotes(lines: &[String]) -> usize {
    lines.iter().map(|line| line.matches('\'').count()).sum()
}

fn hidden_until(seconds: f64) -> String {
    format!(" style=\"animation-duration:{seconds:.1}s\"")
}

fn typed_from(seconds: f64, piece: &str) -> String {
    let length = TYPED * piece.chars().count() as f64;
    format!(" style=\"animation-duration:{length:.1}s;animation-delay:{seconds:.1}s\"")
}

fn text(class: &str, style: &str, (x, y): (f64, f64), piece: &str) -> String {
    let class = if class.is_empty() {
        String::new()
    } else {
        format!(" class=\"{class}\"")
    };
    let piece = piece
        .trim_end()
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    format!("<text{class}{style} x=\"{x:.0}\" y=\"{y:.0}\">{piece}</text>")
}
