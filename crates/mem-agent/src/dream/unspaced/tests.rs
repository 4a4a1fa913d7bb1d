//! What Chinese, Japanese and Korean sentences are read as, one by one.

use super::super::relate::Relation;
use super::super::relate::tests::assert_all;

#[test]
fn newer_words_on_the_same_thing_take_its_place() {
    let pairs = [
        ("部署日是星期二", "部署日是星期三"),
        ("部署日是星期二", "部署日现在是周三"),
        ("我们每周二部署", "我们每周三部署"),
        ("我们在星期二部署", "我们现在改在星期三部署，不再是星期二"),
        ("部署日是星期二", "部署日不是星期二，而是星期三"),
        ("部署日是星期二", "部署日从星期二改为星期三"),
        ("支付服务的负责人是张三", "支付服务的负责人是李四"),
        ("测试集群叫Hydra", "测试集群叫Medusa"),
        ("测试集群叫做九头蛇", "测试集群现在叫做美杜莎"),
        ("我们用Postgres存订单", "我们用MySQL代替Postgres存订单"),
        ("我们用Postgres存订单", "我们用MySQL存订单"),
        ("端口是8080", "端口改为9090"),
        ("支付服务用Postgres", "支付服务改用MySQL"),
        ("ビルドはJenkinsで動く", "ビルドはBuildkiteに変更"),
        ("デプロイは火曜日です", "デプロイは水曜日です"),
        ("デプロイは火曜日です", "デプロイは水曜日になりました"),
        ("デプロイは火曜日です", "デプロイは火曜日ではなく水曜日です"),
        (
            "ステージングのクラスタ名はHydraです",
            "ステージングのクラスタ名はMedusaです",
        ),
        (
            "注文にはPostgresを使う",
            "注文にはPostgresの代わりにMySQLを使う",
        ),
        ("本番のDBはMySQL", "本番のDBはPostgreSQLに変わった"),
        ("배포는 화요일입니다", "배포는 수요일입니다"),
        ("배포는 화요일입니다", "배포는 이제 수요일입니다"),
        ("배포는 화요일입니다", "배포는 화요일이 아니라 수요일입니다"),
        (
            "주문에는 Postgres를 사용합니다",
            "주문에는 Postgres 대신 MySQL을 사용합니다",
        ),
        (
            "스테이징 클러스터 이름은 Hydra입니다",
            "스테이징 클러스터 이름은 Medusa입니다",
        ),
    ];
    assert_all(&pairs, |found| found == Some(Relation::Updates));
}

#[test]
fn a_no_is_the_contrary_and_never_the_same() {
    let pairs = [
        ("我们用Redis存会话", "我们不再用Redis存会话"),
        (
            "セッションにRedisを使う",
            "セッションにはもうRedisを使わない",
        ),
        (
            "세션에 Redis를 사용합니다",
            "세션에 더 이상 Redis를 사용하지 않습니다",
        ),
    ];
    assert_all(&pairs, |found| found == Some(Relation::Contradicts));
}

#[test]
fn what_only_looks_alike_takes_nobodys_place() {
    let pairs = [
        ("部署日是星期二", "发布日是星期三"),
        ("星期二的会议是10点", "星期三的会议是11点"),
        ("每周一次备份", "每周二次备份"),
        ("测试数据库是只读的", "测试数据库是共享的"),
        ("测试集群叫Hydra", "生产集群叫Medusa"),
        ("配置 A 的端口是8080", "配置 B 的端口是9090"),
        ("客户2要求导出", "客户5要求导出"),
        ("决定不用GraphQL", "决定用REST"),
        ("支付服务用Postgres", "订单服务用MySQL"),
        ("用户喜欢短回答", "用户喜欢深色主题"),
        ("デプロイは火曜日です", "リリースは水曜日です"),
        ("本番のDBはMySQL", "検証のDBはPostgreSQLに変わった"),
        ("デプロイは自動です", "デプロイは水曜日です"),
        ("배포는 화요일입니다", "회의는 수요일입니다"),
    ];
    assert_all(&pairs, |found| {
        matches!(found, None | Some(Relation::Beside))
    });
}
