//! Each language has its rules.

use mem_core::MemoryType;

use crate::extract::heard;

#[test]
fn each_language_has_its_rules_for_each_sort() {
    use MemoryType::{Feedback, Project, Reference, User};
    for (text, kind) in [
        (
            "From now on always squash the commits before you merge",
            Feedback,
        ),
        (
            "don't mock the database in these tests - we got burned when mocks hid a bug",
            Feedback,
        ),
        ("I'm a data engineer and I've never used Rust before", User),
        (
            "We decided to stay on Postgres 14 because the hosting can't upgrade",
            Project,
        ),
        (
            "Bugs of the importer are tracked in Jira under IMP",
            Reference,
        ),
        (
            "Ab jetzt bitte immer erst die Tests laufen lassen",
            Feedback,
        ),
        (
            "Ich bin Physikerin und arbeite seit fünf Jahren mit Python",
            User,
        ),
        (
            "Wir haben uns für SQLite entschieden, weil niemand einen Server betreiben will",
            Project,
        ),
        ("Die Tickets liegen in Jira im Projekt ABC", Reference),
        ("Désormais, utilise toujours pnpm dans ce projet", Feedback),
        (
            "Je suis data scientist et je n'ai jamais fait de Rust",
            User,
        ),
        (
            "La mise en production est prévue vendredi prochain",
            Project,
        ),
        (
            "La documentation se trouve dans Confluence, espace Paiements",
            Reference,
        ),
        (
            "De ahora en adelante escribe siempre los mensajes en inglés",
            Feedback,
        ),
        ("Soy diseñadora y nunca he programado en Go", User),
        (
            "Decidimos quedarnos con Redis porque el equipo ya lo conoce",
            Project,
        ),
        ("Los errores están en Jira, en el proyecto PAGOS", Reference),
        ("以后所有接口都必须写测试，不要再跳过", Feedback),
        ("我是数据分析师，刚开始学Rust", User),
        ("我们决定不再用Kafka，因为没人能维护", Project),
        ("缺陷都记录在Jira的PAY项目里", Reference),
        ("今後は必ずテストを書いてからコミットしてください", Feedback),
        ("私はデザイナーで、プログラミングは初めてです", User),
        ("リリースは来週の金曜日です", Project),
        ("仕様はConfluenceにまとまっています", Reference),
        ("앞으로는 반드시 테스트를 먼저 작성해 주세요", Feedback),
        ("저는 데이터 분석가이고 러스트는 처음이에요", User),
        ("법무팀 요구로 로그를 삭제하기로 했어요", Project),
        ("버그는 지라에서 관리해요", Reference),
    ] {
        let found = heard(text);
        let kinds: Vec<MemoryType> = found.candidates.iter().map(|one| one.kind).collect();
        assert_eq!(kinds, [kind], "{text}: {:?}", found.dropped);
    }
}
