export const settingWords = {
  sections: {
    general: "一般",
    appearance: "外観",
    terminal: "ターミナル",
    notifications: "通知",
    agents: "エージェントと予算",
  },
  values: {
    font: "フォント名（カンマ区切り）",
    theme: "テーマの名前",
    hours: "off、または22:00-07:00のような2つの時刻",
  },
  groups: {
    text: "テキスト",
    cursor: "カーソル",
    behaviour: "動作",
  },
  darkTheme: {
    label: "アプリがダークのときの色",
    synonyms: "theme, palette, dark, テーマ, 配色, ダーク",
  },
  lightTheme: {
    label: "アプリがライトのときの色",
    synonyms: "theme, palette, light, テーマ, 配色, ライト",
  },
  contrast: {
    label: "最小コントラスト",
    help: "読みにくい文字を明るく、または暗く描画します。4.5はアクセシビリティの基準値です。1では色を変えません。",
  },
  font: {
    label: "フォント",
    help: "このデバイスの等幅フォントの名前。複数はカンマで区切ります。空欄の場合は、Patchbayに付属のJetBrains Monoを使います。",
  },
  fontSize: {
    label: "フォントサイズ",
    help: "ほかの人のシェルは、収まらない場合に小さく描画されます。",
  },
  lineHeight: {
    label: "行の高さ",
    help: "フォントの高さに対する倍率。",
  },
  ligatures: {
    label: "合字",
    help: "=> や != などの並びを、フォントにあれば1つの記号として描画します。",
  },
  images: {
    label: "画像",
    help: "プログラムがsixelまたはiTerm2の形式で出力する画像を描画します。1つのターミナルが保持するのは32 MBまでです。",
  },
  cursorStyle: {
    label: "カーソル",
    help: "プログラムが別の形を選ぶことがあります。",
    choices: {
      block: "ブロック",
      bar: "縦線",
      underline: "下線",
    },
  },
  cursorBlink: {
    label: "カーソルを点滅させる",
  },
  bell: {
    label: "ベル",
    help: "プログラムがベルを鳴らしたときの動作。",
    choices: {
      none: "何もしない",
      visual: "タイルの枠を強調",
      sound: "音を鳴らす",
    },
  },
  copyOnSelect: {
    label: "選択時にコピー",
    help: "ポインターで選択したテキストをクリップボードにコピーします。",
  },
  scrollSpeed: {
    label: "スクロール速度",
    help: "通常の速度に対する倍率。",
  },
  scrollback: {
    label: "画面より上に保持する行数",
    help: "行数が多いほどメモリを使います。",
  },
  finishedAfter: {
    label: "完了を知らせるコマンドの所要時間",
    help: "この時間を超えたコマンドが終わり、そのタイルが見えていないときに知らせます。0の場合は知らせません。",
  },
  optionAsMeta: {
    label: "OptionをMetaとして使う",
    help: "Optionキーが特殊文字の代わりに、Altと同じ入力を送ります。Option+Shiftのショートカットは変わりません。",
  },
  screenReader: {
    label: "スクリーンリーダーで読み上げる",
    help: "テキストをページに保持します。描画に時間がかかります。",
  },
  closeEnded: {
    label: "0で終了したシェルのタイルを閉じる",
    help: "失敗したシェルのタイルは開いたままです。",
  },
  startAtLogin: {
    label: "ログイン時に起動",
    help: "Patchbayがトレイで起動します。",
  },
  language: {
    label: "言語",
    help: "画面の言語です。コマンド、エラー、ログは英語のままです。",
    synonyms: "language, locale, translation, 英語, ドイツ語, 翻訳, english, deutsch, sprache",
    choices: { system: "システムに合わせる", en: "English", de: "Deutsch", ja: "日本語" },
  },
  reach: {
    label: "アクセス元",
    help: "ほかのマシンは、このマシンのすべてのアドレスの次の番号のポートに、TLSで接続します。",
    synonyms: "remote, network, listen, outside, ネットワーク, 外部",
    choices: { here: "このマシンのみ", outside: "ほかのマシンからも（TLS）" },
  },
  port: {
    label: "ポート",
    help: "このマシンでのリレーのポート。",
    synonyms: "address, listen, アドレス",
  },
  theme: {
    label: "アプリのテーマ",
    synonyms: "theme, appearance, brightness, dark mode, light mode, ダークモード, ライトモード, 明るさ",
    choices: { system: "システムに合わせる", dark: "ダーク", light: "ライト" },
  },
  notifyWaiting: { label: "エージェントが待っている" },
  notifyFinished: { label: "エージェントのターンが完了した" },
  notifyFailed: { label: "エージェントのターンが失敗した" },
  notifyEnded: { label: "エージェントが終了した" },
  notifyBudget: { label: "予算に達した" },
  notifyMessages: { label: "プログラムのメッセージ（notify）" },
  quietHours: {
    label: "通知しない時間帯",
    help: "このマシンの時刻によります。通知は一覧に残りますが、表示されません。",
    synonyms: "do not disturb, pause, night, おやすみモード, 夜間, 静か",
  },
  budgetDay: {
    label: "1日の予算",
    help: "米ドル。すべてのセッションの合計です。新しい予算は警告のみです。",
    synonyms: "cost, limit, spending, コスト, 費用, 上限",
  },
  budgetSession: {
    label: "セッションごとの予算",
    help: "米ドル。セッションが存在する間の合計です。新しい予算は警告のみです。",
    synonyms: "cost, limit, spending, コスト, 費用, 上限",
  },
};
