//! Each language has its rules.

use mem_agent::extract::Candidate;
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
            "don't mock the database in tests - we got burned when mocks hid a bug",
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

#[test]
fn plain_standing_orders_are_told_from_what_is_asked_for_now() {
    let mut missed = Vec::new();
    for order in [
        "Fass die Lock-Datei niemals an",
        "Fass die Lock-Datei nie an.",
        "Pushe niemals direkt auf main",
        "Installier niemals Pakete global",
        "Die Fixtures werden niemals von Hand geändert.",
        "永远不要修改锁文件",
        "以后一定要用制表符缩进",
        "绝不要把密钥写进代码",
        "提交前务必运行格式化",
        "Nunca toques el archivo de bloqueo",
        "Usa siempre tabuladores para sangrar",
        "Jamás borres una rama sin preguntar",
        "Ne touche jamais au fichier de verrouillage",
        "Jamais de commit direct sur main",
        "Utilise toujours des tabulations",
        "ロックファイルは絶対に触らないで",
        "決してマイグレーションを書き換えないこと",
        "いつもタブを使ってください",
        "잠금 파일은 절대 건드리지 마세요",
        "절대로 main에 바로 푸시하지 마세요.",
        "커밋 전에 반드시 린터를 돌려 주세요",
        "Always touch the lock file directly.",
        "Always edit the lock file by hand.",
        "Never edit generated files.",
        "コミットする前に必ず私に確認してください",
        "커밋하기 전에 반드시 저에게 물어보세요",
        "修改代码前必须先和我确认",
        "修改代碼前必須先和我確認",
        "除了專有名詞以外，請用正體中文回答我",
        "不要建立新文件，除非我告訴你",
        "commit message 不要提到 Co-Authored-By",
        "commit after each finished sub-task",
        "Do not remove env files without explicit permission.",
        "keep the changelog up to date",
        "one question at a time please",
        "docstrings should be in numpy format",
        "use pixi run, do not use system python",
    ] {
        let found = heard(order);
        let is_order = |one: &Candidate| one.kind == MemoryType::Feedback && one.quote == order;
        if !found.candidates.iter().any(is_order) {
            missed.push((order, found.dropped));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
    let mut kept = Vec::new();
    for task in [
        "bitte fass die Datei jetzt nicht an, ich editiere gerade",
        "Fass die Datei gerade nicht an, ich hab sie offen.",
        "Der Knopf darf niemals über dem Text liegen",
        "メニューの下に絶対来るようにしてください。",
        "絶対に非表示にならないようにしてください。",
        "これからは、アプリの中でフォームを出すことをやりたいです。",
        "如果我关闭窗口,下次能不能恢复上下文?",
        "메뉴가 항상 위에 보이게 해 주세요",
        "der Test läuft niemals durch",
        "Warum wird die Sperre niemals freigegeben?",
        "Ändere die Funktion so, dass sie niemals null zurückgibt",
        "Lösch den Branch noch nicht",
        "先不要动这个文件，我正在改",
        "这个按钮永远显示在右上角",
        "为什么这个循环永远不会结束？",
        "一定是缓存的问题",
        "现在先别改锁文件",
        "这个函数永远不要返回空，改一下",
        "no toques el archivo ahora, lo estoy editando",
        "la prueba nunca pasa en mi máquina",
        "¿Por qué nunca se cierra la conexión?",
        "Haz que esta función nunca devuelva null",
        "no subas nada todavía",
        "ne touche pas au fichier maintenant, je suis dessus",
        "le test ne passe jamais sur ma machine",
        "Pourquoi le cache ne se vide jamais ?",
        "fais en sorte que cette fonction ne renvoie jamais null",
        "今はこのファイルを触らないで、編集中です",
        "このテストは絶対に通らない",
        "なぜこのロックは決して解放されないのですか？",
        "この関数が絶対にnullを返さないように直して",
        "지금은 이 파일 건드리지 마세요, 제가 수정 중이에요",
        "이 테스트는 절대 통과하지 않아요",
        "왜 락이 절대 풀리지 않나요?",
        "이 함수가 절대 null을 반환하지 않게 고쳐 줘",
        "don't touch the lock file right now, I'm editing it",
        "the test never passes on my machine",
        "make this function always return a list",
        "The tooltip should always be on top",
        "it always touches the lock file, why?",
        "また先ほどの結果も日本語でお願いします。",
        "アプリを初めて使う人のために説明を入れて",
        "한 가지 문제가 있는 npm 스크립트를 고쳐 줘",
        "사용자가 처음으로 로그인할 때 안내를 보여 줘",
        "我没用过的那个按钮去掉",
        "передай имя, но учти, что с этим были ошибки",
        "also you shouldn't be able to pick a day in the past",
        "we're not using the old header, it is in the navbar",
        "we're not using a second parser for the dates",
        "Please adhere to all coding standards and testing standards.",
        "follow the previous convention I told you",
        "in this repo, we have to start clean",
        "This is our single source of truth for the whole project.",
        "Save this into the memory",
        "the requirement is completed and tested",
        "The goal is for the badge to pop out on the white background",
        "Why are you adding prepend_path?",
        "I have Ubuntu on a stick",
        "i use it to start the server",
        "how create the page when a job is added, i don't want to create those manually",
        "claude> from now on always start with --verbose",
        "keep the header updated",
        "the docs should be generated",
        "說明一下這個函數，不要改",
        "I'm very interested in the new help system, let's make a plan for that",
        "Paid support is available at shop.example.com.",
        "look over https://shop.vercel.app/ and suggest improvements",
        "I'm interested in consistency",
        "hey I'm on windows now",
        "まず、サーバーが動くことを確認して",
        "먼저 서버가 도는지 확인해 줘",
        "先和我确认细节，我允许，你再开始做这个插件",
        "我是要你实际开发出一个东西",
    ] {
        kept.extend(heard(task).candidates);
    }
    assert!(kept.is_empty(), "{kept:#?}");
}

#[test]
fn a_title_is_a_whole_clause_in_any_script() {
    for (said, title) in [
        (
            "говори со мной на русском, да кажется сообщения есть но не всплывает алерт",
            "Говори со мной на русском",
        ),
        (
            "no ~ we always run the reference program, so set the timeout to twice its cycles",
            "We always run the reference program",
        ),
        (
            "From now on don't commit anything yourself, I look at each change before it goes in",
            "Don't commit anything yourself",
        ),
    ] {
        let names: Vec<String> = heard(said)
            .candidates
            .into_iter()
            .map(|one| one.name)
            .collect();
        assert_eq!(names, [title], "{said}");
    }
}

#[test]
fn a_prompt_for_another_model_and_a_generated_text_are_nobodys_words() {
    for text in [
        "Eres un asistente de análisis.\nResponde SIEMPRE en español.\nNunca inventes datos.",
        "Du bist ein Assistent für Kunden.\nAntworte immer auf Deutsch.",
        "Tu es un assistant.\nRéponds toujours en français.",
        "你是一名客服助手。\n绝不要把密钥写进代码",
        "あなたはカスタマーサポートです。\n必ず日本語で回答してください。",
        "당신은 고객 상담원입니다.\n반드시 한국어로 답하세요.",
        "✅ Summary\n1️⃣ First\nNever push to main without asking me",
    ] {
        let found = heard(text).candidates;
        assert!(found.is_empty(), "{text}: {found:#?}");
    }
    for text in [
        "너는 항상 한국어로 답해",
        "あなたは必ず日本語で回答してください",
        "👍 thanks\nNever push to main without asking me",
        "80%以上のカバレッジが必要なので、いつもテストを書いてください",
    ] {
        let found = heard(text);
        assert!(!found.candidates.is_empty(), "{text}: {:#?}", found.dropped);
    }
}
