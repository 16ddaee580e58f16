//! The rules of Cờ Tư Lệnh as lessons, each with a board that the rules themselves have marked.

use std::collections::BTreeMap;

use askama::Template;
use axum::response::Response;
use cotulenh::{Move, MoveKind, Position, Square};

use super::draw::{Mark, Picture};
use crate::page::{Page, render};

/// A lesson as it is written: what stands on its board, and whose choices are shown.
struct Plan {
    /// The last part of its message keys.
    key: &'static str,
    fen: &'static str,
    /// The stack whose choices are marked; none for a board to look at.
    from: &'static str,
    /// Steps of a deploy that are made first and drawn as arrows.
    steps: &'static [&'static str],
    /// Mark what single pieces of the stack can do, not the stack as a whole.
    single: bool,
    /// The optional victory that is switched on.
    victory: &'static str,
    /// The chapter of the course that practises it.
    chapter: &'static str,
    /// Draw blue's air cover.
    cover: bool,
}

const fn plan(
    chapter: &'static str,
    key: &'static str,
    fen: &'static str,
    from: &'static str,
) -> Plan {
    Plan {
        key,
        fen,
        from,
        steps: &[],
        single: false,
        victory: "",
        chapter,
        cover: false,
    }
}

const START: &str = "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1";

#[rustfmt::skip]
const PLANS: &[Plan] = &[
    plan("board", "terrain", START, ""),
    plan("pieces", "c", "8c2/9ii/11/11/11/5i5/5C5/11/11/11/9II/11 r - - 0 1", "f6"),
    plan("pieces", "i", "6c4/9ii/11/11/11/11/11/4iI5/11/11/9II/4C6 r - - 0 1", "f5"),
    plan("pieces", "t", "6c4/9ii/11/11/4i6/11/4T1i4/11/11/11/9II/4C6 r - - 0 1", "e6"),
    plan("pieces", "m", "6c4/9ii/11/11/11/11/11/4M6/5i5/11/9II/4C6 r - - 0 1", "e5"),
    plan("pieces", "e", "6c4/9ii/11/11/11/11/11/4EG5/11/11/9II/4C6 r - - 0 1", "e5"),
    plan("pieces", "a", "6c4/9ii/11/11/5t5/11/5I5/2i2A5/11/11/9II/4C6 r - - 0 1", "f5"),
    plan("pieces", "g", "6c4/9ii/11/11/11/11/11/5G5/5i5/11/9II/4C6 r - - 0 1", "f5"),
    plan("pieces", "s", "6c4/9ii/11/11/11/11/11/5S5/5I5/5i5/9II/4C6 r - - 0 1", "f5"),
    plan("pieces", "f", "6c4/9ii/11/11/3t7/11/4I6/5F5/11/11/5i3II/3C7 r - - 0 1", "f5"),
    plan("pieces", "n", "6c4/9ii/11/11/11/2n8/11/11/11/2N2i5/9II/5C5 r - - 0 1", "c3"),
    plan("pieces", "h", "6c4/9ii/11/11/11/11/11/11/3+H1H5/11/9II/4C6 r - - 0 1", "d4"),
    plan("board", "river", "6c4/9ii/11/11/11/11/5A5/11/11/11/9II/4C6 r - - 0 1", "f6"),
    plan("board", "ships", "6c4/9ii/11/11/11/11/11/2N8/11/11/9II/5C5 r - - 0 1", "c5"),
    plan("stacks", "stack", "6c4/9ii/11/11/11/11/11/2(NFT)8/11/11/9II/5C5 r - - 0 1", "c5"),
    plan("stacks", "combine", "6c4/9ii/11/11/11/11/11/4T6/4I6/11/9II/5C5 r - - 0 1", "e4"),
    Plan { steps: &["F>h7", "T>e6"], ..plan("deploy", "deploy", "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1", "e4") },
    Plan { steps: &["F>h7"], ..plan("deploy", "recombine", "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1", "e4") },
    Plan { single: true, ..plan("stacks", "landing", "6c4/9ii/11/11/11/11/11/11/11/1(NT)9/9II/5C5 r - - 0 1", "b3") },
    plan("strikes", "stay", "6c4/9ii/11/11/11/11/11/11/11/n1T8/9II/5C5 r - - 0 1", "c3"),
    plan("strikes", "strike", "6c4/9ii/11/11/11/4i6/11/4F6/11/11/9II/5C5 r - - 0 1", "e5"),
    Plan { cover: true, ..plan("air-defence", "air", "6c4/9ii/11/11/6g4/6i4/11/6F4/11/11/9II/5C5 r - - 0 1", "g5") },
    plan("heroic", "heroic", "6c4/9ii/11/11/11/11/11/4+T6/11/11/9II/5C5 r - - 0 1", "e5"),
    plan("commander", "exposed", "6c4/9ii/11/11/11/11/11/11/11/11/9II/5C5 r - - 0 1", "f1"),
    plan("mates", "mate", "4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2C r - - 0 1", ""),
    plan("", "draws", "11/11/11/11/11/11/11/11/3C7/4+M6/2c8/11 b - - 7 4", ""),
    Plan { victory: "marine", ..plan("", "victories", "6c4/9ii/11/11/11/2n8/2N8/11/11/11/9II/5C5 r - - 0 1", "c6") },
];

/// A lesson as a page shows it.
pub(crate) struct Lesson {
    pub(crate) key: &'static str,
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) fen: &'static str,
    /// The steps of a deploy that its board begins with, as JSON.
    pub(crate) steps: String,
    pub(crate) victory: &'static str,
    pub(crate) chapter: &'static str,
    pub(crate) svg: String,
}

#[derive(Template)]
#[template(path = "rules.html")]
struct Rules {
    page: Page,
    lessons: Vec<Lesson>,
    legend: Vec<(String, String)>,
}

/// The page that teaches Cờ Tư Lệnh.
pub(crate) fn rules(page: Page) -> Response {
    let lessons = PLANS
        .iter()
        .filter_map(|plan| lesson(plan, &page))
        .collect();
    let legend = [
        (Mark::Move, "mark-move"),
        (Mark::Join, "mark-join"),
        (Mark::Take, "mark-take"),
        (Mark::Strike, "mark-strike"),
        (Mark::Both, "mark-both"),
        (Mark::Kamikaze, "mark-kamikaze"),
    ];
    let legend = legend.map(|(mark, key)| (mark.icon(), page.t(key))).into();
    render(&Rules {
        page,
        lessons,
        legend,
    })
}

fn lesson(plan: &Plan, page: &Page) -> Option<Lesson> {
    let title = page.t(&format!("lesson-{}", plan.key));
    let svg = picture(plan)?.linked(&page.t1("lesson-board", "lesson", &title));
    Some(Lesson {
        key: plan.key,
        text: page.t(&format!("lesson-{}-text", plan.key)),
        title,
        fen: plan.fen,
        steps: serde_json::to_string(plan.steps).ok()?,
        victory: plan.victory,
        chapter: plan.chapter,
        svg,
    })
}

/// The board of a lesson, marked by the rules.
fn picture(plan: &Plan) -> Option<Picture> {
    let mut position: Position = plan.fen.parse().ok()?;
    let mut arrows = Vec::new();
    for step in plan.steps {
        let action = position.read_move(step).ok()?;
        arrows.push((at(action.from()), at(action.to())));
        position = position.play(action).ok()?;
    }
    let mut picture = Picture::new(&position, false);
    picture.arrows = arrows;
    if plan.cover {
        picture.cover = position
            .air_cover(!position.turn())
            .into_iter()
            .map(at)
            .collect();
    }
    let Ok(from) = plan.from.parse::<Square>() else {
        return Some(picture);
    };
    picture.chosen = Some(at(from));
    let steps = plan.single || position.deploy().is_some();
    let mut marks: BTreeMap<(u8, u8), Vec<MoveKind>> = BTreeMap::new();
    let shown =
        |action: &&Move| action.from() == from && action.is_step() == steps && !action.is_commit();
    for action in position.legal_moves().iter().filter(shown) {
        marks
            .entry(at(action.to()))
            .or_default()
            .push(action.kind());
    }
    picture.marks = marks
        .into_iter()
        .map(|(square, kinds)| (square, mark(&kinds)))
        .collect();
    Some(picture)
}

fn mark(kinds: &[MoveKind]) -> Mark {
    let has = |kind| kinds.contains(&kind);
    match () {
        () if has(MoveKind::Capture) && has(MoveKind::StayCapture) => Mark::Both,
        () if has(MoveKind::StayCapture) => Mark::Strike,
        () if has(MoveKind::Kamikaze) => Mark::Kamikaze,
        () if has(MoveKind::Capture) => Mark::Take,
        () if has(MoveKind::Combine) => Mark::Join,
        () => Mark::Move,
    }
}

fn at(square: Square) -> (u8, u8) {
    (square.file(), square.rank())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lesson_has_a_board_that_shows_something() {
        for plan in PLANS {
            let picture = picture(plan).unwrap_or_else(|| panic!("{}: no board", plan.key));
            assert_eq!(
                picture.marks.is_empty(),
                plan.from.is_empty(),
                "{}",
                plan.key
            );
        }
    }

    #[test]
    fn marks_are_what_the_lesson_speaks_of() {
        let marks = |key| {
            let plan = PLANS.iter().find(|plan| plan.key == key).unwrap();
            let picture = picture(plan).unwrap();
            picture
                .marks
                .into_iter()
                .map(|(_, mark)| mark)
                .collect::<Vec<_>>()
        };
        assert!(marks("stay").contains(&Mark::Strike));
        assert!(marks("strike").contains(&Mark::Both));
        assert!(marks("air").contains(&Mark::Kamikaze));
        assert!(marks("combine").contains(&Mark::Join));
        assert!(marks("t").contains(&Mark::Take));
        assert!(marks("recombine").contains(&Mark::Join));
        assert!(marks("victories").contains(&Mark::Take));
    }

    #[test]
    fn every_chapter_that_a_lesson_names_is_there() {
        let course = crate::learn::course(crate::cotulenh::NAME).unwrap();
        for plan in PLANS.iter().filter(|plan| !plan.chapter.is_empty()) {
            let found = course
                .chapters
                .iter()
                .any(|chapter| chapter.id == plan.chapter);
            assert!(found, "{}: no chapter {}", plan.key, plan.chapter);
        }
    }
}
