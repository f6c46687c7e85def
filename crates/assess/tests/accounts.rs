//! Who may come in: names, links, passwords, sessions, and what is left of whom who leaves.

use crate::common;

use assess::{
    AccountNo, Error, INVITATION_LIFE, InvitationNo, NewInvitation, Role, Secret, SessionLimits, Standing,
    State, account_name, folded_name,
};
use common::Place;
use lab::PoolKind;
use std::sync::Barrier;

const PASSWORD: &str = "a good long secret of tests";
const LIMITS: SessionLimits = SessionLimits { idle: 1000, life: 5000 };

fn link(place: &Place, role: Role, standing: Standing) -> Secret {
    let new = NewInvitation { recipient: "x@example.org".to_owned(), role, standing, life: INVITATION_LIFE };
    place.office.write(move |books| books.invite(&new, "tester")).unwrap().secret
}

fn events(place: &Place) -> Vec<String> {
    let read = place.office.read(|books| {
        let mut select =
            books.lab().database().prepare("SELECT who || ': ' || what FROM event ORDER BY rowid")?;
        let rows = select.query_map([], |row| row.get::<_, String>(0))?;
        Ok(rows.collect::<rusqlite::Result<Vec<_>>>()?)
    });
    read.unwrap()
}

/// Everything in the database, to look for what must not be there.
fn everything(place: &Place) -> Vec<u8> {
    let mut bytes = std::fs::read(place.root.join("lab.db")).unwrap();
    bytes.extend(std::fs::read(place.root.join("lab.db-wal")).unwrap_or_default());
    bytes
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

fn sentence<T: std::fmt::Debug>(result: assess::Result<T>) -> String {
    match result {
        Err(Error::Refused(sentence)) => sentence,
        other => panic!("{other:?}"),
    }
}

#[test]
fn names_are_plain_and_written_in_one_way() {
    for (typed, name) in [
        (" ada ", "ada"),
        ("Ada.Lovelace-2_x", "Ada.Lovelace-2_x"),
        ("e\u{301}mile", "émile"),
        ("李善蘭", "李善蘭"),
        ("2fast", "2fast"),
    ] {
        assert_eq!(account_name(typed).unwrap(), name);
    }
    let long = "x".repeat(41);
    for wrong in [
        "",
        " ",
        "a",
        ".ada",
        "-ada",
        "_ada",
        "a b",
        "a\tb",
        "a/b",
        "a\0b",
        "ada\n",
        "a<b>",
        "=cmd",
        "a'--",
        "a\u{202E}b",
        "a\u{200B}b",
        "🙂🙂",
        &long,
    ] {
        // What stands around a name is not part of it.
        if wrong.trim() != "ada" {
            assert!(account_name(wrong).is_err(), "{wrong:?}");
        }
    }
    assert_eq!(folded_name("STRASSE"), folded_name("straße"));
    assert_eq!(folded_name("ÉMILE"), folded_name("e\u{301}mile"));
}

#[test]
fn a_name_is_taken_in_whatever_case() {
    let place = Place::new("accounts-case");
    place.assessor("Émile");
    for taken in ["Émile", "émile", "E\u{301}MILE"] {
        let secret = link(&place, Role::Assessor, Standing::Active);
        let refused = sentence(place.office.join(&secret, taken, PASSWORD));
        assert!(refused.contains("taken"), "{refused}");
        // The link was not used up by that.
        place.office.read(move |books| books.invitation(&secret)).unwrap().unwrap();
    }
    assert_eq!(place.office.read(|books| books.accounts()).unwrap().len(), 1);
    assert!(place.office.read(|books| books.account_named("ÉMILE")).unwrap().is_some());
}

#[test]
fn a_link_is_used_once_even_by_two_at_the_same_time() {
    let place = Place::new("accounts-once");
    let secret = link(&place, Role::Assessor, Standing::Applicant);
    let (barrier, office) = (Barrier::new(4), &place.office);
    let joined = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|number| {
                let (secret, barrier) = (secret.clone(), &barrier);
                scope.spawn(move || {
                    barrier.wait();
                    office.join(&secret, &format!("name{number}"), PASSWORD).is_ok()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).filter(|joined| *joined).count()
    });
    assert_eq!(joined, 1);
    let accounts = place.office.read(|books| books.accounts()).unwrap();
    assert_eq!(accounts.len(), 1);
    assert_eq!((accounts[0].role, accounts[0].standing), (Role::Assessor, Standing::Applicant));
    assert!(sentence(place.office.join(&secret, "later", PASSWORD)).contains("cannot be used"));
}

#[test]
fn links_expire_and_can_be_withdrawn() {
    let place = Place::new("accounts-links");
    let old = link(&place, Role::Assessor, Standing::Active);
    place.pass(INVITATION_LIFE - 1);
    let looked = old.clone();
    assert!(place.office.read(move |books| books.invitation(&looked)).unwrap().is_some());
    place.pass(1);
    assert!(sentence(place.office.join(&old, "ada", PASSWORD)).contains("too old"));
    let withdrawn = link(&place, Role::Organiser, Standing::Active);
    let open = place.office.read(|books| books.open_invitations()).unwrap();
    assert_eq!(open.len(), 1);
    let number = open[0].number;
    place.office.write(move |books| books.withdraw_invitation(number, "tester")).unwrap();
    assert!(sentence(place.office.join(&withdrawn, "ada", PASSWORD)).contains("withdrawn"));
    sentence(place.office.write(move |books| books.withdraw_invitation(number, "tester")));
    sentence(place.office.write(move |books| books.withdraw_invitation(InvitationNo(99), "tester")));
    assert!(place.office.read(|books| books.open_invitations()).unwrap().is_empty());
    assert!(place.office.read(|books| books.accounts()).unwrap().is_empty());
}

#[test]
fn the_first_organiser_gets_a_link_until_there_is_one() {
    let place = Place::new("accounts-first");
    let invited = place.office.write(|books| books.first_invitation()).unwrap().unwrap();
    assert_eq!(invited.path(), format!("/join/{}", invited.secret.as_str()));
    let account = place.office.join(&invited.secret, "grace", PASSWORD).unwrap();
    assert_eq!((account.role, account.standing), (Role::Organiser, Standing::Active));
    assert!(place.office.write(|books| books.first_invitation()).unwrap().is_none());
}

#[test]
fn odd_invitations_are_refused() {
    let place = Place::new("accounts-odd");
    let try_one = |recipient: &str, role, standing| {
        let new = NewInvitation { recipient: recipient.to_owned(), role, standing, life: 10 };
        place.office.write(move |books| books.invite(&new, "tester"))
    };
    for (recipient, role, standing) in [
        ("", Role::Assessor, Standing::Active),
        ("  ", Role::Assessor, Standing::Active),
        ("two\nlines", Role::Assessor, Standing::Active),
        (&"x".repeat(201), Role::Assessor, Standing::Active),
        ("x", Role::Assessor, Standing::Left),
        ("x", Role::Organiser, Standing::Applicant),
    ] {
        sentence(try_one(recipient, role, standing));
    }
    assert!(place.office.read(|books| books.open_invitations()).unwrap().is_empty());
}

#[test]
fn signing_in_and_out() {
    let place = Place::new("accounts-in");
    let ada = place.assessor("ada");
    let signed_in = place.office.sign_in(" ADA", PASSWORD, LIMITS).unwrap().unwrap();
    assert_eq!(signed_in.account, ada);
    let session = |secret: &Secret| {
        let secret = secret.clone();
        place.office.read(move |books| books.session(&secret, &LIMITS)).unwrap()
    };
    assert_eq!(session(&signed_in.secret).unwrap().account, ada);
    assert!(session(&Secret::new().unwrap()).is_none());
    for (name, password) in [
        ("ada", "a good long secret of test"),
        ("ada", ""),
        ("nobody", PASSWORD),
        ("", ""),
        ("' OR '1'='1", "' OR '1'='1"),
        ("ada'; DROP TABLE account; --", PASSWORD),
        ("ada", &"x".repeat(100_000)),
    ] {
        assert!(place.office.sign_in(name, password, LIMITS).unwrap().is_none(), "{name:?}");
    }
    let secret = signed_in.secret.clone();
    place.office.write(move |books| books.sign_out(&secret, "ada")).unwrap();
    assert!(session(&signed_in.secret).is_none());
    let events = events(&place);
    assert_eq!(events.iter().filter(|event| event.ends_with("could not sign in")).count(), 7);
    assert!(events.iter().any(|event| event == "nobody: could not sign in"), "{events:?}");
    assert!(events.iter().all(|event| event.len() < 200));
}

#[test]
fn sessions_end_when_idle_and_in_any_case() {
    let place = Place::new("accounts-sessions");
    place.assessor("ada");
    let secret = place.office.sign_in("ada", PASSWORD, LIMITS).unwrap().unwrap().secret;
    let look = |secret: &Secret| {
        let secret = secret.clone();
        place.office.read(move |books| books.session(&secret, &LIMITS)).unwrap()
    };
    let touch = |secret: &Secret| {
        let secret = secret.clone();
        place.office.write(move |books| books.touch_session(&secret, &LIMITS)).unwrap();
    };
    place.pass(299);
    assert!(!look(&secret).unwrap().is_stale(place.office.now()));
    place.pass(1);
    assert!(look(&secret).unwrap().is_stale(place.office.now()));
    place.pass(699);
    assert!(look(&secret).is_some());
    place.pass(1);
    assert!(look(&secret).is_none(), "1000 seconds without being used");
    touch(&secret);
    assert!(look(&secret).is_none(), "nothing wakes it up");
    let secret = place.office.sign_in("ada", PASSWORD, LIMITS).unwrap().unwrap().secret;
    for _ in 0..5 {
        place.pass(999);
        touch(&secret);
        assert!(look(&secret).is_some());
    }
    place.pass(5);
    assert!(look(&secret).is_none(), "5000 seconds are over");
    let count = place.office.read(|books| books.num_sessions(AccountNo(1), &LIMITS)).unwrap();
    assert_eq!(count, 0);
    // Who signs in next sweeps.
    place.office.sign_in("ada", PASSWORD, LIMITS).unwrap().unwrap();
    let rows: i64 = place
        .office
        .read(|books| {
            Ok(books.lab().database().query_row("SELECT count(*) FROM session", [], |row| row.get(0))?)
        })
        .unwrap();
    assert_eq!(rows, 1);
}

#[test]
fn another_password_ends_all_sessions() {
    let place = Place::new("accounts-password");
    let ada = place.assessor("ada");
    let before = place.office.sign_in("ada", PASSWORD, LIMITS).unwrap().unwrap().secret;
    let office = &place.office;
    let wrong = sentence(office.change_password(ada.number, "not this one", "another good secret", LIMITS));
    assert!(wrong.contains("present password"), "{wrong}");
    assert!(sentence(office.change_password(ada.number, PASSWORD, "short", LIMITS)).contains("short"));
    assert!(place.office.sign_in("ada", PASSWORD, LIMITS).unwrap().is_some(), "it is still the old one");
    let after = office.change_password(ada.number, PASSWORD, "another good secret", LIMITS).unwrap().secret;
    let lives = |secret: &Secret| {
        let secret = secret.clone();
        place.office.read(move |books| books.session(&secret, &LIMITS)).unwrap().is_some()
    };
    assert!(!lives(&before) && lives(&after));
    assert!(place.office.sign_in("ada", PASSWORD, LIMITS).unwrap().is_none());
    assert!(place.office.sign_in("ada", "another good secret", LIMITS).unwrap().is_some());
}

#[test]
fn a_link_sets_a_password_that_was_lost() {
    let place = Place::new("accounts-reset");
    let ada = place.assessor("ada");
    let session = place.office.sign_in("ada", PASSWORD, LIMITS).unwrap().unwrap().secret;
    let make = || place.office.write(move |books| books.reset_link(ada.number, 100, "grace")).unwrap().secret;
    let (first, second) = (make(), make());
    sentence(place.office.join(&first, "", "another good secret"));
    assert!(sentence(place.office.join(&second, "eve", "ADA")).contains("short"));
    let account = place.office.join(&second, "eve", "another good secret").unwrap();
    assert_eq!(account, ada, "the name that was typed is not looked at");
    sentence(place.office.join(&second, "", "a third good secret"));
    assert!(place.office.read(move |books| books.session(&session, &LIMITS)).unwrap().is_none());
    assert!(place.office.sign_in("ada", "another good secret", LIMITS).unwrap().is_some());
    assert_eq!(place.office.read(|books| books.accounts()).unwrap().len(), 1);
}

#[test]
fn who_leaves_is_out_and_their_work_goes_to_others() {
    let place = Place::new("accounts-leave");
    let (ada, bob) = (place.assessor("ada"), place.assessor("bob"));
    place.batches(PoolKind::Answers, |plan| plan.judges = 1);
    let who = ada.clone();
    let work = place.office.write(move |books| books.take(&who)).unwrap().unwrap();
    let session = place.office.sign_in("ada", PASSWORD, LIMITS).unwrap().unwrap().secret;
    let reset = place.office.write(move |books| books.reset_link(ada.number, 100, "grace")).unwrap().secret;
    place.office.write(move |books| books.set_standing(ada.number, Standing::Left, "grace")).unwrap();
    assert!(place.office.read(move |books| books.session(&session, &LIMITS)).unwrap().is_none());
    assert!(place.office.sign_in("ada", PASSWORD, LIMITS).unwrap().is_none());
    sentence(place.office.join(&reset, "", "another good secret"));
    sentence(place.office.write(move |books| books.reset_link(ada.number, 100, "grace")));
    let works = place.office.read(move |books| books.work_of(ada.number)).unwrap();
    assert_eq!((works[0].assignment, works[0].state), (work, State::Returned));
    let batch = works[0].batch.number;
    let other = bob.clone();
    let next = place.office.write(move |books| books.take(&other)).unwrap().unwrap();
    let taken = place.office.read(move |books| books.work_of(bob.number)).unwrap();
    assert_eq!((taken[0].assignment, taken[0].batch.number), (next, batch));
}

#[test]
fn standings_change_one_way_and_somebody_stays_to_run_the_lab() {
    let place = Place::new("accounts-standing");
    let grace = place.person("grace", Role::Organiser, Standing::Active);
    let ada = place.person("ada", Role::Assessor, Standing::Applicant);
    let set =
        |number, standing| place.office.write(move |books| books.set_standing(number, standing, "grace"));
    assert!(sentence(set(grace.number, Standing::Left)).contains("only organiser"));
    let promoted = place.office.write(move |books| books.promote(ada.number, "grace")).unwrap();
    assert_eq!(promoted.standing, Standing::Active);
    sentence(place.office.write(move |books| books.promote(ada.number, "grace")));
    sentence(set(ada.number, Standing::Applicant));
    set(ada.number, Standing::Left).unwrap();
    set(ada.number, Standing::Active).unwrap();
    sentence(set(AccountNo(99), Standing::Left));
    place.person("alan", Role::Organiser, Standing::Active);
    set(grace.number, Standing::Left).unwrap();
    assert!(events(&place).iter().any(|event| event == "grace: ada is active now, was applicant"));
}

#[test]
fn the_books_tell_no_secrets() {
    let place = Place::new("accounts-secrets");
    let invitation = link(&place, Role::Assessor, Standing::Active);
    place.office.join(&invitation, "ada", PASSWORD).unwrap();
    let session = place.office.sign_in("ada", PASSWORD, LIMITS).unwrap().unwrap().secret;
    place.office.sign_in("ada", "an attempt that fails", LIMITS).unwrap();
    let all = everything(&place);
    assert!(holds(&all, &session.checksum()) && holds(&all, "$argon2id$"));
    for secret in [session.as_str(), invitation.as_str(), PASSWORD, "an attempt that fails"] {
        assert!(!holds(&all, secret));
    }
}
