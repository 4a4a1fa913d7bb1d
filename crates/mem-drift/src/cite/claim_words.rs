//! The words by which a memory says that a thing is not there, or need not be, in every language that
//! is read: they stand here once. Alternatives are separated by `|`, and are in lower case.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

/// Alternative words, which one pass over a text finds: a memory may cite thousands of things, and each citation asks
/// for all lists.
pub(super) struct WordList {
    text: &'static str,
    parts: OnceLock<(Vec<&'static str>, Option<AhoCorasick>)>,
}

impl WordList {
    const fn new(text: &'static str) -> Self {
        Self {
            text,
            parts: OnceLock::new(),
        }
    }

    fn parts(&self) -> &(Vec<&'static str>, Option<AhoCorasick>) {
        self.parts.get_or_init(|| {
            let words: Vec<&'static str> = self.text.split('|').collect();
            // Of the kinds the one that is built fastest: a process may read a single note.
            let mut builder = AhoCorasick::builder();
            builder.kind(Some(AhoCorasickKind::NoncontiguousNFA));
            let automaton = builder.build(&words).ok();
            (words, automaton)
        })
    }

    /// The words, in the order of the list.
    pub(super) fn words(&self) -> impl Iterator<Item = &'static str> {
        self.parts().0.iter().copied()
    }

    /// The words whose letters are somewhere in a text, within other words too.
    pub(super) fn found_in(&self, text: &str) -> BTreeSet<&'static str> {
        let (words, automaton) = self.parts();
        match automaton {
            Some(automaton) => automaton
                .find_overlapping_iter(text)
                .map(|found| words[found.pattern().as_usize()])
                .collect(),
            None => self.words().collect(),
        }
    }
}

/// The thing is gone, or has another name.
pub(super) static REMOVED: WordList = WordList::new(
    "removed|deleted|dropped|is gone|are gone|now gone|all gone|is stale|\
     are stale|went away|is dead|are dead|renamed|replaced|formerly|previously|used to be|used to live|\
     used to have|no longer|no more|was called|were called|obsolete|retired|superseded|outdated|deprecated|\
     discontinued|decommissioned|eliminated|abandoned|sunset|ripped out|torn out|stripped out|gutted|\
     now cleared|been cleared|was cleared|emptied|\
     does not exist|doesn't exist|do not exist|don't exist|did not exist|didn't exist|never existed|once was|\
     moved from|migrated from|migrated away|extracted from|reorganised from|reorganized from|converted from|\
     switched from|split into|split up|split out|flipped to|merged into|folded into|collapsed into|\
     consolidated into|absorbed into|absorbed by|subsumed by|unified into|inlined into|reverted|rolled back|\
     entfernt|gelöscht|umbenannt|ersetzt|veraltet|abgeschafft|nicht mehr|existiert nicht|eliminado|eliminada|\
     eliminados|eliminadas|borrado|borrada|renombrado|renombrada|reemplazado|reemplazada|obsoleto|obsoleta|ya no|\
     no existe|removido|removida|removidos|removidas|renomeado|renomeada|substituído|substituída|descontinuado|\
     não existe|supprimé|supprimée|supprimés|supprimées|renommé|renommée|remplacé|remplacée|obsolète|\
     n'existe plus|n'existe pas|удалён|удален|удалена|удалено|удалены|переименован|переименована|заменён|заменен|\
     заменена|устарел|больше не|đã xóa|đã xoá|đã bỏ|đã gỡ|không còn|không tồn tại|đổi tên|thay bằng|thay thế|\
     gỡ bỏ|loại bỏ|lỗi thời|biến mất|删除|移除|删掉|刪除|废弃|廢棄|弃用|棄用|不再|重命名|重新命名|改名|更名|已替换|替换为|替换成|替代|取代|已合并|合并到|合并为|已迁移|\
     迁移到|提取到|抽取到|移到|移动到|拆分为|拆分到|拆成|旧版|旧的|旧文件|不存在|削除|廃止|なくな|リネーム|置き換え|非推奨|存在しない|もう使|삭제|제거|없어졌|더 이상|폐기|통합|대체|\
     이름이 바뀌|존재하지 않",
);
/// The same of what stands behind it in its clause.
pub(super) static REMOVED_AHEAD: WordList = WordList::new(
    "replaces|replacing|replace|supersedes|superseding|instead of|\
     rather than|away from|anstelle von|statt|en lugar de|en vez de|em vez de|au lieu de|вместо|bỏ|xóa|xoá|gỡ|\
     thay vì|thay cho|代替|而不是|而非|取代了|替代了",
);
/// The same of what stands right behind it.
pub(super) static REMOVED_NEAR: WordList = WordList::new(
    "was|were|no|split|without|old|former|ohne|\
     kein|keine|sin|sem|sans|без|曾|曾经|原来的|原先的|旧|没有|以前の|旧来の|구",
);
/// The thing is yet to come.
pub(super) static PLANNED: WordList = WordList::new(
    "not yet|will add|will be added|will be created|will become|will create|\
     will introduce|will live|to be added|to be created|to be cleaned|to be cleaned up|need:|needs:|needed:|\
     missing:|not started|unstarted|to be written|todo|to-do|tbd|planned|queued|proposed|would be|would live|\
     would add|upcoming|going to add|plan to|plan is to|plans to|should become|unbuilt|unimplemented|\
     not implemented|geplant|noch nicht|todavía no|aún no|planeado|planeada|ainda não|planejado|prévu|prévue|\
     pas encore|планируется|ещё не|sẽ thêm|sẽ tạo|dự kiến|chưa có|chưa làm|尚未|还没|需要新建|需新增|還沒|未实现|计划|計劃|打算|待办|待实现|\
     将会|将要|予定|未実装|今後|예정|미구현|계획",
);
/// What one is told to make, or to put in the place of another.
pub(super) static PLANNED_NEAR: WordList = WordList::new(
    "replace|rename|create|introduce|reintroduce|re-introduce|delete|remove|\
     drop|retire|新建|创建|替换|重命名为|작성",
);
/// One is told to keep off it: that holds without the thing, too.
pub(super) static BANNED_AHEAD: WordList = WordList::new(
    "never|do not|don't|dont|must not|mustn't|should not|shouldn't|\
     cannot use|avoid|forbidden|prohibited|stop using|niemals|nie|nicht|nunca|jamais|никогда|не|đừng|không được|\
     cấm|不要|禁止|不得|切勿|避免|别用|不用|使わない|避ける|금지",
);
/// It is not to be used: so whatever the order of the words.
pub(super) static BANNED: WordList = WordList::new(
    "banned|forbidden|prohibited|disallowed|off limits|verboten|prohibido|\
     prohibida|proibido|proibida|interdit|interdite|запрещено|запрещён|被禁止|禁用",
);
/// But a ban on a change of it says that it is there.
pub(super) static CHANGES: WordList = WordList::new(
    "modify|edit|touch|change|alter|delete|remove|rename|move|drop|break|skip|\
     bypass|rely|forget|assume|commit|lose|weaken|overwrite|push|block|disable|reorder|duplicate|修改|改动|改|动|删|触碰|\
     跳过|绕过|忘记|提交|覆盖|变更|編集|変更|수정|변경",
);
/// What happened, where nothing else is told of it: a sentence with one of them reports.
pub(super) static EVENTS: WordList = WordList::new(
    "shipped|caught|surfaced|crashed|tripped|broke|rewrote|overhauled|refactored|\
     regressed|reorganised|reorganized|bit us|got rid of|turned out|started via|launched via|từng|trước đây|当时|\
     当初|曾经|先前|以前|当時|かつて|당시|예전",
);
/// Verbs of the past that do not end in `ed`.
pub(super) static PAST_VERBS: WordList = WordList::new(
    "was|were|had|did|wrote|found|made|went|broke|caught|got|gave|took|sent|\
     ran|saw|split|bit|left|kept|lost|led|built|hit|became|began|chose|came|cut|drove|fell|felt|grew|held|knew|\
     meant|read|said|set|stood|thought|told|threw|won|了|过|完成|修复|완료|했다|しました|した",
);
/// What a thing did, right behind it: then it is told of, and not pointed to.
pub(super) static PAST_BEHIND: WordList = WordList::new(
    "was|were|had|did|returned|carried|argued|failed|threw|caused|broke|went|\
     gave|meant|said|crashed|wrote",
);
/// Words in `ed` and their like that stamp a statement as true now, or bring the thing about.
pub(super) static STAMPS: WordList = WordList::new(
    "added|created|introduced|implemented|built|made|set|named|called|located|\
     based|defined|stored|generated|pinned|locked|verified|confirmed|measured|checked|tested|audited|reviewed|\
     updated|need|needed|required|shared|embed|seed|feed|speed|seed|bleed|exceed|proceed|read|left|kept|nested|\
     mixed|typed|unused|owned",
);
/// Words in front of a participle that make it a state.
pub(super) static STATES: WordList = WordList::new(
    "is|are|be|being|been|get|gets|it's|that's|isn't|aren't|stays|remains|must|\
     needs",
);
/// A heading over what is past.
pub(super) static PAST_HEADINGS: WordList = WordList::new(
    "history|historical|changelog|change log|incident|incidents|postmortem|\
     post-mortem|retrospective|journey|what happened|tried|didn't work|did not work|timeline|evolution|\
     other changes|on this branch|completed|bug fixes|archive|archived|previous|forensic|session log|\
     activity log|verlauf|historial|historia|histórico|historique|история|lịch sử|历史|歷史|今日|已完成|追加记录|改进|历程|复盘|\
     变更记录|更新日志|更新记录|修改记录|履歴|経緯|이력|변경 기록",
);
/// A heading over what is yet to come.
pub(super) static PLANNED_HEADINGS: WordList = WordList::new(
    "roadmap|backlog|next steps|next step|future|open questions|ideas|\
     wishlist|下一步|路线图|今後|다음 단계|próximos pasos|próximos passos|prochaines étapes|nächste schritte",
);
/// A heading over what was decided against.
pub(super) static BANNED_HEADINGS: WordList = WordList::new(
    "anti-pattern|anti-patterns|antipattern|antipatterns|don't repeat|\
     rejected|alternatives considered|not to do|don'ts|what to avoid|não fazer|no hacer|à éviter|不要做|禁止事项",
);
/// No, in front of a word that would say that the thing is gone.
pub(super) static NOT: WordList = WordList::new(
    "not|never|n't|isn't|aren't|wasn't|don't|doesn't|cannot|can't|won't|nicht|nie|no|\
     nunca|pas|не|não",
);
/// What a memory begins with that does not hold any more as a whole.
pub(super) static BANNERS: WordList = WordList::new(
    "superseded|obsolete|deprecated|archived|historical|outdated|retired|veraltet|\
     überholt|obsoleto|obsoleta|obsolète|устарело|已废弃|已过时|已归档|已作废|已取代|廃止|폐기",
);
