import { sentence } from "../../ui/sentence.ts";
import type * as english from "./browser.ts";

export const browser: typeof english.browser = {
  title: "所有者のパネル",
  about: "リレーの所有者のAPIキーで開くか、先にserveが表示する所有者用リンクをこのブラウザで開いてください。",
  key: "APIキー",
  hint: "すべての権限を持つキーです。このタブを閉じるまで保持されます。",
  open: "パネルを開く",
  unreachable: "リレーに接続できません。ネットワークを確認して、もう一度お試しください。",
  onlyInApp: "この操作はアプリでのみ行えます。",
  notCopied: "ブラウザがコピーを許可しませんでした。",
  outcomeUnknown: "リレーが時間内に応答しませんでした。届いたかどうかは不明です。",
};

export const connection: typeof english.connection = {
  loading: "リレーに問い合わせています",
  title: "リレーが応答しません",
  asOf: (time) => `${time}時点の内容を表示しています。`,
  start: sentence("リレーが停止している場合は、リレーのマシンで{command}を実行して起動してください。"),
  retry: "再試行",
  trying: "再試行しています…",
};
