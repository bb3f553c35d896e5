import { formatNumber } from "../../../core/phrases.ts";
import type { invite as english } from "./invite.ts";

export const invite: typeof english = {
  button: "招待",
  title: (session) => `${session}に招待`,
  role: "ゲストにできること",
  roles: { reader: "閲覧のみ", writer: "入力可" },
  rights: {
    reader: "すべてのシェルを見られますが、入力はできません。後で変更できます。",
    writer: "すべてのシェルを見て、シェルを開き、ほかの人のシェルへの入力を申請できます。",
  },
  notReachable: "ほかの人はまだこのマシンに接続できません。",
  localOnly: "リンクはこのマシンのブラウザでのみ使えます。",
  letIn: "ほかのマシンの接続を許可…",
  reach: "対象",
  forOthers: (address) => `ほかのマシン（${address}）`,
  forHere: (address) => `このマシンのみ（${address}）`,
  browsers: "参加できる数",
  uses: (count) => `ブラウザ${formatNumber(count)}個`,
  usesLeft: (count) => `残りブラウザ${formatNumber(count)}個`,
  lifetime: "有効期間",
  copy: "リンクをコピー",
  copyLocal: "ローカルリンクをコピー",
  again: "コピー済み。もう1つコピー",
  show: "コードを表示",
  code: (session) => `${session}へのリンクのコード`,
  copied: (time) => `リンクをクリップボードにコピーしました。有効期限は${time}です。`,
  shown: (time) => `スマートフォンで読み取ってください。リンクの有効期限は${time}です。`,
  open: "有効な招待",
  noneOpen: "リンクは、使い切られるか期限が切れるまでここに表示されます。",
  revoke: "取り消し",
  revokeOf: (role, time) => `招待を取り消す（${role}、${time}まで）`,
};
