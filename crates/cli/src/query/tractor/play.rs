//! What may be played and who wins: lead, follow, trick, throw.

use serde::{Deserialize, Serialize};
use tractor::{CardSet, Faces, Group, Judge, Knowledge, Lead, LeadError, Suit, Trick};

use super::cards::{Named, Notation, RulesText, TrumpText, hand, judge, seat};
use super::shape::{PlaysText, components, type_word};

use super::{Answer, Fault, write};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LeadRequest {
    trump: TrumpText,
    #[serde(default)]
    rules: RulesText,
    #[serde(default)]
    seat: usize,
    hand: Vec<Named>,
    #[serde(default)]
    played: Vec<Named>,
    /// The suits that each seat has shown void.
    #[serde(default)]
    voids: Option<[String; 4]>,
    #[serde(default)]
    kitty: Option<Vec<Named>>,
    cards: Vec<Named>,
}

#[derive(Debug, Serialize)]
struct LeadAnswer {
    r#type: &'static str,
    valid: bool,
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    multi: Option<Multi>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Multi {
    void_seats: Vec<usize>,
    beatable: Vec<Vec<String>>,
    components: Vec<(char, Vec<String>)>,
    /// For each beatable component, unseen cards that beat it.
    beaten_by: Vec<Vec<String>>,
}

pub(super) fn lead(request: &LeadRequest) -> Answer {
    let judge = judge(&request.trump, &request.rules)?;
    let seat = seat(request.seat)?;
    let mut notation = Notation::default();
    let held = notation.set(&request.hand)?;
    let mut seen = held.faces();
    for list in [Some(&request.played), request.kitty.as_ref()]
        .into_iter()
        .flatten()
    {
        let cards = notation.set(list)?;
        seen = seen.plus(cards.faces()).ok_or_else(|| {
            Fault::new("cards", "a card is there more often than two decks have it")
        })?;
    }
    let unseen = Faces::FULL.less(seen).unwrap_or_default();
    let mut voids = [0; 3];
    for (offset, groups) in voids.iter_mut().enumerate() {
        let text = request
            .voids
            .as_ref()
            .map(|voids| &voids[seat.after(offset + 1).index()]);
        for letter in text.into_iter().flat_map(|text| text.chars()) {
            let suit = Suit::from_letter(letter)
                .ok_or_else(|| Fault::new("malformed", format!("{letter:?} is no suit")))?;
            *groups |= 1 << Group::Plain(suit).index();
        }
    }
    let known = Knowledge {
        unseen: judge.ranked(unseen),
        voids,
    };
    let cards = match notation.try_set(&request.cards)? {
        Ok(cards) => cards,
        Err(reason) => {
            return write(&LeadAnswer {
                r#type: "Invalid",
                valid: false,
                reason: Some(reason),
                multi: None,
            });
        }
    };
    let cards = notation.of_hand(held, cards);
    let play = hand(&judge, cards);
    let refusal = match held.less(cards) {
        Some(_) => judge.check_lead(hand(&judge, held), play, &known).err(),
        None => not_held(held, cards),
    };
    let throw = judge.detect(play, Some(&known));
    let word = match judge.lead(play) {
        Ok(_) if throw.is_some() => "Multi",
        Ok(lead) => type_word(lead.kind()),
        Err(_) => "Invalid",
    };
    let multi = throw.and_then(|throw| {
        let weak = throw.validation?;
        let list = |part| notation.show_part(&mut cards.clone(), judge.faces(part));
        Some(Multi {
            void_seats: (1..4)
                .filter(|offset| weak.void[offset - 1])
                .map(|offset| seat.after(offset).index())
                .collect(),
            beatable: weak
                .beatable
                .iter()
                .map(|weak| list(weak.combo.cards))
                .collect(),
            components: components(&judge, &notation, cards),
            beaten_by: weak
                .beatable
                .iter()
                .map(|weak| {
                    judge
                        .faces(weak.by)
                        .iter()
                        .map(|face| face.to_string())
                        .collect()
                })
                .collect(),
        })
    });
    write(&LeadAnswer {
        r#type: word,
        valid: refusal.is_none(),
        reason: refusal.map(|refusal| refusal.to_string()),
        multi,
    })
}

/// The refusal for a card that is not in the hand.
fn not_held(held: CardSet, cards: CardSet) -> Option<LeadError> {
    let missing = cards.iter().find(|&card| !held.has(card))?;
    Some(LeadError::NotHeld(missing.face()))
}

#[derive(Debug, Deserialize)]
pub(super) struct FollowRequest {
    trump: TrumpText,
    #[serde(default)]
    rules: RulesText,
    lead: Vec<Named>,
    hand: Vec<Named>,
    tries: Vec<Vec<Named>>,
}

#[derive(Debug, Serialize)]
struct FollowAnswer {
    verdicts: Vec<(u8, Option<String>)>,
}

pub(super) fn follow(request: &FollowRequest) -> Answer {
    let judge = judge(&request.trump, &request.rules)?;
    let mut notation = Notation::default();
    let led = read_lead(&judge, notation.set(&request.lead)?)?;
    let held = notation.set(&request.hand)?;
    let duty = judge.duty(&led, hand(&judge, held));
    let mut verdicts = Vec::with_capacity(request.tries.len());
    for cards in &request.tries {
        let verdict = match notation.try_set(cards)? {
            Err(reason) => Err(reason),
            Ok(cards) => {
                let cards = notation.of_hand(held, cards);
                match cards.iter().find(|&card| !held.has(card)) {
                    Some(card) => Err(format!("you do not hold {}", notation.show(card))),
                    None => duty
                        .check(hand(&judge, cards))
                        .map_err(|refusal| refusal.to_string()),
                }
            }
        };
        verdicts.push((u8::from(verdict.is_ok()), verdict.err()));
    }
    write(&FollowAnswer { verdicts })
}

/// Cards as a lead: of one group.
fn read_lead(judge: &Judge, cards: CardSet) -> Result<Lead, Fault> {
    judge
        .lead(hand(judge, cards))
        .map_err(|refusal| Fault::new("lead", refusal.to_string()))
}

#[derive(Debug, Deserialize)]
pub(super) struct TrickRequest {
    trump: TrumpText,
    #[serde(default)]
    rules: RulesText,
    plays: PlaysText,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct TrickAnswer {
    win_after: Vec<usize>,
    winner: usize,
    points: u32,
}

pub(super) fn trick(request: &TrickRequest) -> Answer {
    let judge = judge(&request.trump, &request.rules)?;
    let mut notation = Notation::default();
    let [(leader, led), rest @ ..] = &request.plays[..] else {
        return Err(Fault::new("malformed", "a trick has at least its lead"));
    };
    if rest.len() > 3 {
        return Err(Fault::new("malformed", "a trick has at most four plays"));
    }
    let led = notation.set(led)?;
    let mut gone = led.faces();
    let mut trick = Trick::new(read_lead(&judge, led)?, &judge);
    let mut seats = vec![seat(*leader)?.index()];
    let mut win_after = seats.clone();
    for (by, cards) in rest {
        let cards = notation.set(cards)?;
        gone = gone
            .plus(cards.faces())
            .ok_or_else(|| Fault::new("cards", "a card is played more often than it is there"))?;
        seats.push(seat(*by)?.index());
        trick.play(&judge, hand(&judge, cards));
        win_after.push(seats[trick.winner()]);
    }
    write(&TrickAnswer {
        win_after,
        winner: seats[trick.winner()],
        points: gone.points(),
    })
}

#[derive(Debug, Deserialize)]
pub(super) struct ThrowRequest {
    trump: TrumpText,
    #[serde(default)]
    rules: RulesText,
    hand: Vec<Named>,
    cards: Vec<Named>,
    others: [Vec<Named>; 3],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ThrowAnswer {
    ok: bool,
    played: Vec<String>,
    better_seat_offset: Option<usize>,
    units: Vec<Vec<String>>,
}

/// What becomes of a throw against the real hands, whatever `throw_mode` says.
pub(super) fn throw(request: &ThrowRequest) -> Answer {
    let judge = judge(&request.trump, &request.rules)?;
    let mut notation = Notation::default();
    let held = notation.set(&request.hand)?;
    let cards = notation.set(&request.cards)?;
    let cards = notation.of_hand(held, cards);
    if let Some(refusal) = not_held(held, cards) {
        return Err(Fault::new("illegal", refusal.to_string()));
    }
    let mut others = [tractor::RankedCards::EMPTY; 3];
    for (other, list) in others.iter_mut().zip(&request.others) {
        *other = hand(&judge, notation.set(list)?);
    }
    let led = read_lead(&judge, cards)?;
    if led.is_throw() && led.group().is_trump() && !judge.rules().allow_trump_throw {
        return Err(Fault::new("illegal", LeadError::TrumpThrow.to_string()));
    }
    let outcome = judge.challenge(led, others);
    write(&ThrowAnswer {
        ok: outcome.stopper.is_none(),
        played: notation.show_part(&mut cards.clone(), judge.faces(outcome.lead.cards())),
        better_seat_offset: outcome.stopper,
        units: components(&judge, &notation, cards)
            .into_iter()
            .map(|(_, cards)| cards)
            .collect(),
    })
}
