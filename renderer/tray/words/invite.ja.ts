import { formatNumber } from "../../../core/phrases.ts";
import { sentence } from "../../ui/sentence.ts";
import type { invite as english } from "./invite.ts";

const rights: typeof english.rights = {
  reader: "すべてのシェルを見られますが、入力はできません。",
  writer: "すべてのシェルを見て、シェルを開き、ほかの人のシェルへの入力を申請できます。",
  admin:
    "すべてのシェルに入力し、ほかの人のシェルを引き継いだり閉じたり、エージェントやプラグインを許可したりできます。",
};

export const invite: typeof english = {
  button: "招待",
  title: (session) => `${session}に招待`,
  session: "セッション",
  role: "リンクで参加する人",
  roles: { reader: "閲覧のみ", writer: "入力可", owner: "自分" },
  rights,
  about: {
    reader: `${rights.reader}後で変更できます。`,
    writer: rights.writer,
    owner: "自分のスマートフォンや別のコンピューター用です。自分と同じことができます。10分以内に1回だけ使えます。",
  },
  notReachable: "ほかの人はまだこのマシンに接続できません。",
  localOnly: "リンクはこのマシンのブラウザでのみ使えます。",
  letIn: "ほかのマシンの接続を許可…",
  way: sentence("ほかの人の接続を許可するには、{command}でリレーを起動します。アプリでは設定の「一般」で選べます。"),
  reach: "対象",
  reaches: {
    here: (host) => `このマシンのみ（${host}）`,
    network: (host) => `同じネットワーク（${host}）`,
    vpn: (host) => `同じVPN（${host}）`,
    internet: (host) => `インターネット（${host}）`,
    name: (host) => `${host}に接続できる人`,
  },
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
  notCopied: (time) => `ブラウザがリンクをコピーできませんでした。欄からコピーしてください。有効期限は${time}です。`,
  link: "リンク",
  share: "共有",
  shown: (time) => `スマートフォンで読み取ってください。リンクの有効期限は${time}です。`,
  open: "有効な招待",
  noneOpen: "リンクは、使い切られるか期限が切れるまでここに表示されます。",
  revoke: "取り消し",
  revokeOf: (role, time) => `招待を取り消す（${role}、${time}まで）`,
};
