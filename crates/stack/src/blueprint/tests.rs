use super::*;

/// The fault of a text, as it is told.
fn fault(text: &str) -> String {
    Blueprint::parse(text).unwrap_err().to_string()
}

#[test]
fn a_blueprint_reads_back_as_written() {
    let blueprint = Blueprint::parse(crate::COTULENH_BLUEPRINT).unwrap();
    assert_eq!(Blueprint::parse(&blueprint.to_string()), Ok(blueprint));
    assert_eq!(blueprint.len(), 11);
    assert_eq!(blueprint.show_set(blueprint.carriers()), "TFENH");
}

#[test]
fn a_fault_is_told_with_its_place() {
    assert_eq!(
        fault("role T tank\n\n  wagon"),
        "line 3, column 3: a line begins with `role` or `carrier`, not \"wagon\""
    );
}
