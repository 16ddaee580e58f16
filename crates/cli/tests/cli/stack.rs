//! `convoy stack` from outside.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What a command printed on stdout and stderr, and whether it succeeded.
fn convoy(words: &[&str]) -> (String, String, bool) {
    let output = Command::new(env!("CARGO_BIN_EXE_convoy"))
        .arg("stack")
        .args(words)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (stdout, stderr, output.status.success())
}

/// The answer to a command that succeeds.
fn told(words: &[&str]) -> String {
    let (stdout, stderr, success) = convoy(words);
    assert!(success, "{words:?}: {stderr}");
    assert_eq!(stderr, "");
    stdout
}

/// The one line that a refused command says on stderr.
fn refused(words: &[&str]) -> String {
    let (_, stderr, success) = convoy(words);
    assert!(!success, "{words:?}");
    let lines: Vec<&str> = stderr.lines().collect();
    assert_eq!(lines.len(), 1, "{stderr}");
    lines[0].to_owned()
}

/// A blueprint file for this test alone.
fn file(name: &str, text: impl AsRef<[u8]>) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn pieces_combine_in_any_order_and_spelling() {
    for words in [
        &["combine", "TFN"][..],
        &["combine", "N|F", "T"],
        &["combine", "(N|FT)"],
        &["combine", "tank", "Air Force", "navy"],
    ] {
        assert_eq!(told(words), "N|FT  mask 704  state 0x4000800200\n");
    }
    assert_eq!(
        told(&["combine", "+tn"]),
        "n|+t  mask 576  state 0x400200\n"
    );
    assert_eq!(told(&["combine", "C"]), "C  mask 1  state 0x1\n");
}

#[test]
fn refusals_are_one_line_with_every_reason() {
    #[rustfmt::skip]
    let table = [
        (&["combine", "NTI"][..], "convoy: N T I make no stack: tank has no slot for navy; navy has one slot for infantry and tank"),
        (&["combine", "TT"], "convoy: T T make no stack: tank comes twice"),
        (&["combine", "CIMAG"], "convoy: C I M A G make no stack: there are more than 4 pieces; none of commander, infantry, militia, artillery and anti_air carries another"),
        (&["combine", "NB"], "convoy: no role is called \"B\"; there are C I M A G S T F E N H (in \"NB\")"),
        (&["combine", "Nf"], "convoy: N and f are of two colours, and a stack is of one"),
        (&["combine", "N+"], "convoy: \"N+\" ends in a plus that marks no piece"),
        (&["combine", "++N"], "convoy: \"++N\" has two pluses in a row"),
        (&["combine", "()"], "convoy: \"()\" names no piece"),
        (&["validate", "TTA"], "convoy: T T A make no stack"),
        (&["remove", "NTI", "N"], "convoy: NTI is no stack: tank has no slot for navy"),
        (&["remove", "NF", "tank"], "convoy: N|F holds no tank"),
        (&["remove", "NF", "balloon"], "convoy: no role is called \"balloon\"; there are C I M A G S T F E N H"),
    ];
    for (words, expected) in table {
        assert_eq!(refused(words), expected);
    }
    let (stdout, _, _) = convoy(&["validate", "TTA"]);
    assert_eq!(stdout, "tank comes twice\ntank has no slot for artillery\n");
}

#[test]
fn removal_is_by_letter_or_name() {
    assert_eq!(told(&["remove", "NF+T", "navy"]), "F|+T\n");
    assert_eq!(told(&["remove", "NFT", "f"]), "N|T\n");
    assert_eq!(told(&["remove", "NFT", "Air Force"]), "N|T\n");
    assert_eq!(told(&["remove", "N", "N"]), "nothing is left\n");
}

#[test]
fn an_explanation_shows_masks_and_each_carrier() {
    let expected = "\
I  infantry           2
T  tank              64
N  navy             512
mask 578 = 0b01001000010: no stack

tank as the carrier:
  slot 1 [commander infantry militia]: infantry
  no: tank has no slot for navy
navy as the carrier:
  slot 1 [air_force]: empty
  slot 2 [commander infantry militia tank]: infantry and tank
  no: navy has one slot for infantry and tank
infantry carries nobody

no stack holds infantry, tank and navy together
";
    assert_eq!(told(&["explain", "NTI"]), expected);
    assert!(told(&["explain", "NFT"]).contains(": N|FT, state 0x4000800200\n"));
    assert_eq!(told(&["validate", "IT"]), "T|I is a lawful stack\n");
    let conflicts = "no stack holds artillery and air_force together\n\
                     no stack holds artillery and navy together\n";
    assert_eq!(told(&["conflicts", "NFA"]), conflicts);
    assert_eq!(told(&["conflicts", "NFT"]), "no conflict\n");
}

#[test]
fn splits_and_combinations_are_listed() {
    let expected = "N|FT\nN|F T\nN|T F\nN F|T\nN F T\n5 splits\n";
    assert_eq!(told(&["splits", "TNF"]), expected);
    assert_eq!(told(&["splits", "C"]), "C\n1 split\n");
    assert_eq!(told(&["splits", "TII"]), "T|I I\nT I I\n2 splits\n");
    assert_eq!(
        told(&["splits", "TI+I"]),
        "T|I +I\nT|+I I\nT I +I\n3 splits\n"
    );
    assert!(told(&["splits", "CIMAGSTFENH"]).ends_with("\n384 splits\n"));
    assert_eq!(
        told(&["combinations", "NTI"]),
        "\
I      mask     2  state 0x2
T      mask    64  state 0x40
N      mask   512  state 0x200
T|I    mask    66  state 0x20040
N|I    mask   514  state 0x20200
N|T    mask   576  state 0x400200
"
    );
    assert_eq!(
        told(&["combinations", "TI", "--json"]),
        "[{\"mask\":2,\"stack\":\"I\",\"state\":\"0x2\"},\
         {\"mask\":64,\"stack\":\"T\",\"state\":\"0x40\"},\
         {\"mask\":66,\"stack\":\"T|I\",\"state\":\"0x20040\"}]\n"
    );
    let all = told(&["combinations"]);
    assert_eq!(all.lines().count(), 34);
    assert!(all.contains("N|FT   mask   704  state 0x4000800200\n"));
}

#[test]
fn the_tree_is_drawn_as_text_and_svg() {
    let expected = "TI\n├─ T\n│  └─ T|I  all of them\n└─ I\n";
    assert_eq!(told(&["tree", "IT"]), expected);
    let svg = told(&["tree", "--svg"]);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<rect").count(), 34);
}

#[test]
fn a_variant_comes_from_a_file() {
    let text = "role W wagon\nrole D drone\nrole X crate\ncarrier wagon [drone] [crate]\n";
    let path = file("variant.blueprint", text);
    let with = ["--blueprint", path.as_str()];
    assert_eq!(
        told(&[&["combine", "XWD"], &with[..]].concat()),
        "W|DX  mask 7  state 0x400020001\n"
    );
    assert_eq!(
        refused(&[&["remove", "WDX", "wagon"], &with[..]].concat()),
        "convoy: what is left of W|DX is no stack: none of drone and crate carries another"
    );
    let shown = told(&[&["blueprint"], &with[..]].concat());
    assert!(shown.starts_with(text));
    assert!(shown.ends_with("# note: W|DX is a stack, its part DX is none\n"));
    let again = file("again.blueprint", shown);
    assert_eq!(
        told(&["combinations", "--blueprint", &again]),
        "\
W      mask     1  state 0x1
D      mask     2  state 0x2
X      mask     4  state 0x4
W|D    mask     3  state 0x20001
W|X    mask     5  state 0x40001
W|DX   mask     7  state 0x400020001
"
    );
    let yaml = file("navy.yaml", "blueprints:\n  NAVY:\n    - [TANK]\n");
    assert_eq!(
        told(&["combine", "TN", "--blueprint", &yaml]),
        "N|T  mask 576  state 0x400200\n"
    );
    let built_in = file("built-in.blueprint", told(&["blueprint"]));
    assert_eq!(told(&["tree", "--blueprint", &built_in]), told(&["tree"]));
}

#[test]
fn a_bad_blueprint_is_refused_in_one_line() {
    let path = file("bad.blueprint", "role T tank\ncarrier tank [infantry]");
    assert_eq!(
        refused(&["tree", "--blueprint", &path]),
        format!("convoy: {path}: line 2, column 15: no role is called \"infantry\"")
    );
    let path = file("bytes.blueprint", [0xff, 0xfe]);
    assert!(refused(&["tree", "--blueprint", &path]).contains(&path));
    assert!(
        refused(&["tree", "--blueprint", "no such file"]).starts_with("convoy: no such file: ")
    );
}

#[test]
fn help_has_examples() {
    for words in [&["--help"][..], &["explain", "--help"], &["tree", "--help"]] {
        assert!(told(words).contains("Example"), "{words:?}");
    }
}
