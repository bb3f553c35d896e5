import type { browser as english } from "./browser.ts";

export const browser: typeof english = {
  title: "所有者のパネル",
  about: "リレーの所有者のAPIキーで開くか、先にserveが表示する所有者用リンクをこのブラウザで開いてください。",
  key: "APIキー",
  hint: "すべての権限を持つキーです。このタブを閉じるまで保持されます。",
  open: "パネルを開く",
  unreachable: "リレーに接続できません。ネットワークを確認して、もう一度お試しください。",
  onlyInApp: "この操作はアプリでのみ行えます。",
};
