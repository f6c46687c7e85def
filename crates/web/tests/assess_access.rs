//! Who comes in, and who does not: signing in, links, sessions, forged forms, limits, and what is told.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use assess::{Role, Standing};
use common::bureau::{Bureau, PASSWORD};

#[tokio::test]
async fn somebody_joins_by_a_link_signs_out_and_in_again() {
    let bureau = Bureau::new("access-flow");
    let link = format!("/join/{}", bureau.invite(Role::Assessor, Standing::Active).as_str());
    let mut ada = bureau.browser();
    let page = ada.open(&link).await;
    assert_eq!(page.status, 200, "{}", page.text());
    assert!(page.text().contains("Join the sample&#39;s lab"), "{}", page.text());
    let fields = [("name", "Ada"), ("password", PASSWORD), ("again", PASSWORD)];
    let joined = ada.post(&link, &fields).await;
    assert_eq!((joined.status.as_u16(), joined.header("location")), (303, "/"), "{}", joined.text());
    let page = ada.open("/account").await;
    assert!(page.text().contains("<h1>Ada</h1>"), "{}", page.text());
    let out = ada.post("/logout", &[]).await;
    assert_eq!((out.status.as_u16(), out.header("location")), (303, "/login?gone=1"));
    let away = ada.get("/account").await;
    assert_eq!((away.status.as_u16(), away.header("location")), (303, "/login?next=%2Faccount"));
    assert_eq!(ada.sign_in("ada", PASSWORD).await.status, 303);
    let noted = ["Ada: joined as active assessor, invited by tester", "Ada: signed in", "Ada: signed out"];
    for noted in noted {
        assert!(bureau.events().iter().any(|event| event == noted), "{:?}", bureau.events());
    }
}
