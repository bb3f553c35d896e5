import { formatNumber } from "../../core/phrases.ts";
import type { Role } from "../../core/protocol/records.ts";

export const roleWords: Readonly<Record<Role, string>> = {
  admin: "管理者",
  writer: "入力可",
  reader: "閲覧のみ",
};

export const words = {
  duration: {
    milliseconds: (count: string) => `${count} ms`,
    fewSeconds: (count: string) => `${count}秒`,
    minutesAndSeconds: (minutes: number, seconds: number) => `${formatNumber(minutes)}分${formatNumber(seconds)}秒`,
    seconds: (count: number) => `${formatNumber(count)}秒`,
    minutes: (count: number) => `${formatNumber(count)}分`,
    hours: (count: number) => `${formatNumber(count)}時間`,
    days: (count: number) => `${formatNumber(count)}日`,
  },
  question: {
    program: "プログラム",
    answerInText: "文章で回答",
    refuseLabel: "理由を添えて拒否",
    answerLabel: "文章で回答",
    refuseHint: "拒否して、代わりにすることを伝える",
    refuse: "拒否",
    send: "送信",
    risk: { low: "リスク低", medium: "リスク中", high: "リスク高" },
    riskBecause: (risk: string, reasons: string) => `${risk}: ${reasons}`,
    less: "折りたたむ",
    dismiss: "閉じる",
    whole: {
      command: "コマンド全体を表示",
      files: "ファイルの一覧をすべて表示",
      diff: "変更をすべて表示",
      screen: "画面全体を表示",
      text: "テキスト全体を表示",
      input: "入力全体を表示",
    },
    wholeQuestion: "求められている内容をすべて表示",
    withLines: (what: string, count: number) => `${what}（${formatNumber(count)}行）`,
    withMoreLines: (what: string, count: number) => `${what}（あと${formatNumber(count)}行）`,
    withMoreCharacters: (what: string, count: number) => `${what}（あと${formatNumber(count)}文字）`,
    withdrawn: "取り下げられました。",
    withdrawnBecause: (reason: string) => `取り下げられました: ${reason}`,
    expired: "期限が切れました。",
    expiredBecause: (reason: string) => `期限が切れました: ${reason}`,
    answered: (by: string) => `${by}が回答しました。`,
    answeredWith: (by: string, answer: string) => `${by}が回答しました: ${answer}`,
    answeredInTerminal: "ターミナルで回答されました。",
    answeredInTerminalWith: (answer: string) => `ターミナルで回答されました: ${answer}`,
    quoted: (text: string) => `「${text}」`,
    receipt: {
      pending: (answered: string) => `${answered} エージェントが受け取ったことの確認を待っています。`,
      confirmed: (answered: string, evidence: string) => `${answered} 確認済み: ${evidence}`,
      unconfirmed: (answered: string, evidence: string) =>
        `${answered} 未確認: ${evidence}。ターミナルを確認してください。`,
      overruled: (answered: string, evidence: string) => `${answered} 別の回答が優先されました: ${evidence}`,
      abandoned: (answered: string, evidence: string) => `${answered} エージェントが先に終了しました: ${evidence}`,
    },
  },
  themes: {
    tooLarge: "ファイルがテーマとしては大きすぎます（256 kBを超えています）。",
    imported: "インポート済み",
    importedName: (name: string) => `${name}（インポート）`,
    lacks: (key: string) => `テーマに${key}がありません。`,
    lacksColour: (index: string) => `テーマに色${index}がありません。`,
    noChannel: (key: string, channel: string) => `「${key}」の${channel}が0から1の値ではありません。`,
    noColour: (text: string) => `「${text}」は#rrggbb形式の色ではありません。`,
    noPropertyList: "ファイルが色のプロパティリストではありません。",
    noPropertyListAt: (text: string) => `ファイルが色のプロパティリストではありません:「${text}」`,
    noJson: (why: string) => `ファイルがJSONではありません: ${why}`,
    noScheme: "ファイルにWindows Terminalの配色がありません。",
    unknown: (line: string) => `Patchbayが対応しているテーマではありません:「${line}」`,
    noPaletteEntry: (value: string) => `「palette = ${value}」がpalette = 0=#rrggbbの形式ではありません。`,
    tooMany: (count: number) =>
      `インポートできるテーマは${formatNumber(count)}個までです。先にどれかを削除してください。`,
  },
};
