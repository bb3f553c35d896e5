import { formatNumber } from "../../../core/phrases.ts";
import { sentence } from "../../ui/sentence.ts";
import type * as english from "./now.ts";

export const inbox: typeof english.inbox = {
  title: "対応待ち",
  calm: "対応待ちの項目はありません",
  calmHint: "シェルのエージェントからの質問に、ここで回答できます。",
  connect: sentence("エージェントを接続すると、ここで回答できます: {command}"),
  sentences: {
    command: {
      sentence: sentence("{agent}がコマンドの実行を希望しています"),
      name: (agent, subject) => `${agent}がコマンドの実行を希望しています: ${subject}`,
    },
    change: {
      sentence: sentence("{agent}がファイルの変更を希望しています"),
      name: (agent, subject) => `${agent}がファイルの変更を希望しています: ${subject}`,
    },
    use: {
      sentence: sentence("{agent}が{tool}の使用を希望しています"),
      name: (agent, subject, tool) => `${agent}が${tool}の使用を希望しています: ${subject}`,
    },
    choice: {
      sentence: sentence("{agent}が選択を求めています"),
      name: (agent, subject) => `${agent}が選択を求めています: ${subject}`,
    },
    text: {
      sentence: sentence("{agent}からの質問"),
      name: (agent, subject) => `${agent}からの質問: ${subject}`,
    },
    plan: {
      sentence: sentence("{agent}が計画を立てました"),
      name: (agent, subject) => `${agent}が計画を立てました: ${subject}`,
    },
    login: {
      sentence: sentence("{agent}がログインを希望しています"),
      name: (agent, subject) => `${agent}がログインを希望しています: ${subject}`,
    },
    screen: {
      sentence: sentence("{agent}が画面で質問しています"),
      name: (agent, subject) => `${agent}が画面で質問しています: ${subject}`,
    },
    budget: {
      sentence: sentence("{agent}の予算に達しました"),
      name: (agent, subject) => `${agent}の予算に達しました: ${subject}`,
    },
  },
  askedAt: (time) => `質問の時刻: ${time}`,
  now: "今",
  left: (time) => `残り${time}`,
  expires: "まもなく期限切れ",
  changed: (added, removed) => `+${added} −${removed}`,
  inTerminal: "ターミナルでのみ回答できます。",
  whenBack: (machine) => `${machine}に再び接続できるようになると回答できます。`,
  showTerminalOf: (agent, session) => `${session}の${agent}のターミナルを表示`,
  showTerminal: "ターミナルを表示",
  lasts: (agent) => `この質問以降も${agent}に適用されます。${agent}のルールの設定で取り消せます。`,
  back: "戻る",
  sending: "回答を送信しています。",
  lost: (outcome) => `回答は使われませんでした。${outcome}`,
  fromScreen: "ターミナルの画面から読み取った内容です。回答の前に画面を確認してください。",
  intoScreen: "回答は、ターミナルの画面のダイアログに入力されます。回答の前に画面を確認してください。",
};

export const requests: typeof english.requests = {
  notNow: "後で",
  answered: (answer) => `あなたの回答: ${answer}`,
  overtaken: "別の場所で回答されたか、取り下げられました。",
  login: {
    sentence: sentence("{name}がログインを希望しています"),
    name: (name) => `${name}がログインを希望しています`,
    from: (address) => `プログラム（${address}）`,
    about: (time) =>
      `自分で起動したもので、${time}までにこのコードが表示されている場合にだけ許可してください。すべての権限を持つキーを取得します。`,
    allow: (code) => `ログイン${code}を許可`,
    allowIt: "コードが一致、許可",
    deny: (code) => `ログイン${code}を拒否`,
    denyIt: "拒否",
  },
  adopt: {
    sentence: sentence("{name}がシェル{shell}を求めています"),
    name: (name, shell) => `${name}がシェル${shell}を求めています`,
    about: "引き続き閲覧でき、取り戻すこともできます。",
    give: (name) => `${name}にシェルを渡す`,
  },
  role: {
    sentence: sentence("{name}が入力を希望しています"),
    name: (name) => `${name}が入力を希望しています`,
    about: (session) => `${session}の、ほかの人が所有していないすべてのシェルが対象です。後で変更できます。`,
    let: (name) => `${name}の入力を許可`,
  },
  control: {
    sentence: sentence("{agent}がセッションの操作を希望しています"),
    name: (agent) => `${agent}がセッションの操作を希望しています`,
    about: "このメソッドを呼び出し、拒否されました。",
    aboutIn: (folder) => `${folder}でこのメソッドを呼び出し、拒否されました。`,
    once: "今回だけ許可",
    always: "このフォルダーでは常に許可",
    lasts: (agent, folder) =>
      `「セッション」で許可を取り消すまで、${folder}の${agent}は確認なしでこのセッションを操作できます。`,
    no: "拒否",
  },
  agent: {
    sentence: sentence("{agent}が待っています"),
    name: (agent) => `${agent}が待っています`,
    about: "ここでは回答できません。ターミナルで待っています。",
  },
  plugin: {
    sentence: sentence("プラグイン{name}が権限を求めています"),
    name: (name) => `プラグイン${name}が権限を求めています`,
    about: (origin) => `インストール元: ${origin}。セッションで決定するまで動作しません。`,
    look: (session) => `${session}で確認`,
  },
  budget: {
    sentence: "今日の予算を超過しました",
    scope: "すべてのセッション",
    of: (budget) => `予算 ${budget}（定価）`,
    about: "エージェントは動き続けます。この予算は警告のみです。",
    raise: (budget) => `${budget}に引き上げ`,
    look: "コストを表示",
    none: "1日の予算なし",
    lasts: "もう一度設定するまで、1日の予算はなくなり、警告も表示されません。",
  },
};

export const steps: typeof english.steps = {
  title: "はじめに",
  session: "シェルとエージェントはセッションの中で動作します。",
  copy: "コマンドをコピー",
  copied: "コマンドをクリップボードにコピーしました。ターミナルで実行してください。",
  notCopied: "コマンドをコピーできませんでした。",
  invite: "ほかの人はリンクからセッションに参加できます。",
  inviteSomeone: "ほかの人を招待",
};

export const running: typeof english.running = {
  title: "実行中",
  about: (agents, shells) => `エージェント${formatNumber(agents)}、シェル${formatNumber(shells)}`,
  all: "すべてのエージェントとコスト",
  sessions: (sessions, machines) =>
    machines === 1
      ? formatNumber(sessions)
      : `このマシンに${formatNumber(sessions)}、ほか${formatNumber(machines - 1)}台`,
  allSessions: "すべてのセッションと参加者",
  row: (row) =>
    [row.task === row.agent ? row.agent : `${row.agent}、${row.task}`, row.state, row.elapsed, row.cost]
      .filter((part) => part !== "")
      .join("、"),
  session: (name, shells, people) => `${name}、${shells}、${people}`,
  more: (count) => `ほか${formatNumber(count)}件`,
  showAll: "すべて表示",
};

export const today: typeof english.today = {
  title: "今日のコスト",
  today: "今日（定価）",
  ofBudget: (budget) => `今日の予算 ${budget}`,
  basis: "定価",
  forecast: (cost) => `0時までに約${cost}`,
  pace: "エージェントが直近3時間のペースで続けた場合。米ドル、定価",
  setBudget: "予算を設定",
  others: (count) => `ほか${formatNumber(count)}件`,
  show: "エージェントとコストを表示",
};

export const here: typeof english.here = {
  title: "参加者",
  alone: "参加しているのは自分だけです",
  watches: sentence("{name}が閲覧中"),
  types: sentence("{name}が{shell}に入力中"),
  isIn: sentence("{name}は{session}に参加中"),
  more: (count) => `、ほか${formatNumber(count)}人`,
};

export const actions: typeof english.actions = {
  of: (name) => `${name}の操作`,
  readConversation: "会話を読む",
  mute: (agent) => `${agent}をミュート`,
  unmute: (agent) => `${agent}のミュートを解除`,
};

export const bar: typeof english.bar = {
  actions: "操作",
  open: (name) => `${name}を開く`,
  goTo: (place) => `${place}へ移動`,
  costs: "コストを表示",
  keys: "キーを表示",
  search: "入力して検索",
  goThere: "ここへ移動",
};

export const health: typeof english.health = {
  title: "状態",
  notice: "お知らせ",
  several: (first, more) => `${first}（ほか${formatNumber(more)}件）`,
  how: "方法",
  hide: "隠す",
  doctor: sentence("{command}は、同じ項目とリモートを確認します。"),
  again: "もう一度確認",
  checking: "確認中…",
  failed: (why) => `確認を実行できませんでした: ${why}`,
  states: { ok: "正常", note: "参考", problem: "動作していません" },
  problems: (count) => `お知らせ${formatNumber(count)}件`,
};

export const search: typeof english.search = {
  label: "検索、またはコマンドを実行",
  hint: "検索、またはコマンドを実行",
  shortHint: "検索",
  results: "検索結果",
  nothing: "一致するものはありません",
  nothingElse: "ほかに一致するものはありません",
  fromThree: "3文字以上（漢字・かなを含む場合は2文字以上）で、出力、実行、会話のすべてを検索します。",
  more: (count) => `ほか${formatNumber(count)}件`,
  showAll: "すべて表示",
  toPeople: "参加者を表示",
  groups: {
    sessions: "セッション",
    agents: "エージェント",
    people: "参加者",
    places: "移動先",
    settings: "設定",
    actions: "コマンド",
  },
  placeKeywords: {
    now: "now inbox questions waits 受信箱 質問",
    sessions: "sessions people guests roles machines invite 参加者 ゲスト 役割 マシン 招待",
    agents: "agents costs budget prompts quotas policies コスト 費用 予算 プロンプト ポリシー",
    activity: "activity audit log history notifications 監査 ログ 履歴 通知",
    settings: "settings options preferences 環境設定 オプション",
  },
  pauseKeywords: "pause mute notifications quiet ミュート 静か",
  inviteKeywords: "invite share link QR code phone guest 共有 リンク スマートフォン ゲスト",
  leaveKeywords: "revoke remove kick disconnect 取り消す 追い出す",
};
