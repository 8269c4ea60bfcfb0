//! The table, row by row, as the design lists it.

use crate::story::workflow::{Actor, Hook, TABLE, Task, Way, rank, row, targets};
use crate::story::{Role, Status};

const ROWS: &str = "
1 Draft > Ready : PO
2 Ready > Tests Ready : QA
3 Ready > Draft : QA
4 Tests Ready > In Review : Dev
5 Tests Ready > Tests Ready : QA
6 In Progress > In Review : Dev
7 In Review > Business Review : Reviewer
8 In Review > In Progress : Reviewer
9 Business Review > Done : PO
10 Business Review > In Review : PO
11 Business Review > In Progress : PO
12 * > Blocked : orchestrator
13 Blocked > Ready : orchestrator
14 * > Failed : orchestrator";

#[test]
fn the_table_has_the_fourteen_rows_of_the_design() {
    let shown: Vec<String> = TABLE
        .iter()
        .map(|row| {
            let from = row.from.map_or("*", Status::as_str);
            let by = match row.by {
                Actor::Agent(role) => role.short(),
                Actor::Orchestrator => "orchestrator",
            };
            format!("{} {from} > {} : {by}", row.number, row.to)
        })
        .collect();
    assert_eq!(shown.join("\n"), ROWS.trim());
}

#[test]
fn no_agent_has_another_move_than_the_tables() {
    let mut legal = 0;
    for &from in Status::ALL {
        for &to in Status::ALL {
            for &role in Role::ALL {
                let listed =
                    TABLE.iter().any(|row| row.from == Some(from) && row.to == to && row.by == Actor::Agent(role));
                assert_eq!(row(from, to, role).is_some(), listed, "{from} {to} {role}");
                assert_eq!(targets(from, role).any(|target| target == to), listed);
                legal += u32::from(listed);
            }
        }
    }
    assert_eq!(legal, 11);
    assert!(TABLE.iter().all(|row| row.way != Way::Automatic || row.by == Actor::Orchestrator));
}

#[test]
fn a_move_backwards_is_never_held_up_by_a_hook() {
    for row in TABLE {
        let expected = match row.number {
            2 | 5 => Some(Hook::PostQa),
            4 | 6 => Some(Hook::PostDev),
            7 => Some(Hook::PostReviewer),
            _ => None,
        };
        assert_eq!(row.hook, expected, "row {}", row.number);
    }
}

#[test]
fn every_state_that_is_worked_has_a_task_whose_role_has_a_row_there() {
    for &status in Status::ALL {
        for repair in [false, true] {
            match Task::of(status, repair) {
                Some(task) => {
                    assert_eq!(task.status(), status);
                    assert!(targets(status, task.role()).next().is_some());
                    assert!(rank(status) > 0);
                    assert_eq!(Task::parse(task.as_str()), Some(task));
                }
                None => assert!(status.is_terminal() || status == Status::Blocked),
            }
        }
    }
}

#[test]
fn states_are_read_as_people_write_them() {
    for (text, expected) in [
        ("Tests Ready", Some(Status::TestsReady)),
        ("tests   ready", Some(Status::TestsReady)),
        ("DONE", Some(Status::Done)),
        ("TestsReady", None),
        ("Hecho", None),
        ("", None),
        ("Ready Ready", None),
    ] {
        assert_eq!(Status::read(text), expected, "{text}");
    }
    assert_eq!(Status::nearest("TestsReady"), Some(Status::TestsReady));
    assert_eq!(Status::nearest("Redy"), Some(Status::Ready));
    assert_eq!(Status::nearest("Zzz"), None);
}
