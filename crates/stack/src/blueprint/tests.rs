use super::*;

#[test]
fn a_blueprint_reads_back_as_written() {
    let blueprint = Blueprint::parse(crate::COTULENH_BLUEPRINT).unwrap();
    assert_eq!(Blueprint::parse(&blueprint.to_string()), Ok(blueprint));
    assert_eq!(blueprint.len(), 11);
    assert_eq!(blueprint.show_set(blueprint.carriers()), "TFENH");
}

#[test]
fn letters_names_comments_and_commas_are_read() {
    let long = Blueprint::parse("role T Tank\nrole A Anti-Air\ncarrier tank [anti_air]").unwrap();
    let short = "# comment\r\n\trole t tank # comment [\r\nrole a anti_air\r\n\r\ncarrier T [,A,]#";
    assert_eq!(Blueprint::parse(short), Ok(long));
}

/// What is wrong with a text is told with the place where it is wrong.
#[test]
fn bad_blueprints_are_refused_with_a_reason() {
    let seventeen: Vec<String> = ('A'..='Q')
        .map(|letter| format!("role {letter} role_{letter}"))
        .collect();
    let seventeen = seventeen.join("\n");
    let roles = "role T tank\nrole I infantry\nrole M militia\nrole N navy\nrole F air_force\n";
    #[rustfmt::skip]
    let table = [
        ("", "line 1, column 1: the blueprint declares no role"),
        ("# nothing\n", "line 2, column 1: the blueprint declares no role"),
        ("roles T tank", "line 1, column 1: a line begins with `role` or `carrier`, not \"roles\""),
        ("Role T tank", "line 1, column 1: a line begins with `role` or `carrier`, not \"Role\""),
        ("[tank]", "line 1, column 1: a line begins with `role` or `carrier`, not \"[\""),
        ("  ]", "line 1, column 3: a line begins with `role` or `carrier`, not \"]\""),
        ("hải quân", "line 1, column 1: a line begins with `role` or `carrier`, not \"hải\""),
        ("# hải quân\n, hảiquânhảiquânhảiquânhảiquân", "line 2, column 3: a line begins with `role` or `carrier`, not \"hảiquânhảiquânh…\""),
        ("role", "line 1, column 5: a role needs a letter and a name"),
        ("role # T tank", "line 1, column 14: a role needs a letter and a name"),
        ("role tank T", "line 1, column 6: a role's letter is one of A to Z, not \"tank\""),
        ("role 1 tank", "line 1, column 6: a role's letter is one of A to Z, not \"1\""),
        ("role Đ xe_tang", "line 1, column 6: a role's letter is one of A to Z, not \"Đ\""),
        ("role T\n", "line 1, column 7: the role has a letter but no name"),
        ("role T [tank]", "line 1, column 8: the role has a letter but no name"),
        ("role T t", "line 1, column 8: a name is 2 to 24 letters, digits or underscores, a letter first, not \"t\""),
        ("role T 2tanks", "line 1, column 8: a name is 2 to 24 letters, digits or underscores, a letter first, not \"2tanks\""),
        ("role T xe_tăng", "line 1, column 8: a name is 2 to 24 letters, digits or underscores, a letter first, not \"xe_tăng\""),
        ("role T a_name_of_five_and_twenty", "line 1, column 8: a name is 2 to 24 letters, digits or underscores, a letter first, not \"a_name_of_five_and_tw…\""),
        ("role T tank heavy", "line 1, column 13: \"heavy\" is one word too many"),
        ("role T tank [infantry]", "line 1, column 13: \"[\" is one word too many"),
        ("role T tank]", "line 1, column 12: \"]\" is one word too many"),
        ("role T tank\nrole t truck", "line 2, column 6: two roles have the letter T"),
        ("role T anti-air\nrole G Anti_Air", "line 2, column 8: two roles are called \"anti_air\""),
        (seventeen.as_str(), "line 17, column 1: there are more than 16 roles"),
        ("carrier tank [infantry]", "line 1, column 9: no role is called \"tank\""),
        ("+carrier", "line 6, column 8: `carrier` needs a role and its slots"),
        ("+carrier [tank]", "line 6, column 9: `carrier` needs a role and its slots"),
        ("+carrier balloon [tank]", "line 6, column 9: no role is called \"balloon\""),
        ("+carrier tank", "line 6, column 13: tank has no slot: write `[` roles `]` for each"),
        ("+carrier tank infantry", "line 6, column 14: \"infantry\" is one word too many"),
        ("+carrier tank ]", "line 6, column 14: \"]\" is one word too many"),
        ("+carrier tank [infantry] militia", "line 6, column 25: \"militia\" is one word too many"),
        ("+carrier tank []", "line 6, column 15: the slot is for no role"),
        ("+carrier tank [infantry", "line 6, column 23: the slot has no closing bracket"),
        ("+carrier tank [infantry\nmilitia]", "line 6, column 23: the slot has no closing bracket"),
        ("+carrier tank [[infantry]]", "line 6, column 15: the slot has no closing bracket"),
        ("+carrier tank [infantry X]", "line 6, column 24: no role is called \"X\""),
        ("+carrier tank [infantry tank]", "line 6, column 24: tank stands in a slot of its own"),
        ("+carrier tank [infantry I]", "line 6, column 24: infantry stands twice in the slot"),
        ("+carrier navy [tank] [infantry T]", "line 6, column 31: tank stands in two slots of the same carrier"),
        ("+carrier navy [T] [I] [M] [F]", "line 6, column 26: navy has more than 3 slots"),
        ("+carrier tank [infantry]\ncarrier T [militia]", "line 7, column 9: the slots of tank are given twice"),
        ("+carrier navy [tank]\ncarrier tank [I] [navy]", "line 7, column 19: tank and navy would carry each other: no telling who is the carrier"),
    ];
    for (text, expected) in table {
        let text = text
            .strip_prefix('+')
            .map_or_else(|| text.to_owned(), |rest| format!("{roles}{rest}"));
        let error = Blueprint::parse(&text).unwrap_err();
        assert_eq!(error.to_string(), expected, "{text}");
    }
}

#[test]
fn a_role_is_found_however_it_is_spelled() {
    let blueprint = crate::COTULENH.blueprint();
    for word in ["F", "f", "air_force", "AIR_FORCE", "Air Force", "air-force"] {
        assert_eq!(blueprint.role(word).map(Role::index), Some(7), "{word}");
    }
    for word in ["", "B", "airforce", "air__force", "F ", "không quân"] {
        assert_eq!(blueprint.role(word), None, "{word}");
    }
    assert_eq!(blueprint.read_set("NN"), None);
    assert_eq!(blueprint.read_set("NB"), None);
}

/// The founding document's own file, with the carriers that its table adds.
const YAML: &str = "\
# blueprints.yaml
blueprints:
  NAVY:
    - [AIR_FORCE] # Slot 1: Air Force only
    - [COMMANDER, INFANTRY, MILITIA, TANK] # Slot 2: Humanlike or Tank

  TANK:
    - [COMMANDER, INFANTRY, MILITIA] # Slot 1: Humanlike only

  ENGINEER:
    - [ARTILLERY, ANTI_AIR, MISSILE]

  AIR_FORCE:
    - [TANK]
    - [COMMANDER, INFANTRY, MILITIA]

  HEADQUARTER:
    - [COMMANDER]
";

#[test]
fn the_documents_yaml_is_the_built_in_blueprint() {
    let built_in = *crate::COTULENH.blueprint();
    assert_eq!(YAML.parse(), Ok(built_in));
    assert_eq!(Blueprint::parse_yaml(YAML), Ok(built_in));
    assert_eq!(crate::COTULENH_BLUEPRINT.parse(), Ok(built_in));
}

#[test]
fn yaml_lists_may_be_written_in_other_ways() {
    let plain = "blueprints:\n  TANK:\n    - [COMMANDER, INFANTRY]\n    - [MILITIA]\n";
    let expected = Blueprint::parse_yaml(plain).unwrap();
    for text in [
        "---\nblueprints:\n  TANK:\n  - [COMMANDER,\n     INFANTRY]\n  - [MILITIA]",
        "\u{feff}blueprints: # rules\r\n  \"tank\":\r\n    - - COMMANDER\r\n      - INFANTRY\r\n    - - militia\r\n",
        "blueprints:\n  T:\n    -\n      - 'C'\n      - I\n    - M\n",
    ] {
        assert_eq!(text.parse(), Ok(expected), "{text}");
    }
    let empty = "blueprints:\n".parse::<Blueprint>().unwrap();
    assert_eq!((empty.len(), empty.carriers()), (11, RoleSet::EMPTY));
}

#[test]
fn bad_yaml_is_refused_with_a_reason() {
    #[rustfmt::skip]
    let table = [
        ("- [TANK]", "line 1, column 1: a YAML blueprint begins with `blueprints:`"),
        ("", "line 1, column 1: a YAML blueprint begins with `blueprints:`"),
        ("blueprints:\nNAVY:\n", "line 2, column 1: neither a carrier such as `NAVY:` nor a slot such as `- [TANK]`: \"NAVY\""),
        ("blueprints:\n  NAVY [TANK]\n", "line 2, column 3: neither a carrier such as `NAVY:` nor a slot such as `- [TANK]`: \"NAVY [TANK]\""),
        ("blueprints:\n  - [TANK]\n", "line 2, column 3: `carrier` needs a role and its slots"),
        ("blueprints:\n  BALLOON:\n    - [TANK]\n", "line 2, column 3: no role is called \"BALLOON\""),
        ("blueprints:\n  NAVY:\n    - [TANK, BALLOON]\n", "line 3, column 14: no role is called \"BALLOON\""),
        ("blueprints:\n  NAVY:\n    - [TANK\n", "line 3, column 1: the slot has no closing bracket"),
        ("blueprints:\n  NAVY:\n    - []\n", "line 3, column 7: the slot is for no role"),
        ("blueprints:\n  NAVY:\n    - [TANK] MILITIA\n", "line 3, column 14: \"MILITIA\" is one word too many"),
        ("blueprints:\n  NAVY:\n    - [TANK, TANK]\n", "line 3, column 14: tank stands twice in the slot"),
        ("blueprints:\n  NAVY:\n    - [TANK]\n    - [T]\n", "line 4, column 8: tank stands in two slots of the same carrier"),
        ("blueprints:\n  NAVY:\n    - [NAVY]\n", "line 3, column 8: navy stands in a slot of its own"),
        ("blueprints:\n  NAVY:\n    - [TANK]\n  TANK:\n    - [NAVY]\n", "line 5, column 8: tank and navy would carry each other: no telling who is the carrier"),
        ("blueprints:\n  NAVY:\n  TANK:\n    - [MILITIA]\n", "line 3, column 3: navy has no slot: write `[` roles `]` for each"),
        ("blueprints:\n  TANK:\n    - [C]\n    - [I]\n    - [M]\n    - [A]\n", "line 6, column 1: tank has more than 3 slots"),
        ("blueprints:\n  TANK:\n    - [C]\n  TANK:\n    - [I]\n", "line 4, column 3: the slots of tank are given twice"),
    ];
    for (text, expected) in table {
        let error = Blueprint::parse_yaml(text).unwrap_err();
        assert_eq!(error.to_string(), expected, "{text}");
    }
}
