import { formatNumber } from "../../core/phrases.ts";

const settings = {
  removed: (name: string) => `「${name}」を削除しました。`,
  files: "テーマのファイル",
  removeTheme: (name: string) => `${name}を削除`,
  remove: "削除",
  importThemes: "テーマをインポート…",
  importHint: "iTerm2（.itermcolors）、Windows Terminal（JSON）、Ghosttyのファイル。",
  imported: (count: number, name: string | undefined) =>
    count === 1 ? `「${name}」をインポートしました。` : `${formatNumber(count)}個のテーマをインポートしました。`,
  dark: "ダーク",
  light: "ライト",
  while: "アプリの外観ごとの色",
  preview: "プレビュー",
  reset: "元に戻す",
  resetTo: (name: string, value: string) => `${name}を${value}に戻す`,
  from: "開始",
  to: "終了",
  sample: { folder: "~/orders", command: "$ npm test", passed: "✓ 31", failed: "✗ 1", took: "96 ms", prompt: "$" },
  numberBetween: (min: number, max: number) => `${min}から${max}までの数値。`,
  noneOf: { default: "デフォルト", none: "なし" },
  fontHint: "JetBrains Mono",
  noFontName: "フォント名に次の文字は使えません: \\ ; { } ( ) < >",
  noSuchFont: "この名前のフォントはこのデバイスにありません。JetBrains Monoを使います。",
  title: "ターミナルの設定",
  hint: "このデバイスの、自分のターミナルにだけ適用されます。",
  useDefaults: "デフォルトに戻す",
  done: "完了",
};

const shortcuts = {
  title: "キーボードショートカット",
  hint: "ショートカットを選んで別のキーを押します。Backspaceで削除します。このデバイスに適用されます。",
  filter: "ショートカットを絞り込む",
  none: "なし",
  nothing: (text: string) => `「${text}」というショートカットはありません。`,
  press: "キーを押してください…",
  keysOf: (title: string, keys: string) => `${title}: ${keys}`,
  reset: "元に戻す",
  resetOf: (title: string) => `ショートカットを元に戻す: ${title}`,
  unusable: "Ctrl、Alt、⌘、またはファンクションキーが必要です。",
  taken: (title: string) => `「${title}」に割り当てられていたキーは解除されました。`,
  file: "ショートカットのファイル",
  open: "ファイルを読み込む…",
  save: "ファイルに保存",
  noFile: "ショートカットのファイルではありません。アクション名とキーのJSONが必要です。",
  read: (count: number) => `${formatNumber(count)}件のショートカットを読み込みました。`,
};

export const words = { settings, shortcuts };
