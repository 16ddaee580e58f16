//! The page of a table, and those that need none: the rules with live examples, and the check of a shuffle.

use askama::Template;
use axum::response::Response;

use serde_json::{Value, json};
use tractor::{Rank, Rules};

use super::house_rules::{self, Switch, value_words};
use super::lesson::{lessons, places};
use crate::page::{Page, Preview, TablePage, render, script_json};

#[derive(Template)]
#[template(path = "tractor.html")]
struct Table {
    page: Page,
    id: String,
    /// Whether the table is on the visitor's device.
    local: bool,
    /// Whether the game was played on a device and handed in later: nothing proves its deals.
    device: bool,
    preview: Preview,
    /// The picture that goes with a link.
    picture: String,
    boot: String,
    /// The key of the preset's name, and whether anything differs from it.
    preset: String,
    changed: bool,
    /// Name and value in words, and whether it differs from the preset.
    switches: Vec<(String, String, bool)>,
}

/// Every switch of a view's house rules in words: its name, its value, and whether that differs from the preset's.
fn switch_words(page: &Page, preset: &str, rules: &Value) -> Vec<(String, String, bool)> {
    let switches = rules["switches"].as_object().into_iter().flatten();
    let word = |(name, value): (&String, &Value)| {
        let value = value.as_str().unwrap_or_default();
        let name_words = page.t(&house_rules::name_key(name));
        let changed = house_rules::preset_value(preset, name).is_some_and(|own| own != value);
        let value_words = house_rules::value_words(page, name, value);
        (name_words, value_words, changed)
    };
    let mut switches: Vec<_> = switches.map(word).collect();
    // What is not as usual comes first.
    switches.sort_by_key(|(_, _, changed)| !changed);
    switches
}

/// `GET /game/{id}`. What it says of the house rules is the view's.
pub(crate) fn table(page: Page, table: TablePage<'_>) -> Response {
    let rules = &table.view["rules"];
    let preset = rules["preset"].as_str().unwrap_or("default");
    let switches = switch_words(&page, preset, rules);
    render(&Table {
        changed: switches.iter().any(|(_, _, changed)| *changed),
        switches,
        picture: format!("/game/{}.png", table.id),
        id: table.id.to_string(),
        local: false,
        device: table.view["device"] == true,
        boot: script_json(&table.view),
        preset: format!("tr-preset-{preset}"),
        preview: table.preview,
        page,
    })
}

/// `GET /offline/tractor`: the game that the address names is on the device, and follows the default rules.
pub(crate) async fn local_table(page: Page) -> Response {
    let switches = Rules::SWITCHES
        .iter()
        .map(|switch| (switch.name.to_owned(), json!(switch.get(&Rules::DEFAULT))));
    let rules = json!({ "switches": switches.collect::<serde_json::Map<_, _>>() });
    let preview = Preview {
        title: page.t("game-tractor"),
        ..Preview::default()
    };
    render(&Table {
        changed: false,
        switches: switch_words(&page, "default", &rules),
        picture: String::new(),
        id: String::new(),
        local: true,
        device: false,
        boot: script_json(&json!({ "local": true })),
        preset: "tr-preset-default".to_owned(),
        preview,
        page,
    })
}

#[derive(Template)]
#[template(path = "tractor-rules.html")]
struct Lessons {
    page: Page,
    boot: String,
    sections: Vec<Section>,
    scores: Vec<ScoreRow>,
    factors: Vec<i32>,
    levels: Vec<String>,
    house: Vec<HouseRule>,
}

/// A house rule with everything it may be.
struct HouseRule {
    words: String,
    /// Each value in words, and whether it is the recommended one.
    values: Vec<(String, bool)>,
}

fn house_rule(page: &Page, switch: Switch) -> HouseRule {
    let values = if switch.values.is_empty() {
        vec![(value_words(page, switch.name, &switch.default), true)]
    } else {
        let named = switch.values.into_iter();
        named
            .map(|(value, words)| (words, value == switch.default))
            .collect()
    };
    HouseRule {
        words: switch.words,
        values,
    }
}

struct Section {
    id: &'static str,
    title: String,
    text: String,
    /// How many cards each row of its examples has: their place until the script draws them.
    places: Vec<Vec<usize>>,
    /// The chapter of the course that practises it; empty where none does.
    chapter: &'static str,
}

/// The sections of the rules page and the chapters that practise them; examples bear the name of their section.
const SECTIONS: [(&str, &str); 14] = [
    ("goal", "points"),
    ("trump", "trumps"),
    ("declaring", "before-play"),
    ("kitty", "before-play"),
    ("pairs", "combinations"),
    ("tractors", "combinations"),
    ("throws", "throws"),
    ("failed", "throws"),
    ("following", "following"),
    ("tricks", "tricks"),
    ("bonus", "scoring"),
    ("scoring", "scoring"),
    ("levels", "scoring"),
    ("house", ""),
];

/// The most pairs that the score calculator offers for the lead to the last trick.
const MOST_PAIRS: usize = 5;

/// A row of the scoring table: from how many points to how many, who wins, and the levels won.
struct ScoreRow {
    from: i32,
    to: i32,
    defended: bool,
    levels: u8,
}

/// The scoring table of the default rules, up to the last row that a table without a kitty reaches.
fn scores() -> Vec<ScoreRow> {
    let mut rows: Vec<ScoreRow> = Vec::new();
    for points in (0..=200).step_by(5) {
        let (defended, levels) = Rules::DEFAULT.scoring.rise(points);
        match rows.last_mut() {
            Some(row) if (row.defended, row.levels) == (defended, levels) => row.to = points,
            _ => rows.push(ScoreRow {
                from: points,
                to: points,
                defended,
                levels,
            }),
        }
    }
    rows
}

/// `GET /rules/tractor`
pub(crate) fn rules(page: Page) -> Response {
    let section = |(id, chapter): (&'static str, &'static str)| Section {
        id,
        chapter,
        title: page.t(&format!("tr-rule-{id}")),
        text: page.t(&format!("tr-rule-{id}-text")),
        places: places(id),
    };
    render(&Lessons {
        sections: SECTIONS.map(section).into(),
        boot: script_json(&lessons()),
        scores: scores(),
        factors: (0..=MOST_PAIRS)
            .map(|pairs| Rules::DEFAULT.kitty_multiplier.factor(pairs, 1))
            .collect(),
        levels: Rank::ALL.iter().map(Rank::to_string).collect(),
        house: house_rules::switches(&page)
            .into_iter()
            .map(|switch| house_rule(&page, switch))
            .collect(),
        page,
    })
}

#[derive(Template)]
#[template(path = "verify.html")]
struct Verify {
    page: Page,
}

/// `GET /verify`
pub(crate) async fn verify(page: Page) -> Response {
    render(&Verify { page })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scoring_table_is_that_of_the_rules() {
        let rows: Vec<_> = scores()
            .into_iter()
            .map(|row| (row.from, row.to, row.defended, row.levels))
            .collect();
        let expected = [
            (0, 0, true, 3),
            (5, 35, true, 2),
            (40, 75, true, 1),
            (80, 115, false, 0),
            (120, 155, false, 1),
            (160, 195, false, 2),
            (200, 200, false, 3),
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn every_chapter_that_a_section_names_is_there() {
        let course = crate::learn::course(crate::tractor::NAME).unwrap();
        for (section, chapter) in SECTIONS.iter().filter(|(_, chapter)| !chapter.is_empty()) {
            let found = course.chapters.iter().any(|known| known.id == *chapter);
            assert!(found, "{section}: no chapter {chapter}");
        }
    }
}
