import { formatNumber } from "../../../core/phrases.ts";
import { settingWords } from "../../settings/setting-words.ja.ts";
import { sentence } from "../../ui/sentence.ts";
import type * as english from "./settings.ts";

export const settings: typeof english.settings = {
  sections: "設定の項目",
  names: {
    ...settingWords.sections,
    shortcuts: "ショートカット",
    keys: "ユーザーとキー",
    webhooks: "Webhook",
    machines: "マシンとフリート",
    health: "状態",
    about: "情報",
  },
  keywords: {
    general:
      "general start relay address port network data folder language 言語 起動 アドレス ポート ネットワーク データ",
    appearance: "appearance theme dark light colours contrast テーマ ダーク ライト 色 コントラスト",
    terminal: "terminal font size cursor bell scrollback フォント カーソル ベル スクロール",
    shortcuts: "shortcuts keyboard keys bindings hotkeys キーボード キー割り当て",
    notifications: "notifications quiet mute pause sound ミュート 音",
    agents: "agents costs limits spending コスト 費用 上限 policies ポリシー 許可",
    keys: "people keys token API revoke rights トークン 権限 取り消し 参加者 guests invites ゲスト 招待 役割",
    webhooks: "webhooks ntfy slack discord json 送信 受信先 配信 再送",
    machines: "machines fleet broker remote keychain join leave リモート キーチェーン 参加",
    health: "health doctor problem keychain tray 問題 診断",
    about: "about version licences quit バージョン ライセンス 終了",
  },
  find: "設定を検索",
  results: "一致する設定",
  nothing: (text) => `「${text}」に一致する設定はありません。`,
  back: "項目の一覧に戻る",
  own: "Patchbay",
  budgets: sentence("これらの予算は警告のみです。自動入力を止める予算は{command}で設定します。"),
  data: "データ",
  showData: "データフォルダーを表示",
  showLicences: "ライセンスを表示",
  about: (version) => `Patchbay ${version}、MITライセンス`,
  quit: "Patchbayを終了",
};

export const relay: typeof english.relay = {
  title: "リレー",
  address: "アドレス",
  external: "ほかのマシンから",
  needsRestart: "再起動が必要です。シェルは動き続けます。",
  restart: "今すぐ再起動",
  started: sentence("今回は{option}を付けて起動されており、設定より優先されます。"),
  startedWithBoth: sentence("今回は{port}と{listen}を付けて起動されており、設定より優先されます。"),
};

export const fleet: typeof english.fleet = {
  title: "フリート",
  about: "ブローカーを通じてこのマシンをほかのマシンとつなぎ、互いのセッションを表示して操作できるようにします。",
  join: "フリートに参加",
  broker: "ブローカーのアドレス",
  brokerHint: "nats://broker.example.org:4222",
  noCredentials: "認証情報が選択されていません",
  chooseCredentials: "認証情報を選択",
  joining: "参加しています…",
  joinIt: "参加",
  machines: "フリートのマシン",
  leave: "フリートから離脱",
  leaveQuestion: "フリートから離脱しますか？",
  leaveBody:
    "このマシンとほかのマシンは、互いのセッションに接続できなくなります。フリート経由で開いているものは終了します。",
  leaveIt: "離脱",
  thisMachine: "（このマシン）",
  states: { off: "未参加", connecting: "接続中", joined: "参加済み", disconnected: "切断" },
  at: (broker) => `接続先 ${broker}`,
  as: (name, owner, broker) => `${owner}のフリートに${name}として参加（${broker}）`,
  conflicts: (sessions) => `このマシンのセッション${formatNumber(sessions)}件は、別のマシンからも提供されています。`,
  present: "接続中",
};

export const keys: typeof english.keys = {
  lifetimes: {
    revoked: "取り消すまで",
    day: "1日",
    month: "30日",
    year: "1年",
  },
  newKey: "新しいキー",
  name: "新しいキーの名前",
  mayLabel: "できること",
  mayAll: "あなたにできることすべて",
  mayRead: "読み取りのみ",
  goodLabel: "有効期間",
  create: "作成",
  cancel: "キャンセル",
  title: "キー",
  none: "キーを持つプログラムはありません。",
  revoke: (name) => `${name}を取り消す`,
  revokeIt: "取り消し",
  keychain: "コマンドライン用のキーは、このデスクトップのキーチェーンに保存されています。",
  noKeychain: "キーチェーンを使えないため、コマンドライン用のキーはPatchbayを終了するまでメモリに保持されます。",
  revokeQuestion: (name) => `「${name}」を取り消しますか？`,
  revokeBody:
    "このキーを使うプログラムはすぐにアクセスできなくなります。このキーで作成されたキー、招待、そのゲストも同様です。",
  revokeKey: "キーを取り消す",
  neverUsed: "未使用",
  lastUsed: (time) => `最終使用 ${time}`,
  copied: "キーをクリップボードにコピーしました（60秒間）。",
  theNewKey: "新しいキー",
  copyNow: "表示されるのは一度だけです。今すぐコピーしてください。",
  copy: "60秒間コピー",
  done: "完了",
  expired: (time) => `${time}に期限切れ`,
  until: (time) => `${time}まで`,
};
