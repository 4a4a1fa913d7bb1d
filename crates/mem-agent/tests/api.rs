//! A model behind the API, over a real line: what its time is spent on.

use std::time::Duration;

use mem_agent::model::{Api, ApiOptions};
use mem_tests::Dripping;
use secrecy::SecretString;

#[test]
fn an_answer_that_only_drips_is_given_up_and_asked_for_again() {
    let answer =
        r#"{"content":[{"type":"text","text":"noon"}],"stop_reason":"end_turn","usage":{}}"#;
    let dripping = Dripping::before(&[answer]);
    let api = Api::new(ApiOptions {
        base: dripping.url().to_owned(),
        key: SecretString::from(["key-of-", "nobody"].concat()),
        name: "a-model".to_owned(),
        user_agent: "mem/test".to_owned(),
        time_limit: Duration::from_secs(120),
        stall: Duration::from_millis(300),
        tokens_max: 200_000,
    });
    assert_eq!(api.unwrap().ask_api("When is lunch?").unwrap(), "noon");
    assert!((2..60_000).contains(&dripping.bytes()));
}
